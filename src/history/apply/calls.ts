/**
 * The system calls with which a commit works on the base, in one table: a test counts them, makes one fail, or ends
 * the process at one, and so sees every state that a crash can leave.
 */
import { copyContent } from '../../staging/copy-content.ts';
import * as libc from '../../sys/libc.ts';

export const sys = {
  openAt: libc.openAt,
  openAt2: libc.openAt2,
  statxInto: libc.statxInto,
  fstatxInto: libc.fstatxInto,
  getdents: libc.getdents,
  readlinkAt: libc.readlinkAt,
  mkdirAt: libc.mkdirAt,
  mknodAt: libc.mknodAt,
  symlinkAt: libc.symlinkAt,
  linkAt: libc.linkAt,
  unlinkAt: libc.unlinkAt,
  renameAt2: libc.renameAt2,
  chmodAt: libc.chmodAt,
  chownAt: libc.chownAt,
  utimesAt: libc.utimesAt,
  ftruncate: libc.ftruncate,
  fsync: libc.fsync,
  write: libc.write,
  getxattrAt: libc.getxattrAt,
  setxattrAt: libc.setxattrAt,
  listxattrAt: libc.listxattrAt,
  removexattrAt: libc.removexattrAt,
  syncfsAsync: libc.syncfsAsync,
  copyContent,
};

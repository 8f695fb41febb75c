/**
 * What a copy-up copies. Of a base file it must be the version that the kernel was told of, as what the kernel writes back
 * was put together from that; where that version is gone, so is what was written to it: ESTALE, and the base's content stays.
 */
import { LATER } from '../../fuse/filesystem.ts';
import type { Errno } from '../../sys/errno.ts';
import { ENOENT, ESTALE, OK } from '../../sys/errno.ts';
import * as libc from '../../sys/libc.ts';
import type { Stat } from '../../sys/stat.ts';
import { EMPTY } from '../content-files.ts';
import { copyContent } from '../copy-content.ts';
import type { Core } from '../core.ts';
import type { Fingerprint, Inode } from '../inode.ts';
import { basePath, fingerprintOf } from '../inode.ts';
import { goneFingerprint, hasContentSeen, isVersionSeen } from './seen-version.ts';

export interface Source {
  /** What to copy from; EMPTY: nothing is to be copied. */
  readonly fd: number;
  /** How many bytes. */
  readonly size: number;
  /** Of the base entry that is overridden first; undefined: none is. */
  readonly fingerprint: Fingerprint | undefined;
  /** Its permissions, if they were looked at. */
  readonly mode: number | undefined;
  /** What it was when its copying began; undefined: nobody but us changes it. */
  readonly before: Stat | undefined;
}

/** What `blocks` counts, see stat(2). */
const BLOCK = 512;

const NOTHING: Source = { fd: EMPTY, size: 0, fingerprint: undefined, mode: undefined, before: undefined };

export class Sources {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** What the first `keep` bytes of an inode's content are to be copied from. ESTALE: they are gone. */
  of(inode: Inode, keep: number): Source | Errno {
    if (inode.staged !== undefined && inode.staged.object !== 0) return this.#ofObject(inode, keep);
    if (basePath(inode) === undefined) return NOTHING;
    this.#core.base.catchUp();
    return keep === 0 ? this.#ofPlace(inode) : this.#ofOriginal(inode, keep);
  }

  /** Copies it; ESTALE: somebody has changed it meanwhile. */
  copy(source: Source, to: number): Errno {
    if (source.fd === EMPTY || source.size === 0) return OK;
    const { fd, size, before } = source;
    const isWhole = before !== undefined && before.blocks * BLOCK >= before.size;
    return this.#core.layers.quota.admitCopy(fd, size) || copyContent(fd, to, size, isWhole) || this.check(source);
  }

  /** Copies without copying bytes, where the file system can; LATER: it cannot, and there is room for them. */
  share(source: Source, to: number): Errno {
    const { fd, size } = source;
    const refused = this.#core.layers.quota.admitCopy(fd, size);
    if (refused !== OK) return refused;
    if (libc.reflink(fd, to) < 0) return LATER;
    return (-Math.min(0, libc.ftruncate(to, size)) as Errno) || this.check(source);
  }

  /** After copying: whether it is what it was before. */
  check({ fd, before }: Source): Errno {
    if (before === undefined) return OK;
    const after = this.#core.base.statOpen(fd);
    return typeof after !== 'number' && isSame(before, after) ? OK : ESTALE;
  }

  #ofObject(inode: Inode, keep: number): Source | Errno {
    if (keep === 0) return NOTHING;
    const fd = this.#core.layers.files.of(inode);
    const stat = fd < 0 ? (-fd as Errno) : this.#core.base.statOpen(fd);
    return typeof stat === 'number' ? stat : { ...NOTHING, fd, size: Math.min(keep, stat.size) };
  }

  /** Nothing of it is kept. */
  #ofPlace(inode: Inode): Source {
    const path = basePath(inode);
    const stat = path === undefined ? ENOENT : this.#core.base.statPath(path);
    if (typeof stat === 'number') return { ...NOTHING, fingerprint: this.#first(inode, undefined) };
    const print = fingerprintOf(stat);
    const fingerprint = this.#first(inode, isVersionSeen(inode, stat) ? print : goneFingerprint(inode, print));
    return { ...NOTHING, fingerprint, mode: stat.mode };
  }

  #ofOriginal(inode: Inode, keep: number): Source | Errno {
    const { files, base } = this.#core.layers;
    const fd = files.of(inode);
    const before = fd < 0 ? (-fd as Errno) : base.statOpen(fd);
    if (typeof before === 'number') return before === ENOENT ? ESTALE : before;
    if (!isVersionSeen(inode, before) && !this.#hasLeft(inode, before)) return ESTALE;
    const size = Math.min(keep, before.size);
    return { fd, size, fingerprint: this.#first(inode, fingerprintOf(before)), mode: before.mode, before };
  }

  /** A file that is open, and that is what it was, but has lost its place: its ctime tells of that. */
  #hasLeft(inode: Inode, stat: Stat): boolean {
    if (!hasContentSeen(inode, stat)) return false;
    const path = basePath(inode);
    const there = path === undefined ? ENOENT : this.#core.base.statPath(path);
    return typeof there === 'number' || there.ino !== stat.ino;
  }

  #first(inode: Inode, print: Fingerprint | undefined): Fingerprint | undefined {
    return inode.staged?.fingerprint === undefined ? (print ?? goneFingerprint(inode, undefined)) : undefined;
  }
}

function isSame(a: Stat, b: Stat): boolean {
  const sameTimes = a.mtimeSec === b.mtimeSec && a.mtimeNsec === b.mtimeNsec;
  const sameChange = a.nlink !== b.nlink || (a.ctimeSec === b.ctimeSec && a.ctimeNsec === b.ctimeNsec);
  return a.size === b.size && sameTimes && sameChange;
}

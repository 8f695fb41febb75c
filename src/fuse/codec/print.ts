/**
 * Requests and replies as trace lines (`YOLOFS_TRACE=fuse`):
 *
 *     rx 7 LOOKUP n1 "src" p812        request 7, on node 1, with its name, by process 812
 *     rx 8 READ n4 4096+131072 p812    offset and size
 *     tx 7 OK n4 128                   request 7 succeeded: node 4, 128 bytes of payload
 *     tx 8 EIO
 *
 * A request without a reply (FORGET) has no `tx` line.
 */
import { label } from '../../sys/bytes.ts';
import { type Errno, errnoName, OK } from '../../sys/errno.ts';
import * as abi from './abi.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';

/** The line for a request that has just been read. */
export function renderRequest(name: string, rq: Request): string {
  const details = renderDetails(rq);
  return `rx ${unique(rq)} ${name} n${rq.nodeId}${details === '' ? '' : ` ${details}`} p${rq.caller.pid}`;
}

/** The line for a reply that is about to be sent. */
export function renderReply(rq: Request, rp: Reply, errno: Errno): string {
  if (errno !== OK) return `tx ${unique(rq)} ${errnoName(errno)}`;
  const node = ENTRY_REPLIES.has(rq.opcode) ? ` n${rp.u32(abi.ENTRY_OUT.NODEID)}` : '';
  return `tx ${unique(rq)} OK${node}${rp.length === 0 ? '' : ` ${rp.length}`}`;
}

const ENTRY_REPLIES = new Set([abi.LOOKUP, abi.SYMLINK, abi.MKNOD, abi.MKDIR, abi.LINK, abi.TMPFILE]);

function unique(rq: Request): number {
  return rq.uniqueLow + rq.uniqueHigh * 0x1_0000_0000;
}

function renderDetails(rq: Request): string {
  try {
    return DETAILS[rq.opcode]?.(rq) ?? '';
  } catch (error) {
    // A request too short for its own fields: the session refuses it, the trace says so.
    if (error instanceof RangeError) return `short (${rq.length} bytes)`;
    throw error;
  }
}

const DETAILS: Readonly<Record<number, (rq: Request) => string>> = {
  [abi.LOOKUP]: (rq) => quote(rq.lastString(0)),
  [abi.UNLINK]: (rq) => quote(rq.lastString(0)),
  [abi.RMDIR]: (rq) => quote(rq.lastString(0)),
  [abi.REMOVEXATTR]: (rq) => quote(rq.lastString(0)),
  [abi.FORGET]: (rq) => `-${rq.u64(0)}`,
  [abi.BATCH_FORGET]: (rq) => `x${rq.u32(0)}`,
  [abi.SETATTR]: fields,
  [abi.SYMLINK]: (rq) => two(rq, 0),
  [abi.MKNOD]: (rq) => `${quote(rq.lastString(abi.MKNOD_IN_SIZE))} ${octal(rq.u32(abi.MKNOD_IN.MODE))}`,
  [abi.MKDIR]: (rq) => `${quote(rq.lastString(abi.MKDIR_IN_SIZE))} ${octal(rq.u32(abi.MKDIR_IN.MODE))}`,
  [abi.RENAME]: (rq) => `to n${rq.node(0)} ${two(rq, abi.RENAME_IN_SIZE)}`,
  [abi.RENAME2]: (rq) => `to n${rq.node(0)} ${two(rq, abi.RENAME2_IN_SIZE)} flags ${rq.u32(abi.RENAME_IN.FLAGS)}`,
  [abi.LINK]: (rq) => `of n${rq.node(0)} ${quote(rq.lastString(abi.LINK_IN_SIZE))}`,
  [abi.READ]: range,
  [abi.WRITE]: range,
  [abi.READDIR]: range,
  [abi.READDIRPLUS]: range,
  [abi.GETXATTR]: (rq) => quote(rq.lastString(abi.GETXATTR_IN_SIZE)),
  [abi.SETXATTR]: (rq) => quote(rq.string(rq.device.setxattrExt ? abi.SETXATTR_IN_EXT_SIZE : abi.SETXATTR_IN_SIZE)),
};

/** What a SETATTR is to change. */
function fields(rq: Request): string {
  const given = Object.entries(rq.attrChange()).filter(([, value]) => value !== undefined);
  return given.map(([name]) => name).join(',');
}

/** READ, WRITE and READDIR start alike: offset at 8, size at 16. */
function range(rq: Request): string {
  return `${rq.u64(abi.READ_IN.OFFSET)}+${rq.u32(abi.READ_IN.SIZE)}`;
}

function two(rq: Request, at: number): string {
  const first = rq.string(at);
  return `${quote(first)} ${quote(rq.lastString(at + first.length + 1))}`;
}

function quote(bytes: string): string {
  return `"${label(bytes)}"`;
}

function octal(mode: number): string {
  return `0${mode.toString(8)}`;
}

/** The C library's calls for mounting a FUSE file system. See libc.ts. */
import { bind, path, pathB } from './ffi.ts';
import { O_CLOEXEC } from './libc-constants.ts';

const c = {
  mount: bind('int mount(const void*, const void*, const void*, unsigned long, const void*)'),
  socketpair: bind('int socketpair(int, int, int, void*)'),
  recvmsg: bind('int64_t recvmsg(int, void*, int)'),
  /** Where a buffer lies. */
  address: bind('int64_t memcpy(void*, const void*, size_t)'),
};

export const MS_RDONLY = 1;
export const MS_NOSUID = 2;
export const MS_NODEV = 4;
export const MS_NOEXEC = 8;

export interface MountWords {
  readonly source: string;
  readonly type: string;
  readonly flags: number;
  readonly options: string;
}

/** mount(2) at `target`; 0 or a negative errno. */
export function mountAt(target: string, { source, type, flags, options }: MountWords): number {
  const text = (word: string): Buffer => Buffer.from(`${word}\0`, 'latin1');
  return c.mount(path(source), path(target, pathB), text(type), flags, text(options));
}

const AF_UNIX = 1;
const SOCK_STREAM = 1;

/** Two ends of a stream, close-on-exec; or a negative errno. */
export function socketPair(): readonly [number, number] | number {
  const pair = Buffer.alloc(8);
  const result = c.socketpair(AF_UNIX, SOCK_STREAM | O_CLOEXEC, 0, pair);
  return result < 0 ? result : [pair.readInt32LE(0), pair.readInt32LE(4)];
}

const MSG_CMSG_CLOEXEC = 0x40000000;
const SOL_SOCKET = 1;
const SCM_RIGHTS = 1;
/** struct cmsghdr of 64-bit machines: its length, level, type, and then the descriptor. */
const CMSG = { LEN: 0, LEVEL: 8, TYPE: 12, DATA: 16, SIZE: 24 } as const;

/** The descriptor that comes with the next byte of a stream (SCM_RIGHTS); -1 if none does, or a negative errno. */
export function receiveDescriptor(socket: number): number {
  const byte = Buffer.alloc(1);
  const control = Buffer.alloc(CMSG.SIZE);
  const vector = Buffer.alloc(16);
  vector.writeBigUInt64LE(address(byte), 0);
  vector.writeBigUInt64LE(1n, 8);
  // struct msghdr: name, its length, vector, its length, control, its length, flags.
  const message = Buffer.alloc(56);
  message.writeBigUInt64LE(address(vector), 16);
  message.writeBigUInt64LE(1n, 24);
  message.writeBigUInt64LE(address(control), 32);
  message.writeBigUInt64LE(BigInt(CMSG.SIZE), 40);
  const length = c.recvmsg(socket, message, MSG_CMSG_CLOEXEC);
  if (length < 0) return length;
  const isDescriptor = control.readInt32LE(CMSG.LEVEL) === SOL_SOCKET && control.readInt32LE(CMSG.TYPE) === SCM_RIGHTS;
  return isDescriptor ? control.readInt32LE(CMSG.DATA) : -1;
}

function address(buffer: Buffer): bigint {
  return BigInt(c.address(buffer, buffer, 0));
}

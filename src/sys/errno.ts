/** Linux errno numbers (asm-generic/errno*.h) as values: 0 is success; a call returns one, it does not throw one. */
export type Errno = number & { readonly __brand: 'Errno' };

const e = (n: number): Errno => n as Errno;

export const OK = e(0);
export const EPERM = e(1);
export const ENOENT = e(2);
export const EINTR = e(4);
export const EIO = e(5);
export const ENXIO = e(6);
export const EBADF = e(9);
export const EAGAIN = e(11);
export const ENOMEM = e(12);
export const EACCES = e(13);
export const EBUSY = e(16);
export const EEXIST = e(17);
export const EXDEV = e(18);
export const ENODEV = e(19);
export const ENOTDIR = e(20);
export const EISDIR = e(21);
export const EINVAL = e(22);
export const ENFILE = e(23);
export const EMFILE = e(24);
export const ENOTTY = e(25);
export const ETXTBSY = e(26);
export const EFBIG = e(27);
export const ENOSPC = e(28);
export const EROFS = e(30);
export const EMLINK = e(31);
export const ERANGE = e(34);
export const ENAMETOOLONG = e(36);
export const ENOSYS = e(38);
export const ENOTEMPTY = e(39);
export const ELOOP = e(40);
export const ENODATA = e(61);
export const EPROTO = e(71);
export const EOPNOTSUPP = e(95);
export const ECONNABORTED = e(103);
export const ETIMEDOUT = e(110);
export const ESTALE = e(116);
export const EDQUOT = e(122);

const NAMES: Record<number, string> = {
  1: 'EPERM',
  2: 'ENOENT',
  4: 'EINTR',
  5: 'EIO',
  6: 'ENXIO',
  7: 'E2BIG',
  9: 'EBADF',
  11: 'EAGAIN',
  12: 'ENOMEM',
  13: 'EACCES',
  16: 'EBUSY',
  17: 'EEXIST',
  18: 'EXDEV',
  19: 'ENODEV',
  20: 'ENOTDIR',
  21: 'EISDIR',
  22: 'EINVAL',
  23: 'ENFILE',
  24: 'EMFILE',
  25: 'ENOTTY',
  26: 'ETXTBSY',
  27: 'EFBIG',
  28: 'ENOSPC',
  30: 'EROFS',
  31: 'EMLINK',
  34: 'ERANGE',
  36: 'ENAMETOOLONG',
  38: 'ENOSYS',
  39: 'ENOTEMPTY',
  40: 'ELOOP',
  61: 'ENODATA',
  71: 'EPROTO',
  95: 'EOPNOTSUPP',
  103: 'ECONNABORTED',
  110: 'ETIMEDOUT',
  116: 'ESTALE',
  122: 'EDQUOT',
};

const MEANINGS: Record<string, string> = {
  EPERM: 'operation not permitted',
  ENOENT: 'no such file or directory',
  EIO: 'input/output error',
  EACCES: 'permission denied',
  EBUSY: 'device or resource busy',
  EEXIST: 'file exists',
  EXDEV: 'invalid cross-device link',
  ENODEV: 'no such device',
  ENOTDIR: 'not a directory',
  EISDIR: 'is a directory',
  EINVAL: 'invalid argument',
  ELOOP: 'too many levels of symbolic links',
  EMFILE: 'too many open files',
  ENOSPC: 'no space left on device',
  EROFS: 'read-only file system',
  ENAMETOOLONG: 'file name too long',
  ENOSYS: 'function not implemented',
  ENOTEMPTY: 'directory not empty',
  ECONNABORTED: 'the connection was ended',
  ETIMEDOUT: 'connection timed out',
  EDQUOT: 'disk quota exceeded',
  EOPNOTSUPP: 'operation not supported',
  EAGAIN: 'resource temporarily unavailable',
};

/** A call's result as an errno. */
export function errnoOf(result: number): Errno {
  return result < 0 ? (-result as Errno) : OK;
}

/** The symbolic name, e.g. `ENOENT`; unknown numbers as `errno 200`. */
export function errnoName(errno: Errno): string {
  return NAMES[errno] ?? `errno ${errno}`;
}

/** What a number means, as the C library has it but for the capital; its name where that is not known here. */
export function errnoMeaning(errno: Errno): string {
  const name = errnoName(errno);
  return MEANINGS[name] ?? name;
}

/** A short sentence for people: `no space left on device (ENOSPC)`. */
export function describeErrno(errno: Errno): string {
  const name = errnoName(errno);
  const meaning = MEANINGS[name];
  return meaning === undefined ? name : `${meaning} (${name})`;
}

/** The one error class of the lower floors: a system call that had to succeed did not. */
export class SystemError extends Error {
  readonly errno: Errno;

  constructor(action: string, errno: Errno) {
    super(`${action}: ${describeErrno(errno)}`);
    this.name = 'SystemError';
    this.errno = errno;
  }
}

/** Constants of Linux's C library, with the values of the kernel's headers. */

export const AT_FDCWD = -100;
export const AT_SYMLINK_NOFOLLOW = 0x100;
export const AT_REMOVEDIR = 0x200;
export const AT_EACCESS = 0x200;
export const AT_EMPTY_PATH = 0x1000;

export const O_RDONLY = 0;
export const O_ACCMODE = 3;
export const O_WRONLY = 1;
export const O_RDWR = 2;
export const O_CREAT = 0o100;
export const O_EXCL = 0o200;
export const O_TRUNC = 0o1000;
export const O_APPEND = 0o2000;
export const O_NONBLOCK = 0o4000;
// O_DIRECTORY and O_NOFOLLOW differ between architectures.
export const O_DIRECTORY = process.arch === 'arm64' ? 0o40000 : 0o200000;
export const O_NOFOLLOW = process.arch === 'arm64' ? 0o100000 : 0o400000;
export const O_NOATIME = 0o1000000;
export const O_CLOEXEC = 0o2000000;
export const O_PATH = 0o10000000;

export const RESOLVE_NO_MAGICLINKS = 0x02;
export const RESOLVE_NO_SYMLINKS = 0x04;
export const RESOLVE_BENEATH = 0x08;

export const RENAME_NOREPLACE = 1;
export const RENAME_EXCHANGE = 2;
export const RENAME_WHITEOUT = 4;

export const POLLIN = 1;
export const LOCK_EX = 2;
export const LOCK_NB = 4;
export const LOCK_UN = 8;

export const STATX_BASIC_STATS = 0x7ff;
export const STATX_BTIME = 0x800;
/** What stat(2) tells, and when the file was made. */
export const STATX_WANTED = STATX_BASIC_STATS | STATX_BTIME;

/** System call numbers without a libc wrapper everywhere; all but the first are the same on every architecture. */
export const SYS = {
  getdents64: process.arch === 'arm64' ? 61 : 217,
  openat2: 437,
  faccessat2: 439,
  listxattrat: 465,
};

/**
 * The FUSE kernel ABI as numbers: include/uapi/linux/fuse.h, protocol 7.31 to 7.45, without policy.
 *
 * Offsets of request structs count from the end of `fuse_in_header`, those of reply structs from the end of
 * `fuse_out_header`. All fields are little-endian here: Node runs on no big-endian Linux that has FUSE users.
 * A comment `7.n` names the protocol minor that brought a number.
 */

export const FUSE_MAJOR = 7;
/** The newest minor whose structs are known here. */
export const FUSE_MINOR = 45;
/** Kernel 5.4. The oldest one worth talking to: 64-byte init_out with max_pages, open-less files and directories. */
export const FUSE_MINOR_MIN = 31;

export const IN_HEADER_SIZE = 40;
export const IN_HEADER = { LEN: 0, OPCODE: 4, UNIQUE: 8, NODEID: 16, UID: 24, GID: 28, PID: 32 } as const;

export const OUT_HEADER_SIZE = 16;
export const OUT_HEADER = { LEN: 0, ERROR: 4, UNIQUE: 8 } as const;

export const LOOKUP = 1;
export const FORGET = 2;
export const GETATTR = 3;
export const SETATTR = 4;
export const READLINK = 5;
export const SYMLINK = 6;
export const MKNOD = 8;
export const MKDIR = 9;
export const UNLINK = 10;
export const RMDIR = 11;
export const RENAME = 12;
export const LINK = 13;
export const OPEN = 14;
export const READ = 15;
export const WRITE = 16;
export const STATFS = 17;
export const RELEASE = 18;
export const FSYNC = 20;
export const SETXATTR = 21;
export const GETXATTR = 22;
export const LISTXATTR = 23;
export const REMOVEXATTR = 24;
export const FLUSH = 25;
export const INIT = 26;
export const OPENDIR = 27;
export const READDIR = 28;
export const RELEASEDIR = 29;
export const FSYNCDIR = 30;
export const GETLK = 31;
export const SETLK = 32;
export const SETLKW = 33;
export const ACCESS = 34;
export const CREATE = 35;
export const INTERRUPT = 36;
export const BMAP = 37;
export const DESTROY = 38;
export const IOCTL = 39;
export const POLL = 40;
export const NOTIFY_REPLY = 41;
export const BATCH_FORGET = 42;
export const FALLOCATE = 43;
export const READDIRPLUS = 44;
export const RENAME2 = 45;
export const LSEEK = 46;
export const COPY_FILE_RANGE = 47;
export const SETUPMAPPING = 48;
export const REMOVEMAPPING = 49;
/** 7.34 */
export const SYNCFS = 50;
/** 7.37 */
export const TMPFILE = 51;
/** 7.39 */
export const STATX = 52;
/** 7.45 */
export const COPY_FILE_RANGE_64 = 53;

// INIT flags, first word.
export const FUSE_ASYNC_READ = 1 << 0;
export const FUSE_BIG_WRITES = 1 << 5;
export const FUSE_AUTO_INVAL_DATA = 1 << 12;
export const FUSE_DO_READDIRPLUS = 1 << 13;
export const FUSE_READDIRPLUS_AUTO = 1 << 14;
export const FUSE_WRITEBACK_CACHE = 1 << 16;
export const FUSE_NO_OPEN_SUPPORT = 1 << 17;
export const FUSE_PARALLEL_DIROPS = 1 << 18;
export const FUSE_MAX_PAGES = 1 << 22;
export const FUSE_CACHE_SYMLINKS = 1 << 23;
export const FUSE_NO_OPENDIR_SUPPORT = 1 << 24;
/** 7.33 */
export const FUSE_HANDLE_KILLPRIV_V2 = 1 << 28;
/** 7.33 */
export const FUSE_SETXATTR_EXT = 1 << 29;
/** 7.36: init_in and init_out carry a second word of flags. */
export const FUSE_INIT_EXT = 1 << 30;

/** fuse_init_in: 16 bytes before 7.36, 64 since. */
export const INIT_IN_SIZE = 16;
export const INIT_IN = { MAJOR: 0, MINOR: 4, MAX_READAHEAD: 8, FLAGS: 12, FLAGS2: 16 } as const;
export const INIT_OUT_SIZE = 64;
export const INIT_OUT = {
  MAJOR: 0,
  MINOR: 4,
  MAX_READAHEAD: 8,
  FLAGS: 12,
  MAX_BACKGROUND: 16,
  CONGESTION_THRESHOLD: 18,
  MAX_WRITE: 20,
  TIME_GRAN: 24,
  MAX_PAGES: 28,
  FLAGS2: 32,
} as const;

const ATTR_SIZE = 88;
export const ATTR = {
  INO: 0,
  SIZE: 8,
  BLOCKS: 16,
  ATIME: 24,
  MTIME: 32,
  CTIME: 40,
  ATIMENSEC: 48,
  MTIMENSEC: 52,
  CTIMENSEC: 56,
  MODE: 60,
  NLINK: 64,
  UID: 68,
  GID: 72,
  RDEV: 76,
  BLKSIZE: 80,
  FLAGS: 84,
} as const;

export const ENTRY_OUT_SIZE = 40 + ATTR_SIZE;
export const ENTRY_OUT = {
  NODEID: 0,
  GENERATION: 8,
  ENTRY_VALID: 16,
  ATTR_VALID: 24,
  ENTRY_VALID_NSEC: 32,
  ATTR_VALID_NSEC: 36,
  ATTR: 40,
} as const;

export const ATTR_OUT_SIZE = 16 + ATTR_SIZE;
export const ATTR_OUT = { ATTR_VALID: 0, ATTR_VALID_NSEC: 8, DUMMY: 12, ATTR: 16 } as const;

/** 7.39: struct statx behind 32 bytes of validity. */
export const STATX_IN_SIZE = 24;
export const STATX_OUT_SIZE = 32 + 256;
export const STATX_OUT = { ATTR_VALID: 0, ATTR_VALID_NSEC: 8, STAT: 32 } as const;
/** Offsets within struct statx (linux/stat.h); a time is seconds (i64) and nanoseconds (u32). */
export const STATX_STAT = {
  MASK: 0,
  BLKSIZE: 4,
  NLINK: 16,
  UID: 20,
  GID: 24,
  MODE: 28,
  INO: 32,
  SIZE: 40,
  BLOCKS: 48,
  ATIME: 64,
  BTIME: 80,
  CTIME: 96,
  MTIME: 112,
  RDEV_MAJOR: 128,
  RDEV_MINOR: 132,
} as const;

export const OPEN_IN_SIZE = 8;
export const OPEN_IN = { FLAGS: 0 } as const;

export const OPEN_OUT_SIZE = 16;
export const OPEN_OUT = { FH: 0, OPEN_FLAGS: 8 } as const;
export const FOPEN_KEEP_CACHE = 1 << 1;

export const WRITE_OUT_SIZE = 8;
export const COPY_FILE_RANGE_OUT_SIZE = 8;
export const GETXATTR_OUT_SIZE = 8;

export const STATFS_OUT_SIZE = 80;
export const STATFS_OUT = {
  BLOCKS: 0,
  BFREE: 8,
  BAVAIL: 16,
  FILES: 24,
  FFREE: 32,
  BSIZE: 40,
  NAMELEN: 44,
  FRSIZE: 48,
} as const;

/** fuse_dirent without its name; the record is padded to 8 bytes. */
export const DIRENT_SIZE = 24;
export const DIRENT = { INO: 0, OFF: 8, NAMELEN: 16, TYPE: 20 } as const;

export const GETATTR_IN_SIZE = 16;
export const FORGET_IN_SIZE = 8;
export const INTERRUPT_IN_SIZE = 8;
export const BATCH_FORGET_IN_SIZE = 8;
export const FORGET_ONE_SIZE = 16;

export const SETATTR_IN_SIZE = 88;
export const SETATTR_IN = {
  VALID: 0,
  SIZE: 16,
  ATIME: 32,
  MTIME: 40,
  CTIME: 48,
  ATIMENSEC: 56,
  MTIMENSEC: 60,
  CTIMENSEC: 64,
  MODE: 68,
  UID: 76,
  GID: 80,
} as const;

export const FATTR_MODE = 1 << 0;
export const FATTR_UID = 1 << 1;
export const FATTR_GID = 1 << 2;
export const FATTR_SIZE = 1 << 3;
export const FATTR_ATIME = 1 << 4;
export const FATTR_MTIME = 1 << 5;
export const FATTR_FH = 1 << 6;
export const FATTR_ATIME_NOW = 1 << 7;
export const FATTR_MTIME_NOW = 1 << 8;
export const FATTR_LOCKOWNER = 1 << 9;
export const FATTR_CTIME = 1 << 10;
/** 7.33 */
export const FATTR_KILL_SUIDGID = 1 << 11;

export const MKNOD_IN_SIZE = 16;
export const MKNOD_IN = { MODE: 0, RDEV: 4, UMASK: 8 } as const;
export const MKDIR_IN_SIZE = 8;
export const MKDIR_IN = { MODE: 0, UMASK: 4 } as const;
export const RENAME_IN_SIZE = 8;
export const RENAME2_IN_SIZE = 16;
export const RENAME_IN = { NEWDIR: 0, FLAGS: 8 } as const;
export const LINK_IN_SIZE = 8;

export const READ_IN_SIZE = 40;
export const READ_IN = { OFFSET: 8, SIZE: 16 } as const;
export const WRITE_IN_SIZE = 40;
export const WRITE_IN = { OFFSET: 8, SIZE: 16, WRITE_FLAGS: 20 } as const;
/** With an open file: a write(2), say, that asks before it begins. */
export const FUSE_GETATTR_FH = 1;
export const FUSE_WRITE_KILL_SUIDGID = 1 << 2;

export const FSYNC_IN_SIZE = 16;
export const FSYNC_IN = { FSYNC_FLAGS: 8 } as const;
export const FUSE_FSYNC_FDATASYNC = 1 << 0;

/** fuse_setxattr_in: 8 bytes, or 16 when FUSE_SETXATTR_EXT was agreed on. */
export const SETXATTR_IN_SIZE = 8;
export const SETXATTR_IN_EXT_SIZE = 16;
export const SETXATTR_IN = { SIZE: 0, FLAGS: 4 } as const;
export const GETXATTR_IN_SIZE = 8;

/** fuse_create_in, which TMPFILE uses too. */
export const CREATE_IN_SIZE = 16;
export const CREATE_IN = { MODE: 4, UMASK: 8 } as const;

export const FALLOCATE_IN_SIZE = 32;
export const FALLOCATE_IN = { OFFSET: 8, LENGTH: 16, MODE: 24 } as const;

export const COPY_FILE_RANGE_IN_SIZE = 56;
export const COPY_FILE_RANGE_IN = { OFF_IN: 8, NODEID_OUT: 16, OFF_OUT: 32, LEN: 40 } as const;

// Notifications: the `error` field of the out header carries the code, `unique` is 0.
export const NOTIFY_INVAL_INODE = 2;
export const NOTIFY_INVAL_ENTRY = 3;
export const NOTIFY_DELETE = 6;

export const NOTIFY_INVAL_INODE_SIZE = 24;
export const NOTIFY_INVAL_ENTRY_SIZE = 16;
export const NOTIFY_DELETE_SIZE = 24;

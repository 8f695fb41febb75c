/** What a connection asks of the kernel. */

export interface ConnectionOptions {
  /** Whether the kernel collects writes in its page cache. */
  readonly writeback: boolean;
  /** Whether the kernel chooses between READDIR and READDIRPLUS by use; otherwise it always takes the latter. */
  readonly readdirplusAuto: boolean;
  /** Whether a changed mtime makes the kernel drop a file's cached pages (without writeback only). */
  readonly autoInvalData: boolean;
  /** Whether the kernel keeps the targets of symlinks; default true. */
  readonly cacheSymlinks?: boolean;
}

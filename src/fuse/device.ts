/** One connection of the kernel among those that a session serves. */
import type { NodeId } from '../sys/bytes.ts';
import { ECONNABORTED, EINTR, ENOENT } from '../sys/errno.ts';
import type { ConnectionOptions } from './codec/connection-options.ts';
import type { FileSystem } from './filesystem.ts';
import { Nodes } from './nodes.ts';

export interface DeviceOptions {
  /** An open /dev/fuse with its mount. The caller closes it. */
  readonly fd: number;
  readonly fs: FileSystem;
  /**
   * The directory of the file system that this mount's root is, a reference to which the caller holds; the kernel says node 1
   * for it. Default: node 1.
   */
  readonly root?: NodeId;
  /**
   * Whether the kernel is told, once, that there is no OPEN (default); otherwise each open(2) is asked (`FileSystem.open`)
   * and each close(2) sends a RELEASE.
   */
  readonly openless?: boolean;
  /** What it asks of the kernel; default: what the session does. */
  readonly wishes?: ConnectionOptions;
}

/** A connection beside those that the session began with. Nothing that the kernel knows by it may last without being asked for again. */
export interface AsideOptions extends DeviceOptions {
  /** Whether the file system is changed by it, of which the others hear. */
  readonly writes: boolean;
  /** It was unmounted. */
  onEnded(): void;
}

/**
 * Whether read(2) of a connection says, once, that a request is gone: it was taken back (ENOENT), or the connection was ended (ECONNABORTED),
 * while it was read (`fuse_dev_do_read`, fs/fuse/dev.c). The next read has another, or the end.
 */
export function hasReadNothing(result: number): boolean {
  return result === -EINTR || result === -ENOENT || result === -ECONNABORTED;
}

export class Device {
  /** Added to the numbers of requests, it keeps them apart: the kernel counts in steps of two, so 0 = the first, 1 = the one beside it. */
  readonly place: number;
  readonly fd: number;
  readonly fs: FileSystem;
  readonly openless: boolean;
  readonly nodes: Nodes;
  readonly wishes: ConnectionOptions | undefined;
  /** Whether fuse_setxattr_in has its extended layout (agreed on at INIT). */
  setxattrExt = false;

  constructor({ fd, fs, root, openless = true, wishes }: DeviceOptions, place: number) {
    this.place = place;
    this.fd = fd;
    this.fs = fs;
    this.nodes = new Nodes(root, fd);
    this.openless = openless;
    this.wishes = wishes;
  }

  /** The connection has ended without a FORGET for what was known by it. */
  forgetAll(): void {
    for (const [nodeId, lookups] of this.nodes.takeAll()) this.fs.forget(nodeId, lookups);
  }
}

/** One connection of the kernel among those that a session serves. */
import type { NodeId } from '../sys/bytes.ts';
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
}

export class Device {
  /** 0 = the first, 1 = the one beside it. The kernel counts requests in steps of two, so adding it keeps them apart. */
  readonly place: number;
  readonly fd: number;
  readonly fs: FileSystem;
  readonly openless: boolean;
  readonly nodes: Nodes;
  /** Whether fuse_setxattr_in has its extended layout (agreed on at INIT). */
  setxattrExt = false;

  constructor({ fd, fs, root, openless = true }: DeviceOptions, place: number) {
    this.place = place;
    this.fd = fd;
    this.fs = fs;
    this.nodes = new Nodes(root, fd);
    this.openless = openless;
  }

  /** The connection has ended without a FORGET for what was known by it. */
  forgetAll(): void {
    for (const [nodeId, lookups] of this.nodes.takeAll()) this.fs.forget(nodeId, lookups);
  }
}

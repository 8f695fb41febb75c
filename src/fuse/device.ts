/** One connection of the kernel among those that a session serves. */
import type { NodeId } from '../sys/bytes.ts';
import type { FileSystem } from './filesystem.ts';
import { References } from './references.ts';

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

/** What the kernel calls the root of every mount. */
export const KERNEL_ROOT = 1 as NodeId;

export class Device {
  /** 0 = the first, 1 = the one beside it. The kernel counts requests in steps of two, so adding it keeps them apart. */
  readonly place: number;
  readonly fd: number;
  readonly fs: FileSystem;
  readonly root: NodeId;
  readonly openless: boolean;
  /** What the kernel knows by this connection. */
  readonly references = new References();
  /** Whether fuse_setxattr_in has its extended layout (agreed on at INIT). */
  setxattrExt = false;

  constructor({ fd, fs, root = KERNEL_ROOT, openless = true }: DeviceOptions, place: number) {
    this.place = place;
    this.fd = fd;
    this.fs = fs;
    this.root = root;
    this.openless = openless;
  }

  /** Whether the kernel may remember something of a node. */
  knows(nodeId: NodeId): boolean {
    return nodeId === this.root || this.references.has(nodeId);
  }

  /** The connection has ended without a FORGET for what was known by it. */
  forgetAll(): void {
    for (const [nodeId, lookups] of this.references.take()) this.fs.forget(nodeId, lookups);
  }
}

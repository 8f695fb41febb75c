/**
 * Node ids: what the kernel calls our inodes. An id is given when an inode is first named to the kernel and
 * taken back when FUSE_FORGET has returned every lookup reference.
 */
import type { BytePath, Name, NodeId } from '../sys/bytes.ts';
import { type Inode, viewPath } from './inode.ts';

export const ROOT_ID = 1 as NodeId;

export class InodeTable {
  readonly #inodes: (Inode | undefined)[] = [];
  readonly #free: NodeId[] = [];
  #size = 0;

  constructor(root: Inode) {
    this.#inodes[ROOT_ID] = root;
    root.nodeId = ROOT_ID;
    root.lookups = 1;
    this.#size = 1;
  }

  get size(): number {
    return this.#size;
  }

  get(nodeId: NodeId): Inode | undefined {
    return this.#inodes[nodeId];
  }

  /** Adds a lookup reference, giving the inode a node id with its first. */
  ref(inode: Inode): NodeId {
    if (inode.nodeId === 0) {
      const id = this.#free.pop() ?? (Math.max(this.#inodes.length, 2) as NodeId);
      inode.nodeId = id;
      this.#inodes[id] = inode;
      this.#size += 1;
    }
    inode.lookups += 1;
    return inode.nodeId;
  }

  /** Returns the inode when its last reference went; the kernel does not know it any more then. */
  forget(nodeId: NodeId, lookups: number): Inode | undefined {
    const inode = this.#inodes[nodeId];
    if (inode === undefined || nodeId === ROOT_ID) return undefined;
    inode.lookups -= lookups;
    if (inode.lookups > 0) return undefined;
    inode.lookups = 0;
    inode.nodeId = 0 as NodeId;
    this.#inodes[nodeId] = undefined;
    this.#free.push(nodeId);
    this.#size -= 1;
    return inode;
  }

  /**
   * The directory whose base is this path; a moved one is found by searching. One that has lost its place, and that a process still
   * has, is meant only where no other has the same original.
   */
  directory(dir: BytePath): Inode | undefined {
    let at: Inode | undefined = this.#inodes[ROOT_ID];
    for (const name of dir === '/' ? [] : dir.slice(1).split('/')) {
      const child: Inode | null | undefined = at?.children?.get(name as Name);
      at = child ?? undefined;
    }
    if (at?.base === dir) return at;
    let lost: Inode | undefined;
    for (const inode of this.live()) {
      if (inode.base !== dir || inode.children === undefined) continue;
      if (viewPath(inode) !== undefined) return inode;
      lost ??= inode;
    }
    return lost;
  }

  *live(): Generator<Inode> {
    for (const inode of this.#inodes) {
      if (inode !== undefined) yield inode;
    }
  }
}

/**
 * Node ids: what the kernel calls our inodes. An id is given when an inode is first named to the kernel and
 * taken back when FUSE_FORGET has returned every lookup reference.
 */
import type { BytePath, Name, NodeId } from '../sys/bytes.ts';
import type { Errno } from '../sys/errno.ts';
import { type Inode, viewPath } from './inode.ts';

export const ROOT_ID = 1 as NodeId;

/** What one walk through all inodes has found; holds as long as nothing is moved in the view. */
export interface SearchedDirectories {
  byBase?: ReadonlyMap<BytePath, Inode>;
}

export class InodeTable {
  readonly #inodes: (Inode | undefined)[] = [];
  readonly #free: NodeId[] = [];
  /** Ids that stand for nothing any more, and that the kernel still has; they are not given again before it has forgotten them. */
  readonly #retired = new Map<NodeId, { readonly inode: Inode; readonly why: Errno; lookups: number }>();
  #size = 0;
  #onFree: (nodeId: NodeId) => void = () => undefined;

  constructor(root: Inode) {
    this.#inodes[ROOT_ID] = root;
    root.nodeId = ROOT_ID;
    root.lookups = 1;
    this.#size = 1;
  }

  get size(): number {
    return this.#size;
  }

  /** `listener` hears of each id that stands for nothing any more, before it is given again: whoever forgot it, the kernel or we. */
  whenFreed(listener: (nodeId: NodeId) => void): void {
    this.#onFree = listener;
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
    if (inode === undefined) return this.#forgetRetired(nodeId, lookups);
    if (nodeId === ROOT_ID) return undefined;
    inode.lookups -= lookups;
    if (inode.lookups > 0) return undefined;
    inode.lookups = 0;
    inode.nodeId = 0 as NodeId;
    this.#inodes[nodeId] = undefined;
    this.#release(nodeId);
    this.#size -= 1;
    return inode;
  }

  /**
   * Takes the id of an inode out of use: what the kernel believes of it is not true, and cannot be set right. Whoever has the file open
   * is refused from then on, and who asks for its name gets it under another id.
   */
  retire(inode: Inode, why: Errno): void {
    const { nodeId, lookups } = inode;
    if (nodeId === 0 || nodeId === ROOT_ID) return;
    this.#retired.set(nodeId, { inode, why, lookups });
    this.#inodes[nodeId] = undefined;
    Object.assign(inode, { nodeId: 0, lookups: 0 });
    this.#size -= 1;
  }

  /** Another inode, which the kernel does not know, has the id of one from now on, and its references. */
  pass(from: Inode, to: Inode): void {
    const { nodeId, lookups } = from;
    this.#inodes[nodeId] = to;
    Object.assign(to, { nodeId, lookups });
    Object.assign(from, { nodeId: 0, lookups: 0 });
  }

  /**
   * The directory whose base is this path; a moved one is found by searching. One that has lost its place, and that a process still
   * has, is meant only where no other has the same base entry. `searched`: of those who ask for many.
   */
  directory(dir: BytePath, searched: SearchedDirectories = {}): Inode | undefined {
    let at: Inode | undefined = this.#inodes[ROOT_ID];
    for (const name of dir === '/' ? [] : dir.slice(1).split('/')) {
      const child: Inode | null | undefined = at?.children?.get(name as Name);
      at = child ?? undefined;
    }
    if (at?.base === dir) return at;
    searched.byBase ??= this.#directoriesByBase();
    return searched.byBase.get(dir);
  }

  #directoriesByBase(): Map<BytePath, Inode> {
    const found = new Map<BytePath, Inode>();
    for (const inode of this.live()) {
      if (inode.base === undefined || inode.children === undefined) continue;
      const before = found.get(inode.base);
      if (before === undefined || (viewPath(before) === undefined && viewPath(inode) !== undefined))
        found.set(inode.base, inode);
    }
    return found;
  }

  *live(): Generator<Inode> {
    for (const inode of this.#inodes) {
      if (inode !== undefined) yield inode;
    }
  }

  /** Why an id is out of use. */
  whyRetired(nodeId: NodeId): Errno | undefined {
    return this.#retired.get(nodeId)?.why;
  }

  #forgetRetired(nodeId: NodeId, lookups: number): Inode | undefined {
    const retired = this.#retired.get(nodeId);
    if (retired === undefined) return undefined;
    retired.lookups -= lookups;
    if (retired.lookups > 0) return undefined;
    this.#retired.delete(nodeId);
    this.#release(nodeId);
    return retired.inode.nodeId === 0 ? retired.inode : undefined;
  }

  #release(nodeId: NodeId): void {
    this.#onFree(nodeId);
    this.#free.push(nodeId);
  }
}

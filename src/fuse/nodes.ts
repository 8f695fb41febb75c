/** What the kernel knows by one connection, and what it calls it. */
import type { Ino, Name, NodeId } from '../sys/bytes.ts';
import { S_IFMT, S_IFREG } from '../sys/stat.ts';
import { Aliases } from './aliases.ts';
import type { Entry } from './filesystem.ts';
import { References } from './references.ts';

/** What the kernel calls the root of every mount. */
export const KERNEL_ROOT = 1 as NodeId;

export interface SharingEvents {
  /** The kernel got to know a file by a second connection. */
  onShared(node: NodeId): void;
  /** A name changed in a directory that the kernel may know by the other connection, whose device it is. */
  onRenamed(parent: NodeId, name: Name, device: number): void;
  /**
   * Whether both mounts can be reached by the same names or none: as long as one covers the other, what is below its root is
   * seen by one connection alone.
   */
  areApart(): boolean;
}

export class Nodes {
  /** What the kernel's root is. */
  readonly root: NodeId;
  readonly fd: number;
  readonly #references = new References();
  readonly #aliases = new Aliases();
  /**
   * Files that the kernel has known by both connections at a time. They stay so: what it is told to forget by one is
   * known by the other alone, until it is asked for again.
   */
  #shared = new Set<Ino>();
  #others: readonly { readonly nodes: Nodes; readonly events: SharingEvents }[] = [];

  constructor(root = KERNEL_ROOT, fd = -1) {
    this.root = root;
    this.fd = fd;
  }

  /** There is another connection; to be said to both. */
  pairWith(other: Nodes, events: SharingEvents): void {
    this.#others = [...this.#others, { nodes: other, events }];
    other.#shared = this.#shared;
  }

  /** The other connection has ended. */
  partFrom(other: Nodes): void {
    this.#others = this.#others.filter(({ nodes }) => nodes !== other);
  }

  /** Whether the kernel may remember something of a node. */
  knows(node: NodeId): boolean {
    return node === this.root || this.#references.has(node);
  }

  /** The same, but for the root, of which there is no count. */
  holds(node: NodeId): boolean {
    return this.#references.has(node);
  }

  nodeOf(id: number): NodeId {
    return id === KERNEL_ROOT ? this.root : this.#aliases.nodeOf(id);
  }

  /** What the kernel calls a node besides its own number. */
  aliasesOf(node: NodeId): NodeId[] {
    return this.#aliases.of(node);
  }

  /** Counts an entry that the kernel is about to get; returns it as the kernel is to see it. */
  introduce(entry: Entry): Entry {
    const { nodeId } = entry;
    this.#references.add(nodeId);
    const isShared = (entry.stat.mode & S_IFMT) === S_IFREG && this.#isShared(nodeId, entry.stat.ino as Ino);
    if (!isShared && !this.#aliases.areUsed) return entry;
    // To be asked for at each use: by then it may be called otherwise.
    return { ...entry, nodeId: this.#aliases.name(nodeId), entryValid: isShared ? 0 : entry.entryValid };
  }

  /** Takes lookups back; returns the node that they were of. */
  giveBack(id: number, lookups: number): NodeId {
    const node = this.nodeOf(id);
    if (node !== id) this.#aliases.giveBack(id, lookups);
    this.#references.drop(node, lookups);
    if (this.#references.has(node)) return node;
    this.#aliases.forget(node);
    return node;
  }

  /** A node was changed by this connection: what the kernel knows of it by the other is not true any more. */
  changed(node: NodeId): void {
    for (const { nodes } of this.#others) if (nodes.holds(node)) nodes.outdate(node);
  }

  /** A name in a directory is made or removed by this connection, of which the kernel may remember something by the other. */
  renamed(parent: NodeId, name: Name): void {
    for (const { nodes, events } of this.#others)
      if (nodes.knows(parent) && events.areApart()) events.onRenamed(parent, name, nodes.fd);
  }

  /** What the kernel has seen of a node by this connection is not true any more. */
  outdate(node: NodeId): void {
    this.#aliases.outdate(node);
  }

  /** The connection has ended: returns what was held, with the number of lookups. */
  takeAll(): [NodeId, number][] {
    return this.#references.take();
  }

  #isShared(node: NodeId, ino: Ino): boolean {
    if (this.#shared.has(ino)) return true;
    for (const { nodes, events } of this.#others) {
      if (!nodes.holds(node)) continue;
      this.#shared.add(ino);
      events.onShared(node);
      return true;
    }
    return false;
  }
}

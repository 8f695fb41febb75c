/**
 * Other names for nodes on one connection. With the writeback cache the kernel goes on believing its own size and time of a
 * file that it has seen; so one that was changed by another connection has to come back under another number.
 */
import type { NodeId } from '../sys/bytes.ts';

/** File systems give smaller numbers. */
const FIRST = 2 ** 40;

export class Aliases {
  readonly #nodes = new Map<number, NodeId>();
  /** How often the kernel holds each. */
  readonly #lookups = new Map<number, number>();
  /** What a node is called from now on. */
  readonly #current = new Map<NodeId, number>();
  readonly #outdated = new Set<NodeId>();
  #next = FIRST;

  /** The node behind what the kernel calls it. */
  nodeOf(id: number): NodeId {
    return this.#nodes.get(id) ?? (id as NodeId);
  }

  /** All that the kernel may call a node besides its own number. */
  of(node: NodeId): NodeId[] {
    if (this.#nodes.size === 0) return [];
    return [...this.#nodes].filter(([, known]) => known === node).map(([id]) => id as NodeId);
  }

  /** What the kernel has seen of a node is not true any more. */
  outdate(node: NodeId): void {
    this.#outdated.add(node);
  }

  /** Whether any node is called otherwise, or is to be. */
  get areUsed(): boolean {
    return this.#current.size > 0 || this.#outdated.size > 0;
  }

  /** What to call a node in an entry, which the kernel will give back. */
  name(node: NodeId): NodeId {
    if (this.#outdated.delete(node)) this.#current.set(node, this.#next++);
    const id = this.#current.get(node);
    if (id === undefined) return node;
    this.#nodes.set(id, node);
    this.#lookups.set(id, (this.#lookups.get(id) ?? 0) + 1);
    return id as NodeId;
  }

  giveBack(id: number, lookups: number): void {
    const left = (this.#lookups.get(id) ?? 0) - lookups;
    if (left > 0) {
      this.#lookups.set(id, left);
      return;
    }
    this.#lookups.delete(id);
    this.#nodes.delete(id);
  }

  /** The kernel knows nothing of a node any more, which may become another. */
  forget(node: NodeId): void {
    this.#outdated.delete(node);
    this.#current.delete(node);
  }
}

/**
 * How many lookups the kernel has to give back, by node, on one of several connections: they add up in the file system.
 * Node ids are small numbers that are given again, so an array does: 4 bytes a node.
 */
import type { NodeId } from '../sys/bytes.ts';

/** Nodes beyond it are not counted. */
const COUNTED = 1 << 26;

export class References {
  #counts = new Uint32Array(256);

  add(nodeId: NodeId): void {
    if (nodeId >= this.#counts.length) this.#grow(nodeId);
    // Nothing is written beyond the end.
    this.#counts[nodeId] = (this.#counts[nodeId] ?? 0) + 1;
  }

  drop(nodeId: NodeId, lookups: number): void {
    const count = this.#counts[nodeId];
    if (count !== undefined) this.#counts[nodeId] = Math.max(0, count - lookups);
  }

  /** Whether the kernel holds the node; true of one that is not counted. */
  has(nodeId: NodeId): boolean {
    return nodeId >= COUNTED || (this.#counts[nodeId] ?? 0) > 0;
  }

  /** Empties it; returns what was held. */
  take(): [NodeId, number][] {
    const held: [NodeId, number][] = [];
    for (const [nodeId, count] of this.#counts.entries()) if (count > 0) held.push([nodeId as NodeId, count]);
    this.#counts = new Uint32Array(256);
    return held;
  }

  #grow(nodeId: NodeId): void {
    if (nodeId >= COUNTED) return;
    const counts = new Uint32Array(Math.min(COUNTED, 2 * nodeId));
    counts.set(this.#counts);
    this.#counts = counts;
  }
}

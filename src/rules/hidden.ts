/** A listing without what is hidden. */
import type { DirectorySink, Entry } from '../fuse/filesystem.ts';
import type { Ino, Name, NodeId } from '../sys/bytes.ts';

interface Hiding {
  hides(parent: NodeId, name: Name, entry: Entry | undefined): boolean;
  forget(nodeId: NodeId, lookups: number): void;
}

export class WithoutHidden implements DirectorySink {
  readonly #sink: DirectorySink;
  readonly #dir: NodeId;
  readonly #hiding: Hiding;

  constructor(sink: DirectorySink, dir: NodeId, hiding: Hiding) {
    this.#sink = sink;
    this.#dir = dir;
    this.#hiding = hiding;
  }

  fits(name: Name): boolean {
    return this.#sink.fits(name);
  }

  add(name: Name, ino: Ino, typeBits: number, nextCookie: number, entry?: Entry): void {
    const isName = name !== '.' && name !== '..';
    if (!isName || !this.#hiding.hides(this.#dir, name, entry)) {
      this.#sink.add(name, ino, typeBits, nextCookie, entry);
    } else if (entry !== undefined) {
      this.#hiding.forget(entry.nodeId, 1);
    }
  }
}

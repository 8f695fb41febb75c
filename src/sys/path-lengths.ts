/**
 * Finds the directories above a path about which something is known. To look a path up takes its whole length, and a path may
 * have two thousand directories above it: only those are looked up that are as long as one that is known.
 */
import { type BytePath, ROOT } from './bytes.ts';

export class PathLengths {
  readonly #lengths = new Set<number>();

  add(path: BytePath): void {
    this.#lengths.add(path.length);
  }

  /** Of a path and the directories above it, from the path upward, those that may be among the paths added. */
  *above(path: BytePath): Generator<BytePath, void, undefined> {
    for (let end = path.length; end > 0; end = path === ROOT ? 0 : path.lastIndexOf('/', end - 1))
      if (this.#lengths.has(end)) yield path.slice(0, end) as BytePath;
    if (path !== ROOT && this.#lengths.has(ROOT.length)) yield ROOT;
  }
}

/**
 * A map by paths that finds what it has for the directories above one. To look a path up takes its whole length, and a path may have two
 * thousand directories above it: only those are looked up that are as long as one that is in the map.
 */
import { type BytePath, ROOT } from './bytes.ts';

/** `Other`: keys beside paths. */
export class PathMap<V, Other = never> extends Map<BytePath | Other, V> {
  readonly #lengths = new Set<number>();

  override set(key: BytePath | Other, value: V): this {
    if (typeof key === 'string') this.#lengths.add(key.length);
    return super.set(key, value);
  }

  /** What it has for a path and the directories above it, from the path upward. */
  *above(path: BytePath): Generator<[BytePath, V], void, undefined> {
    for (let end = path.length; end > 0; end = path === ROOT ? 0 : path.lastIndexOf('/', end - 1))
      if (this.#lengths.has(end)) yield* this.#at(path.slice(0, end) as BytePath);
    if (path !== ROOT && this.#lengths.has(ROOT.length)) yield* this.#at(ROOT);
  }

  *#at(path: BytePath): Generator<[BytePath, V], void, undefined> {
    const value = this.get(path);
    if (value !== undefined) yield [path, value];
  }
}

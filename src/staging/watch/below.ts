/** Which of many directories lie below one, without looking at the others. */
import { type BytePath, splitPath } from '../../sys/bytes.ts';

export class Below {
  /** What is directly below a directory: those that were added, and what leads to them. Who is in here has its parents in here. */
  readonly #below = new Map<BytePath, Set<BytePath>>();

  constructor(dirs: Iterable<BytePath>) {
    for (const dir of dirs) this.add(dir);
  }

  add(dir: BytePath): void {
    let path = dir;
    for (let at = splitPath(path); at !== undefined; at = splitPath(path)) {
      const siblings = this.#below.get(at.dir);
      if (siblings !== undefined) {
        siblings.add(path);
        return;
      }
      this.#below.set(at.dir, new Set([path]));
      path = at.dir;
    }
  }

  /** Takes out a directory and all below it, parents first; with those that only led to others. */
  take(dir: BytePath): BytePath[] {
    const taken = [dir];
    for (const path of taken) {
      for (const below of this.#below.get(path) ?? []) taken.push(below);
      this.#below.delete(path);
    }
    const at = splitPath(dir);
    if (at !== undefined) this.#below.get(at.dir)?.delete(dir);
    return taken;
  }
}

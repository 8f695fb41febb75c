/**
 * Contents that came for a search and are in no file of the mirror yet: who searches does not wait for that. Whoever wants one of them
 * meanwhile has it from here.
 */
import type { EntryTable } from '../mirror/entry-table.ts';
import type { Revised } from '../source.ts';

/** Bytes of one source; with more no search goes on before they are filled in. */
export const MOST_UNFILLED = 16 * 2 ** 20;

export class Unfilled {
  readonly #contents = new Map<string, Revised>();
  #bytes = 0;

  /** Of all of them. */
  get bytes(): number {
    return this.#bytes;
  }

  add(content: Revised): void {
    this.#drop(content.path);
    this.#contents.set(content.path, content);
    this.#bytes += content.content.length;
  }

  /** Of these paths, as far as it is what the mirror shows there. */
  among(paths: readonly string[], shown: Pick<EntryTable, 'get'>): Revised[] {
    if (this.#contents.size === 0) return [];
    return paths.flatMap((path) => this.at(path, shown) ?? []);
  }

  /** Likewise, of one. */
  at(path: string, shown: Pick<EntryTable, 'get'>): Revised | undefined {
    const content = this.#contents.get(path);
    return content !== undefined && content.rev === shown.get(path)?.rev ? content : undefined;
  }

  /** The first of them, which somebody fills in now; none when all are. */
  take(most: number): Revised[] {
    const taken = [...this.#contents.values()].slice(0, most);
    for (const { path } of taken) this.#drop(path);
    return taken;
  }

  #drop(path: string): void {
    this.#bytes -= this.#contents.get(path)?.content.length ?? 0;
    this.#contents.delete(path);
  }
}

/**
 * Contents that came for a search and are in no file of the mirror yet: who searches does not wait for that. Whoever wants one of them
 * meanwhile has it from here.
 */
import type { Fetched } from '../answers.ts';
import type { EntryTable } from '../mirror/entry-table.ts';

type Content = Extract<Fetched, { readonly content: Uint8Array }>;

export class Unfilled {
  readonly #contents = new Map<string, Content>();
  #bytes = 0;

  /** Of all of them. */
  get bytes(): number {
    return this.#bytes;
  }

  add(content: Content): void {
    this.#drop(content.path);
    this.#contents.set(content.path, content);
    this.#bytes += content.content.length;
  }

  /** Of these paths, as far as it is what the mirror shows there. */
  among(paths: readonly string[], shown: Pick<EntryTable, 'get'>): Content[] {
    if (this.#contents.size === 0) return [];
    return paths.flatMap((path) => {
      const content = this.#contents.get(path);
      return content !== undefined && content.rev === shown.get(path)?.rev ? [content] : [];
    });
  }

  /** The first of them, which somebody fills in now; none when all are. */
  take(most: number): Content[] {
    const taken = [...this.#contents.values()].slice(0, most);
    for (const { path } of taken) this.#drop(path);
    return taken;
  }

  #drop(path: string): void {
    this.#bytes -= this.#contents.get(path)?.content.length ?? 0;
    this.#contents.delete(path);
  }
}

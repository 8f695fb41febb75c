/** Contents of files of one directory, one behind the other in memory: a text is looked for in all of them at once. */
import { type Formula, isWide, lineText, meets } from '../formula.ts';

export class RecentDirectory {
  /** By names; nobody may change them. */
  readonly contents: ReadonlyMap<string, Buffer>;
  /** Bytes. */
  readonly length: number;
  readonly #bytes: Buffer;
  readonly #wide: readonly string[];

  constructor(contents: ReadonlyMap<string, Buffer>) {
    this.#bytes = Buffer.concat([...contents.values()]);
    this.length = this.#bytes.length;
    const placed = new Map<string, Buffer>();
    let end = 0;
    for (const [name, { length }] of contents) {
      placed.set(name, this.#bytes.subarray(end, end + length));
      end += length;
    }
    this.contents = placed;
    this.#wide = [...placed].flatMap(([name, content]) => (isWide(content) ? [name] : []));
  }

  /** Names of those that may match what the formula is of. */
  mayMatch(formula: Formula): ReadonlySet<string> {
    const text = lineText(formula);
    const found = text === undefined ? [...this.contents.keys()] : this.#having(Buffer.from(text));
    const isDecided = formula.kind === 'literal' && text !== undefined;
    return new Set([...(isDecided ? found : found.filter((name) => this.#meets(name, formula))), ...this.#wide]);
  }

  #meets(name: string, formula: Formula): boolean {
    const content = this.contents.get(name);
    return content !== undefined && meets(content, formula);
  }

  /** Names of those that have a text in them. */
  #having(text: Buffer): string[] {
    const found: string[] = [];
    let hit = this.#bytes.indexOf(text);
    let end = 0;
    for (const [name, { length }] of this.contents) {
      const begin = end;
      end += length;
      // A text that begins in one content and ends in the next is in neither.
      while (hit >= 0 && (hit < begin || (hit < end && hit + text.length > end)))
        hit = this.#bytes.indexOf(text, hit + 1);
      if (hit < 0) break;
      if (hit >= end) continue;
      found.push(name);
      hit = this.#bytes.indexOf(text, end);
    }
    return found;
  }
}

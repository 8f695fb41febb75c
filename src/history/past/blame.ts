/**
 * The commands behind what is staged: which of them changed a path, which of them a hunk is by, and which wrote a line. Texts are
 * compared only for a file that several commands have changed, as far as the store still has what each left.
 */
import type { BytePath, Gen, ObjectId } from '../../sys/bytes.ts';
import type { Facts } from '../diff/facts.ts';
import { splitLines } from '../diff/text/hunks.ts';
import { loadSide } from '../diff/text/load.ts';
import type { KeyedHunk, TextChange } from '../diff/text/sections.ts';
import type { Journal } from '../log/journal.ts';
import { type Owners, ownersOf } from './line-owners.ts';
import { type Version, Versions } from './versions.ts';

/** A hunk and its text. */
interface HunkOf {
  readonly text: TextChange;
  readonly hunk: KeyedHunk;
}

/** Lines of a file, from 1, that came together. */
export interface WrittenLines {
  readonly start: number;
  readonly count: number;
  /** Of the snapshot that has them first; before there is one, of the state that they were written over. */
  readonly generation: Gen;
  /** Bytes; perhaps empty. */
  readonly command: string;
}

export class Blame {
  readonly #versions: Versions;

  /** Reads the whole journal. Throws JournalDamaged. */
  constructor(journal: Journal, start: number) {
    this.#versions = new Versions(journal, start);
  }

  /** Command lines (bytes) that changed a path, or moved a directory around it; the last one last. */
  commandsOf(path: BytePath, from?: BytePath): readonly string[] {
    const own = [path, ...(from === undefined ? [] : [from])].flatMap((one) => this.#versions.of(one));
    return [...new Set(own.map(({ command }) => command))].filter((command) => command !== '');
  }

  /** Those of them that a hunk is by; all of them where the texts between are not kept. */
  commandsBehind(path: BytePath, { text, hunk }: HunkOf, facts: Facts): readonly string[] {
    const all = this.commandsOf(path);
    if (all.length < 2) return all;
    const owners = this.#ownersOf(path, text, facts);
    if (owners === undefined) return all;
    const { added, removed } = owners;
    const found = hunk.blocks.flatMap(({ aStart, aEnd, bStart, bEnd }) => [
      ...added.slice(bStart, bEnd),
      ...removed.slice(aStart, aEnd),
    ]);
    const own = all.filter((command) => found.some((version) => version?.command === command));
    return own.length === 0 ? all : own;
  }

  /** What of a text was written since it was `before`; nothing where the texts between are not kept. */
  linesOf(path: BytePath, text: Pick<TextChange, 'before' | 'after'>, facts: Facts): readonly WrittenLines[] {
    return rangesOf(this.#ownersOf(path, text, facts)?.added ?? []);
  }

  /** Undefined where what was left does not lead to the text. */
  #ownersOf(
    path: BytePath,
    { before, after }: Pick<TextChange, 'before' | 'after'>,
    facts: Facts,
  ): Owners<Version> | undefined {
    const steps = this.#versions.of(path).flatMap((version) => {
      const lines = version.object === undefined ? undefined : linesIn(version.object, facts);
      return lines === undefined ? [] : [{ lines, by: version }];
    });
    const last = steps.at(-1)?.lines ?? before;
    const isWhole = last.length === after.length && last.every((line, index) => line === after[index]);
    return isWhole ? ownersOf(before, steps) : undefined;
  }
}

function rangesOf(owners: readonly (Version | undefined)[]): WrittenLines[] {
  const ranges: WrittenLines[] = [];
  for (let at = 0; at < owners.length; ) {
    const owner = owners[at];
    let end = at + 1;
    while (end < owners.length && owners[end] === owner) end += 1;
    if (owner !== undefined) {
      const { generation, command } = owner;
      ranges.push({ start: at + 1, count: end - at, generation, command });
    }
    at = end;
  }
  return ranges;
}

function linesIn(object: ObjectId, facts: Facts): string[] | undefined {
  const found = loadSide({ backing: { kind: 'object', object, path: undefined } }, facts);
  return found.kind === 'text' ? splitLines(found.text) : undefined;
}

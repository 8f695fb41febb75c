/** Reads both sides of one file, as the page shows them. */
import type { PathChange, Side } from '../../../history/diff/changes.ts';
import { type Facts, typeOf } from '../../../history/diff/facts.ts';
import { type Hunk, hunksOf, splitLines } from '../../../history/diff/text/hunks.ts';
import { type Content, loadSide, NOTHING } from '../../../history/diff/text/load.ts';
import { type Sections, sectionsOf } from '../../../history/diff/text/sections.ts';
import { label } from '../../../sys/bytes.ts';
import { S_IFLNK, S_IFREG } from '../../../sys/stat.ts';
import { encodeText } from '../../../sys/text/encoding.ts';
import type { FileKind, ShownHunk } from '../../protocol.ts';
import type { FileText, HunkRows } from './file-text.ts';
import { imageType } from './images.ts';
import { LargeText } from './large-text.ts';

/** More of a line is not sent: the page shows the first 2,000 characters. */
const LONGEST = 4000;

export async function readText(change: PathChange, facts: Facts): Promise<FileText> {
  const found = sectionsOf(change, facts);
  const { kind, hunks } = contentOf(change, facts, found);
  if (kind === 'large') {
    const large = await LargeText.read(change, facts, found.sections);
    if (large !== undefined) return large;
  }
  return new SmallText(kind, found.sections, hunks);
}

type KeyedOrNot = Hunk & { readonly key?: string };

/** Of hunks that are there as a whole. */
class SmallText implements FileText {
  readonly kind: FileKind;
  readonly sections: FileText['sections'];
  readonly added: number;
  readonly removed: number;
  readonly #hunks: readonly KeyedOrNot[];
  /** Of each hunk the row where it begins; then how many rows there are. */
  readonly #starts = [0];

  constructor(kind: FileKind, sections: FileText['sections'], hunks: readonly KeyedOrNot[]) {
    this.kind = kind;
    this.sections = sections;
    this.#hunks = hunks;
    for (const { lines } of hunks) this.#starts.push(this.rows + lines.length);
    const blocks = hunks.flatMap((hunk) => hunk.blocks);
    this.added = blocks.reduce((sum, { bStart, bEnd }) => sum + bEnd - bStart, 0);
    this.removed = blocks.reduce((sum, { aStart, aEnd }) => sum + aEnd - aStart, 0);
  }

  get hunkCount(): number {
    return this.#hunks.length;
  }

  get rows(): number {
    return this.#starts.at(-1) ?? 0;
  }

  startOf(hunk: number): number | undefined {
    return this.#starts[hunk];
  }

  page(from: number, count: number): HunkRows[] {
    return this.#hunks.flatMap((hunk, index) => {
      const start = this.#starts[index] ?? 0;
      const [first, last] = [Math.max(0, from - start), Math.min(hunk.lines.length, from + count - start)];
      return first >= last ? [] : [partOf(hunk, index, first, last)];
    });
  }
}

function partOf(hunk: KeyedOrNot, index: number, first: number, last: number): HunkRows {
  const { oldStart, oldLines, newStart, newLines, lines, key } = hunk;
  return {
    ...{ index, oldStart, oldLines, newStart, newLines, first, total: lines.length },
    ...shortened(lines.slice(first, last)),
    ...placeOf(hunk, first),
    ...(key === undefined ? {} : { key }),
  };
}

function shortened(lines: readonly string[]): Pick<ShownHunk, 'lines' | 'cut'> {
  const cut = lines.flatMap((line, index): [number, number][] =>
    line.length > LONGEST ? [[index, encodeText(line.slice(LONGEST)).length]] : [],
  );
  return cut.length === 0 ? { lines } : { lines: lines.map((line) => line.slice(0, LONGEST)), cut };
}

/** Where a slice of a hunk begins that does not begin with it. */
function placeOf({ lines, oldStart, newStart }: Hunk, first: number): Partial<HunkRows> {
  if (first === 0) return {};
  let [oldAt, newAt, changedBefore] = [oldStart, newStart, 0];
  for (let at = 0; at < first; at++) {
    const mark = lines[at]?.charAt(0);
    if (mark === ' ' || mark === '-') oldAt += 1;
    if (mark === ' ' || mark === '+') newAt += 1;
    if (mark === '-' || mark === '+') changedBefore += 1;
  }
  return { oldAt, newAt, changedBefore };
}

function contentOf(
  { path, type, oldSide, newSide, displaced }: PathChange,
  facts: Facts,
  { text }: Sections,
): { readonly kind: FileKind; readonly hunks: readonly KeyedOrNot[] } {
  if (text !== undefined) return { kind: 'text', hunks: text.hunks };
  if (type === 'directory' || type === 'other') return { kind: type, hunks: [] };
  const sides = [displaced === true ? undefined : oldSide, newSide].map((side) => loaded(side, facts));
  const [before, after] = sides;
  if (before === undefined || after === undefined) return { kind: type === 'symlink' ? 'symlink' : 'other', hunks: [] };
  const kinds = sides.map((side) => side?.kind);
  if (kinds.includes('unreadable')) return { kind: 'unreadable', hunks: [] };
  if (kinds.includes('large')) return { kind: 'large', hunks: [] };
  if (before.kind !== 'text' || after.kind !== 'text')
    return { kind: imageType(label(path)) === undefined ? 'binary' : 'image', hunks: [] };
  return {
    kind: type === 'symlink' ? 'symlink' : 'text',
    hunks: hunksOf(splitLines(before.text), splitLines(after.text)),
  };
}

/** Undefined: neither a file nor a symlink. */
function loaded(side: Side | undefined, facts: Facts): Content | undefined {
  if (side === undefined) return NOTHING;
  const type = typeOf(side.backing);
  return type === S_IFREG || type === S_IFLNK ? loadSide(side, facts) : undefined;
}

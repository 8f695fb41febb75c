/**
 * A text that is too large to be read as a whole: of each line it is known where it begins, and of the lines that are looked at what
 * they say. Nothing of it is decided by lines.
 */
import type { PathChange, Side } from '../../../history/diff/changes.ts';
import { type Facts, typeOf } from '../../../history/diff/facts.ts';
import { type Block, findBlocks, type Hunk, hunkPlaces } from '../../../history/diff/text/hunks.ts';
import { close, pread } from '../../../sys/libc.ts';
import { S_IFREG } from '../../../sys/stat.ts';
import { decodeText } from '../../../sys/text/encoding.ts';
import type { FileText, HunkRows } from './file-text.ts';
import { indexLines, type LineIndex, wholeCharacters } from './line-index.ts';

/** What is read of files. */
export type Contents = Pick<Facts, 'open' | 'size'>;

/** Of a file with more nothing but its size is said. */
const MOST_BYTES = 512 << 20;
/** More of a line is not read. */
const LONGEST = 8000;
const PIECE = 1 << 20;
const NO_NEWLINE = '\\ No newline at end of file';

const EMPTY: LineIndex = { count: 0, starts: new Float64Array(1), sums: new Float64Array(), isClosed: true };

type Place = Omit<Hunk, 'lines'>;

interface Texts {
  readonly old: LineIndex;
  readonly now: LineIndex;
}

export class LargeText implements FileText {
  readonly kind = 'large';
  readonly sections: FileText['sections'];
  readonly rows: number;
  readonly added: number;
  readonly removed: number;
  readonly #hunks: readonly { readonly place: Place; readonly start: number; readonly runs: readonly Run[] }[];
  readonly #read: LineReader;

  private constructor(sections: FileText['sections'], blocks: readonly Block[], read: LineReader) {
    const { texts } = read;
    this.sections = sections;
    let rows = 0;
    this.#hunks = hunkPlaces(blocks, texts.old.count).map((place) => {
      const [start, runs] = [rows, runsOf(place, texts)];
      for (const { count } of runs) rows += count;
      return { place, start, runs };
    });
    this.rows = rows;
    this.added = blocks.reduce((sum, { bStart, bEnd }) => sum + bEnd - bStart, 0);
    this.removed = blocks.reduce((sum, { aStart, aEnd }) => sum + aEnd - aStart, 0);
    this.#read = read;
  }

  /** Undefined where one side is no text, is larger still, or cannot be read. */
  static async read(
    { oldSide, newSide, displaced }: PathChange,
    facts: Contents,
    sections: FileText['sections'],
  ): Promise<LargeText | undefined> {
    const sides = [displaced === true ? undefined : oldSide, newSide] as const;
    const [old, now] = [await indexOf(sides[0], facts), await indexOf(sides[1], facts)];
    if (old === undefined || now === undefined) return undefined;
    const read = new LineReader(sides, { old, now }, facts);
    const blocks = findBlocks(Array.from(old.sums), Array.from(now.sums));
    const isTrue = read.areSame(commonOf(blocks, { old, now }));
    const all = { aStart: 0, aEnd: old.count, bStart: 0, bEnd: now.count };
    return new LargeText(sections, isTrue ? blocks : [all], read);
  }

  get hunkCount(): number {
    return this.#hunks.length;
  }

  startOf(hunk: number): number | undefined {
    return this.#hunks[hunk]?.start;
  }

  page(from: number, count: number): HunkRows[] {
    return this.#hunks.flatMap(({ place, start, runs }, index) => {
      const total = runs.reduce((sum, run) => sum + run.count, 0);
      const [first, last] = [Math.max(0, from - start), Math.min(total, from + count - start)];
      if (first >= last) return [];
      const { oldStart, oldLines, newStart, newLines } = place;
      const shown = { index, oldStart, oldLines, newStart, newLines, first, total };
      return [{ ...shown, ...this.#read.rows(runs, first, last), ...(first > 0 ? placeAt(place, runs, first) : {}) }];
    });
  }
}

/** Rows of a hunk that are alike: lines of a side from `line` on, or the word that the one before has no newline. */
interface Run {
  readonly mark: ' ' | '-' | '+' | '\\';
  readonly line: number;
  readonly count: number;
}

function runsOf({ blocks, oldStart, oldLines }: Place, { old, now }: Texts): Run[] {
  const runs: Run[] = [];
  const add = (mark: ' ' | '-' | '+', { count, isClosed }: LineIndex, [from, to]: readonly [number, number]): void => {
    if (from >= to) return;
    runs.push({ mark, line: from, count: to - from });
    if (to === count && !isClosed) runs.push({ mark: '\\', line: 0, count: 1 });
  };
  let at = oldLines === 0 ? oldStart : oldStart - 1;
  const end = at + oldLines;
  for (const { aStart, aEnd, bStart, bEnd } of blocks) {
    add(' ', old, [at, aStart]);
    add('-', old, [aStart, aEnd]);
    add('+', now, [bStart, bEnd]);
    at = aEnd;
  }
  add(' ', old, [at, end]);
  return runs;
}

/** Where row `first` of a hunk stands in both texts. */
function placeAt({ oldStart, newStart }: Place, runs: readonly Run[], first: number): Partial<HunkRows> {
  let [oldAt, newAt, changedBefore, left] = [oldStart, newStart, 0, first];
  for (const { mark, count } of runs) {
    const passed = Math.min(left, count);
    if (mark === ' ' || mark === '-') oldAt += passed;
    if (mark === ' ' || mark === '+') newAt += passed;
    if (mark === '-' || mark === '+') changedBefore += passed;
    left -= passed;
  }
  return { oldAt, newAt, changedBefore };
}

/** Bytes that both texts should have: where they begin, and where they end. */
interface Common {
  readonly old: readonly [from: number, to: number];
  readonly now: readonly [from: number, to: number];
}

function* commonOf(blocks: readonly Block[], { old, now }: Texts): Generator<Common, void> {
  let [a, b] = [0, 0];
  for (const { aStart, aEnd, bStart, bEnd } of [
    ...blocks,
    { aStart: old.count, aEnd: 0, bStart: now.count, bEnd: 0 },
  ]) {
    yield { old: [old.starts[a] ?? 0, old.starts[aStart] ?? 0], now: [now.starts[b] ?? 0, now.starts[bStart] ?? 0] };
    [a, b] = [aEnd, bEnd];
  }
}

/** Reads what is looked at from the files themselves, each time. */
class LineReader {
  readonly #sides: readonly [Side | undefined, Side | undefined];
  readonly texts: Texts;
  readonly #facts: Contents;

  constructor(sides: readonly [Side | undefined, Side | undefined], texts: Texts, facts: Contents) {
    this.#sides = sides;
    this.texts = texts;
    this.#facts = facts;
  }

  /** Rows of a hunk, each with its mark; and how many bytes of which of them are not there. */
  rows(runs: readonly Run[], first: number, last: number): Pick<HunkRows, 'lines' | 'cut'> {
    const lines: string[] = [];
    const cut: [number, number][] = [];
    this.#with((oldFd, newFd) => {
      let row = 0;
      for (const { mark, line, count } of runs) {
        const [from, to] = [Math.max(row, first), Math.min(row + count, last)];
        for (let at = from; at < to; at++) {
          if (mark === '\\') lines.push(NO_NEWLINE);
          else {
            const index = mark === '+' ? this.texts.now : this.texts.old;
            const { text, missing } = lineAt(mark === '+' ? newFd : oldFd, index, line + at - row);
            if (missing > 0) cut.push([lines.length, missing]);
            lines.push(mark + text);
          }
        }
        row += count;
      }
    });
    return cut.length === 0 ? { lines } : { lines, cut };
  }

  /** Whether it is as the sums of the lines say: somebody may have chosen lines with equal ones. */
  areSame(common: Iterable<Common>): boolean {
    const [one, other] = [Buffer.allocUnsafeSlow(PIECE), Buffer.allocUnsafeSlow(PIECE)];
    let areSame = true;
    this.#with((oldFd, newFd) => {
      for (const {
        old: [from, to],
        now: [start, end],
      } of common) {
        const length = to - from;
        areSame &&= length === end - start;
        for (let at = 0; at < length && areSame; at += PIECE) {
          const size = Math.min(PIECE, length - at);
          const got = [pread(oldFd, one, size, from + at), pread(newFd, other, size, start + at)];
          areSame = got[0] === size && got[1] === size && one.compare(other, 0, size, 0, size) === 0;
        }
      }
    });
    return areSame;
  }

  #with(work: (oldFd: number, newFd: number) => void): void {
    const [oldFd = -1, newFd = -1] = this.#sides.map((side) =>
      side === undefined ? -1 : this.#facts.open(side.backing),
    );
    try {
      work(oldFd, newFd);
    } finally {
      for (const fd of [oldFd, newFd]) if (fd >= 0) close(fd);
    }
  }
}

function lineAt(fd: number, { starts }: LineIndex, line: number): { readonly text: string; readonly missing: number } {
  const start = starts[line] ?? 0;
  const length = (starts[line + 1] ?? start) - start;
  const bytes = Buffer.allocUnsafe(Math.min(length, LONGEST));
  const got = fd < 0 ? 0 : Math.max(0, pread(fd, bytes, bytes.length, start));
  if (length > got) {
    const shown = wholeCharacters(bytes, got);
    return { text: decodeText(bytes.subarray(0, shown)), missing: length - shown };
  }
  const text = decodeText(bytes.subarray(0, got));
  return { text: text.endsWith('\n') ? text.slice(0, -1) : text, missing: 0 };
}

async function indexOf(side: Side | undefined, facts: Contents): Promise<LineIndex | undefined> {
  if (side === undefined) return EMPTY;
  const size = facts.size(side.backing);
  if (typeOf(side.backing) !== S_IFREG || size === undefined || size > MOST_BYTES) return undefined;
  const fd = facts.open(side.backing);
  if (fd < 0) return undefined;
  try {
    return await indexLines(fd, size);
  } finally {
    close(fd);
  }
}

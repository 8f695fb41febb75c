/**
 * The entries of a tree that is kept for as long as the session lives: 100,000 of them are 8 MB in columns, and 40 as objects.
 *
 *     paths   guide/a.mdguide/b.md…       ends  10 20 …      sorted by their bytes, so that one is found by halving
 *     revisions likewise; sizes, times, kinds and acls by number
 *
 * The file of it is JSON with an entry a line, so that it can be read line by line.
 */
import type { Entry, Pointer } from '../source.ts';

const KINDS = ['file', 'directory', 'symlink'] as const;
const FORMAT = 2;
const NEWLINE = 10;
const SURROGATE = /[\ud800-\udfff]/;
/** What takes more than one byte. */
const BEYOND_ASCII = /[\u0080-\uffff]/;
/** Of the file, which is written in pieces. */
const LINES = 1000;

export class EntryTable {
  readonly #paths: Texts;
  readonly #revs: Texts;
  /** NaN: nobody knows it. */
  readonly #sizes: Float64Array;
  readonly #times: Float64Array;
  readonly #kinds: Uint8Array;
  readonly #acls: Uint32Array;
  readonly #groups: readonly (readonly string[])[];
  readonly #pointers = new Map<number, Pointer>();
  /** What has been said of a path since; undefined: it is not there. */
  readonly #since = new Map<string, Entry | undefined>();
  #names: ReadonlyMap<string, string> | undefined;
  /** Of all that are no directories `isPlainFile` holds. */
  readonly #arePlain: boolean;

  /** Of entries in any order, each path once. */
  constructor(entries: readonly Entry[] = []) {
    const sorted = inOrder(entries);
    this.#paths = new Texts(sorted.map(({ path }) => path));
    this.#revs = new Texts(sorted.map(({ rev }) => rev));
    this.#sizes = Float64Array.from(sorted, ({ size }) => size ?? Number.NaN);
    this.#times = Float64Array.from(sorted, ({ mtime }) => mtime);
    this.#kinds = Uint8Array.from(sorted, ({ kind }) => KINDS.indexOf(kind));
    const numbers = new Map<string, number>();
    const groups: (readonly string[])[] = [];
    this.#acls = Uint32Array.from(sorted, ({ acl }) => {
      const key = JSON.stringify(acl);
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, groups.length);
      return groups.push(acl) - 1;
    });
    this.#groups = groups;
    for (const [i, { pointer }] of sorted.entries()) if (pointer !== undefined) this.#pointers.set(i, pointer);
    this.#arePlain = sorted.every((entry) => entry.kind === 'directory' || isPlain(entry));
  }

  get(path: string): Entry | undefined {
    if (this.#since.has(path)) return this.#since.get(path);
    const at = this.#paths.find(path);
    return at === undefined ? undefined : this.#entryAt(at, path);
  }

  /** Whether a server knows the content of what is at a path, where something is and no directory. */
  isPlainFile(path: string): boolean {
    if (this.#arePlain && this.#since.size === 0) return true;
    const entry = this.get(path);
    return entry !== undefined && isPlain(entry);
  }

  /** From now on this is at a path; undefined: nothing. */
  set(path: string, entry: Entry | undefined): void {
    this.#since.set(path, entry);
    this.#names = undefined;
  }

  values(): Generator<Entry> {
    return this.#from(0);
  }

  /** Those behind a path in the order of paths, then from the first on. */
  valuesAfter(path: string): Generator<Entry> {
    return this.#from((this.#paths.find(path) ?? -1) + 1);
  }

  *#from(start: number): Generator<Entry> {
    const { length } = this.#paths;
    for (let i = 0; i < length; i++) {
      const at = (start + i) % length;
      const path = this.#paths.at(at);
      if (this.#since.size > 0 && this.#since.has(path)) continue;
      yield this.#entryAt(at, path);
    }
    for (const entry of this.#since.values()) if (entry !== undefined) yield entry;
  }

  /** Every directory with the names of what is in it and is none, joined by `/`. Kept, for each search begins with it. */
  get names(): ReadonlyMap<string, string> {
    this.#names ??= namesOf(this.#since.size === 0 ? this.#kindsByPath() : this.values());
    return this.#names;
  }

  /** Without what else is known of them. */
  *#kindsByPath(): Generator<Pick<Entry, 'path' | 'kind'>> {
    for (let at = 0; at < this.#paths.length; at++) {
      yield { path: this.#paths.at(at), kind: KINDS[this.#kinds[at] ?? 0] ?? 'file' };
    }
  }

  /** How many of them are no directories. */
  get files(): number {
    if (this.#since.size > 0) return this.settled().files;
    return this.#kinds.reduce((sum, kind) => sum + (KINDS[kind] === 'directory' ? 0 : 1), 0);
  }

  /** Of all contents whose size is known. */
  get bytes(): number {
    return this.settled().#sizes.reduce((sum, size) => sum + (size || 0), 0);
  }

  /** The same, with what was set in its place. */
  settled(): EntryTable {
    return this.#since.size === 0 ? this : new EntryTable([...this.values()]);
  }

  /** The pieces of its file. */
  *render(version: string): Generator<string> {
    yield `{"format":${FORMAT},"version":${JSON.stringify(version)},"entries":[`;
    let lines: string[] = [];
    let between = '\n';
    for (const entry of this.values()) {
      lines.push(`${between}${JSON.stringify(entry)}`);
      between = ',\n';
      if (lines.length < LINES) continue;
      yield lines.join('');
      lines = [];
    }
    yield `${lines.join('')}\n]}\n`;
  }

  #entryAt(at: number, path: string): Entry {
    const known = this.#sizes[at] ?? Number.NaN;
    const size = Number.isNaN(known) ? undefined : known;
    const kind = KINDS[this.#kinds[at] ?? 0] ?? 'file';
    const acl = this.#groups[this.#acls[at] ?? 0] ?? [];
    const entry = { path, kind, size, mtime: this.#times[at] ?? 0, rev: this.#revs.at(at), acl };
    const pointer = this.#pointers.get(at);
    return pointer === undefined ? entry : { ...entry, pointer };
  }
}

interface Parsed {
  readonly version: string;
  readonly table: EntryTable;
}

/** What `render` made; undefined for the file of another version of this program, or a damaged one. */
export function parseTable(file: Buffer): Parsed | undefined {
  try {
    return parseLines(linesOf(file));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

function parseLines(lines: Iterator<string, undefined>): Parsed | undefined {
  const { format, version } = JSON.parse(`${lines.next().value ?? ''}]}`) as { format?: number; version: string };
  if (format !== FORMAT) return undefined;
  const entries: Entry[] = [];
  for (let line = lines.next().value; line !== undefined; line = lines.next().value) {
    if (line === ']}') return { version, table: new EntryTable(entries) };
    const entry = JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line) as Entry;
    entries.push({ ...entry, size: entry.size });
  }
  return undefined;
}

function* linesOf(file: Buffer): Generator<string, undefined> {
  for (let from = 0; from < file.length; ) {
    const end = file.indexOf(NEWLINE, from);
    const to = end < 0 ? file.length : end;
    yield file.toString('utf8', from, to);
    from = to + 1;
  }
}

function namesOf(entries: Iterable<Pick<Entry, 'path' | 'kind'>>): Map<string, string> {
  const directories = new Map<string, string[]>();
  const open = (dir: string): string[] => {
    const known = directories.get(dir);
    if (known !== undefined) return known;
    const names: string[] = [];
    directories.set(dir, names);
    if (dir !== '') open(above(dir));
    return names;
  };
  for (const { path, kind } of entries) {
    const dir = above(path);
    if (kind === 'directory') open(path);
    else open(dir).push(path.slice(dir === '' ? 0 : dir.length + 1));
  }
  return new Map([...directories].map(([dir, names]) => [dir, names.join('/')]));
}

/** A file that has a size, and does not lie elsewhere. */
function isPlain({ kind, size, pointer }: Entry): boolean {
  return kind === 'file' && size !== undefined && pointer === undefined;
}

function above(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function inOrder(entries: readonly Entry[]): readonly Entry[] {
  // The order of strings is that of their bytes but for characters of two units.
  const isSorted = entries.every(({ path }, i) => (entries[i - 1]?.path ?? '') <= path && !SURROGATE.test(path));
  if (isSorted) return entries;
  return [...entries].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

/** Many short texts in one buffer. */
class Texts {
  readonly length: number;
  readonly #bytes: Buffer;
  readonly #ends: Uint32Array;
  /** The last one that was found. */
  #found = 0;

  constructor(texts: readonly string[]) {
    this.length = texts.length;
    this.#ends = new Uint32Array(texts.length);
    let end = 0;
    for (const [i, text] of texts.entries()) this.#ends[i] = end += Buffer.byteLength(text);
    this.#bytes = Buffer.allocUnsafeSlow(end);
    for (const [i, text] of texts.entries()) this.#bytes.write(text, this.#start(i));
  }

  at(i: number): string {
    return this.#bytes.toString('utf8', this.#start(i), this.#ends[i]);
  }

  /** Where a text is, if they are sorted. Whoever looks for many does so in their order: each is mostly near the one before. */
  find(text: string): number | undefined {
    const wanted = BEYOND_ASCII.test(text) ? Buffer.from(text).toString('latin1') : text;
    let [low, high, at, step] = [0, this.length, this.#found, 1];
    while (low < high) {
      const order = this.#compare(at, wanted);
      if (order === 0) {
        this.#found = at;
        return at;
      }
      if (order < 0) low = at + 1;
      else high = at;
      const isBeyond = high === this.length && low + step < high;
      at = isBeyond ? low + step - 1 : (low + high) >>> 1;
      step *= 2;
    }
    return undefined;
  }

  /** By bytes, which those of `wanted` are in its characters. Without a call or an object for each: a search looks for thousands. */
  #compare(i: number, wanted: string): number {
    const [start, end] = [this.#start(i), this.#ends[i] ?? 0];
    const shared = Math.min(end - start, wanted.length);
    for (let k = 0; k < shared; k++) {
      const difference = (this.#bytes[start + k] ?? 0) - wanted.charCodeAt(k);
      if (difference !== 0) return difference;
    }
    return end - start - wanted.length;
  }

  #start(i: number): number {
    return i === 0 ? 0 : (this.#ends[i - 1] ?? 0);
  }
}

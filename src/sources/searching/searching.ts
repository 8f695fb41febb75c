/**
 * What a search in the view is told of a source beforehand: which files it need not open. What is here is read here:
 * the server is asked about those files only whose content it would be asked for.
 */
import { setImmediate } from 'node:timers/promises';
import { isAwaited as isAwaitedAt } from '../../staging/awaited/fetched.ts';
import { toBytePath } from '../../sys/bytes.ts';
import { AT_FDCWD } from '../../sys/libc.ts';
import { type Formula, isWide, lineText, meets } from '../formula.ts';
import type { Mirror } from '../mirror/mirror.ts';
import { type ExcerptList, Excerpts, type LinesAsked } from './excerpts.ts';
import { Reading } from './reading.ts';
import type { Unfilled } from './unfilled.ts';

/** Larger files are opened like any other: a search of them is not held up by that. */
export const LARGEST = 2 ** 20;
/** Between two other questions. */
const LOOKED_AT_ONCE = 200;

/** Asks a server which files within a scope may match; undefined: it cannot tell. */
export type AskCandidates = (scope: readonly string[] | undefined) => Promise<ReadonlySet<string> | undefined>;

/** What a search asks for. */
export interface Asked {
  readonly formula: Formula;
  /** Paths; `` is all of the source. */
  readonly scopes: readonly string[];
  /** The search can do with the lines that may match, where these are at hand. */
  readonly lines?: LinesAsked;
  /** Those of all files that may match: contents that the server would say along with these are none too many. */
  readonly ofAll?: boolean | undefined;
}

/** An answer, and the bytes of contents that came for it and are to be filled in. */
export interface WithUnfilled<T> {
  readonly answer: T;
  readonly unfilled: number;
}

/** One directory as a search needs it: the names of files in it, and of those that may match; each list joined by `/`. */
export interface Narrowed {
  readonly dir: string;
  readonly names: string;
  readonly kept: string;
  /** Of those that may match, in their order. */
  readonly excerpts?: ExcerptList;
}

/**
 * The directories at and below `scopes` (`` is all of the source), and those of files among these. What is here is looked at, of the
 * rest the server is asked; other files in the directory of one that is asked about may match.
 */
export async function narrowed(
  { mirror, unfilled }: Kept,
  { formula, scopes, lines }: Asked,
  ask: AskCandidates,
): Promise<Narrowed[]> {
  const { present } = mirror;
  const isAll = scopes.includes('');
  const directories = directoriesIn(mirror, scopes);
  const isAbout = (path: string): boolean => mirror.entries.isPlainFile(path) && (isAll || isIn(scopes, path));
  const isWhole = (dir: string): boolean => isAll || isIn(scopes, dir);
  const asked = (): ReturnType<AskCandidates> => {
    if (isAll) return ask(undefined);
    return ask([...directories].flatMap(([dir, names]) => pathsIn(dir, names)).filter(isAbout));
  };
  // Where nobody has looked yet most contents are not here: the server finds out while the files are looked at.
  const early = present.isAnyUnseen(directories.keys()) ? asked() : undefined;
  early?.catch(() => undefined);
  for (const [dir, names] of directories) {
    if (present.lookIn(dir, () => pathsIn(dir, names))) await setImmediate();
  }
  const job = { mirror, unfilled, formula, lines, isAbout, isWhole, directories };
  const here = await judged(job, undefined);
  if (here !== undefined) return here;
  return (await judged(job, (await (early ?? asked())) ?? 'all')) ?? [];
}

/** What is known of a source: its mirror, and contents that are in no file of it yet. */
interface Kept {
  readonly mirror: Mirror;
  readonly unfilled: Unfilled;
}

interface Job extends Kept {
  readonly formula: Formula;
  readonly lines: LinesAsked | undefined;
  readonly isAbout: (path: string) => boolean;
  /** Whether it is about all that is in a directory. */
  readonly isWhole: (dir: string) => boolean;
  readonly directories: ReadonlyMap<string, string>;
}

/** What the server says of those that are not here; undefined: it was not asked yet. */
type Candidates = ReadonlySet<string> | 'all' | undefined;

/**
 * Which files may match; undefined: the server has to be asked. After it was, what is here is looked at again: what has come meanwhile is
 * what the server had before, or after.
 */
async function judged(job: Job, candidates: Candidates): Promise<Narrowed[] | undefined> {
  const text = lineText(job.formula);
  const excerpts = job.lines === undefined || text === undefined ? undefined : new Excerpts(text, job.lines);
  const found: Narrowed[] = [];
  let looks = 0;
  for (const [dir, names] of job.directories) {
    looks += countOf(names);
    if (looks > LOOKED_AT_ONCE) {
      await setImmediate();
      looks = 0;
    }
    const look = new Look(job, dir, candidates);
    const matching = job.isWhole(dir) ? look.matchingOf(names) : undefined;
    if (matching === undefined) {
      const kept = await judgedOneByOne(job, { look, dir, names, excerpts });
      if (kept === undefined) return undefined;
      found.push({ dir, names, kept, ...excerpts?.take() });
    } else {
      for (const content of matching.values()) excerpts?.add(content);
      found.push({ dir, names, kept: [...matching.keys()].join('/'), ...excerpts?.take() });
    }
  }
  return found;
}

interface DirectoryLook {
  readonly look: Look;
  readonly dir: string;
  readonly names: string;
  readonly excerpts: Excerpts | undefined;
}

/** The names of those that may match; undefined: the server has to be asked. */
async function judgedOneByOne(job: Job, { look, dir, names, excerpts }: DirectoryLook): Promise<string | undefined> {
  const kept: string[] = [];
  let looks = 0;
  for (const path of pathsIn(dir, names)) {
    const content = job.isAbout(path) ? look.contentOf(path) : undefined;
    const may = content !== undefined ? look.mayMatch(path, content) : look.mayMatchUnseen(path);
    if (may === undefined) {
      look.reading.keep();
      return undefined;
    }
    if (may) {
      kept.push(nameOf(path));
      excerpts?.add(content);
    }
    looks += 1;
    if (looks % LOOKED_AT_ONCE > 0) continue;
    look.reading.keep();
    await setImmediate();
  }
  look.reading.keep();
  return kept.join('/');
}

/** At the files of one directory. */
class Look {
  readonly reading: Reading;
  readonly #job: Job;
  readonly #candidates: Candidates;
  /** Of what was read before the names that may match. */
  readonly #matching: ReadonlySet<string> | undefined;

  constructor(job: Job, dir: string, candidates: Candidates) {
    this.reading = new Reading(job.mirror.present, dir);
    this.#job = job;
    this.#candidates = candidates;
    this.#matching = this.reading.recent?.mayMatch(job.formula);
  }

  /** Of a directory all of whose files were read before, and that has these: those that may match. */
  matchingOf(names: string): ReadonlyMap<string, Buffer> | undefined {
    const { recent } = this.reading;
    if (recent === undefined || this.#matching === undefined || recent.contents.size !== countOf(names))
      return undefined;
    const found = new Map<string, Buffer>();
    for (const name of this.#matching) found.set(name, recent.contents.get(name) as Buffer);
    return found;
  }

  contentOf(path: string): Buffer | undefined {
    const { mirror, unfilled } = this.#job;
    const name = nameOf(path);
    if (this.reading.isRecent(name) || mirror.present.isMaybe(path)) return this.reading.contentOf(name, LARGEST);
    const content = unfilled.at(path, mirror.entries)?.content;
    return content && Buffer.from(content.buffer, content.byteOffset, content.length);
  }

  mayMatch(path: string, content: Buffer): boolean {
    const name = nameOf(path);
    if (this.#matching !== undefined && this.reading.isRecent(name)) return this.#matching.has(name);
    return isWide(content) || meets(content, this.#job.formula);
  }

  /** Of one whose content is not at hand; undefined: the server has to be asked. */
  mayMatchUnseen(path: string): boolean | undefined {
    if (!this.#job.isAbout(path) || !this.#job.mirror.present.isAwaited(path)) return true;
    return this.#candidates === 'all' || this.#candidates?.has(path);
  }
}

/** With the names of what is in each, but for directories. */
function directoriesIn({ entries }: Mirror, scopes: readonly string[]): ReadonlyMap<string, string> {
  if (scopes.includes('')) return entries.names;
  const besides = new Set(scopes.filter((path) => (entries.get(path)?.kind ?? 'directory') !== 'directory').map(dirOf));
  return new Map([...entries.names].filter(([dir]) => isIn(scopes, dir) || besides.has(dir)));
}

/** Of names that are joined by `/`. */
export function pathsIn(dir: string, names: string): string[] {
  return names === '' ? [] : names.split('/').map((name) => (dir === '' ? name : `${dir}/${name}`));
}

export function dirOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function countOf(names: string): number {
  return names === '' ? 0 : names.split('/').length;
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function isIn(scopes: readonly string[], path: string): boolean {
  return scopes.some((scope) => path === scope || path.startsWith(`${scope}/`));
}

/** Whether the content of a file of the mirror is not here yet. */
export function isAwaited({ root }: Mirror, path: string): boolean {
  return isAwaitedAt(AT_FDCWD, toBytePath(`${root}/${path}`));
}

/**
 * What a search in the view is told of a source beforehand: which files it need not open, and contents in bulk. What is here is read here:
 * the server is asked about those files only whose content it would be asked for.
 */
import { setImmediate } from 'node:timers/promises';
import { isAwaited as isAwaitedAt } from '../../staging/awaited/fetched.ts';
import { toBytePath } from '../../sys/bytes.ts';
import { AT_FDCWD } from '../../sys/libc.ts';
import type { Fetched } from '../answers.ts';
import { type Formula, isWide, lineText, meets } from '../formula.ts';
import type { Mirror } from '../mirror/mirror.ts';
import type { Entry } from '../source.ts';
import { type ExcerptList, Excerpts, type LinesAsked } from './excerpts.ts';
import { Reading } from './reading.ts';

/** Larger files are opened like any other: a search of them is not held up by that. */
const LARGEST = 2 ** 20;
/** Between two other questions. */
const LOOKED_AT_ONCE = 200;
/** Of one answer. */
const MOST_BYTES = 8 * 2 ** 20;

/** Asks a server which files within a scope may match; undefined: it cannot tell. */
export type AskCandidates = (scope: readonly string[] | undefined) => Promise<ReadonlySet<string> | undefined>;

/** What a search asks for. */
export interface Asked {
  readonly formula: Formula;
  /** Paths; `` is all of the source. */
  readonly scopes: readonly string[];
  /** The search can do with the lines that may match, where these are at hand. */
  readonly lines?: LinesAsked;
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
  mirror: Mirror,
  { formula, scopes, lines }: Asked,
  ask: AskCandidates,
): Promise<Narrowed[]> {
  const { present } = mirror;
  const isAll = scopes.includes('');
  const directories = directoriesIn(mirror, scopes);
  const isAbout = (entry: Entry): boolean => isJudged(entry) && (isAll || isIn(scopes, entry.path));
  for (const [dir, entries] of directories) {
    const paths = entries.map(({ path }) => path);
    if (present.lookIn(dir, paths)) await setImmediate();
  }
  const job = { mirror, formula, lines, isAbout, directories };
  const here = await judged(job, undefined);
  if (here !== undefined) return here;
  const files = [...directories.values()].flat().filter(isAbout);
  const candidates = await ask(isAll ? undefined : files.map(({ path }) => path));
  return (await judged(job, candidates ?? 'all')) ?? [];
}

interface Job {
  readonly mirror: Mirror;
  readonly formula: Formula;
  readonly lines: LinesAsked | undefined;
  readonly isAbout: (entry: Entry) => boolean;
  readonly directories: ReadonlyMap<string, readonly Entry[]>;
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
  let looks = 0;
  const found: Narrowed[] = [];
  for (const [dir, entries] of job.directories) {
    const kept: Entry[] = [];
    const look = new Look(job, dir, candidates);
    for (const entry of entries) {
      const content = job.isAbout(entry) ? look.contentOf(entry) : undefined;
      const may = content !== undefined ? look.mayMatch(entry, content) : look.mayMatchUnseen(entry);
      if (may === undefined) {
        look.reading.keep();
        return undefined;
      }
      if (may) {
        kept.push(entry);
        excerpts?.add(content);
      }
      looks += 1;
      if (looks % LOOKED_AT_ONCE > 0) continue;
      look.reading.keep();
      await setImmediate();
    }
    look.reading.keep();
    found.push({ dir, names: namesOf(entries), kept: namesOf(kept), ...excerpts?.take() });
  }
  return found;
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

  contentOf({ path }: Entry): Buffer | undefined {
    const name = nameOf(path);
    if (!this.reading.isRecent(name) && !this.#job.mirror.present.isMaybe(path)) return undefined;
    return this.reading.contentOf(name, LARGEST);
  }

  mayMatch({ path }: Entry, content: Buffer): boolean {
    const name = nameOf(path);
    if (this.#matching !== undefined && this.reading.isRecent(name)) return this.#matching.has(name);
    return isWide(content) || meets(content, this.#job.formula);
  }

  /** Of one whose content is not at hand; undefined: the server has to be asked. */
  mayMatchUnseen(entry: Entry): boolean | undefined {
    if (!this.#job.isAbout(entry) || !this.#job.mirror.present.isAwaited(entry.path)) return true;
    return this.#candidates === 'all' || this.#candidates?.has(entry.path);
  }
}

/** What is in each, but for directories. */
function directoriesIn({ entries }: Mirror, scopes: readonly string[]): Map<string, Entry[]> {
  const isAll = scopes.includes('');
  const besides = new Set(scopes.filter((path) => (entries.get(path)?.kind ?? 'directory') !== 'directory').map(dirOf));
  const found = new Map<string, Entry[]>();
  const open = (dir: string): Entry[] => {
    const known = found.get(dir);
    if (known !== undefined) return known;
    const fresh: Entry[] = [];
    found.set(dir, fresh);
    if (dir !== '' && (isAll || isIn(scopes, dirOf(dir)))) open(dirOf(dir));
    return fresh;
  };
  for (const entry of entries.values()) {
    const { path, kind } = entry;
    if (!isAll && !isIn(scopes, path) && !besides.has(dirOf(path))) continue;
    if (kind === 'directory') open(path);
    else open(dirOf(path)).push(entry);
  }
  return found;
}

function dirOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function namesOf(entries: readonly Entry[]): string {
  return entries.map(({ path }) => nameOf(path)).join('/');
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Of an entry without a size the server does not know the content, and neither of one that lies elsewhere. */
function isJudged({ kind, size, pointer }: Entry): boolean {
  return kind === 'file' && size !== undefined && pointer === undefined;
}

function isIn(scopes: readonly string[], path: string): boolean {
  return scopes.some((scope) => path === scope || path.startsWith(`${scope}/`));
}

/** Whether the content of a file of the mirror is not here yet. */
export function isAwaited({ root }: Mirror, path: string): boolean {
  return isAwaitedAt(AT_FDCWD, toBytePath(`${root}/${path}`));
}

/** A content, and whether it came from the server just now. */
export interface Brought {
  readonly path: string;
  readonly content: Uint8Array;
  readonly isNew: boolean;
}

/** The contents of files, as many as are no trouble: nothing is said of the others. `fetch` asks the server. */
export async function bring(
  mirror: Mirror,
  paths: readonly string[],
  fetch: (paths: readonly string[]) => Promise<readonly Fetched[]>,
): Promise<Brought[]> {
  const brought: Brought[] = [];
  const wanted: string[] = [];
  let left = MOST_BYTES;
  const readings = new Map<string, Reading>();
  for (const path of new Set(paths)) {
    const entry = mirror.entries.get(path);
    const most = Math.min(left, LARGEST);
    if (entry?.kind !== 'file' || (entry.size ?? 0) > most) continue;
    const dir = dirOf(path);
    const reading = readings.get(dir) ?? new Reading(mirror.present, dir);
    readings.set(dir, reading);
    const content = reading.contentOf(nameOf(path), most);
    if (content === undefined) wanted.push(path);
    else brought.push({ path, content, isNew: false });
    left -= content?.length ?? entry.size ?? 0;
  }
  for (const reading of readings.values()) reading.keep();
  const fetched = wanted.length === 0 ? [] : await fetch(wanted);
  for (const one of fetched) if ('content' in one) brought.push({ path: one.path, content: one.content, isNew: true });
  return brought;
}

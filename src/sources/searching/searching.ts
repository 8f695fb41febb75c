/**
 * What a search in the view is told of a source beforehand: which files it need not open, and contents in bulk. What is here is read here:
 * the server is asked about those files only whose content it would be asked for.
 */
import { setImmediate } from 'node:timers/promises';
import { isAwaited as isAwaitedAt } from '../staging/awaited/fetched.ts';
import { toBytePath } from '../sys/bytes.ts';
import { AT_FDCWD } from '../sys/libc.ts';
import type { Fetched } from './answers.ts';
import { type Formula, meets } from './formula.ts';
import type { Mirror } from './mirror/mirror.ts';
import type { Entry } from './source.ts';

/** Larger files are opened like any other: a search of them is not held up by that. */
const LARGEST = 2 ** 20;
/** Between two other questions. */
const LOOKED_AT_ONCE = 200;
/** Of one answer. */
const MOST_BYTES = 8 * 2 ** 20;

/** Asks a server which files within a scope may match; undefined: it cannot tell. */
export type AskCandidates = (scope: readonly string[] | undefined) => Promise<ReadonlySet<string> | undefined>;

/** One directory as a search needs it: the names of files in it, and of those that may match; each list joined by `/`. */
export interface Narrowed {
  readonly dir: string;
  readonly names: string;
  readonly kept: string;
}

/**
 * The directories at and below `scopes` (`` is all of the source), and those of files among these. What is here is looked at, of the
 * rest the server is asked; other files in the directory of one that is asked about may match.
 */
export async function narrowed(
  mirror: Mirror,
  { formula, scopes }: { readonly formula: Formula; readonly scopes: readonly string[] },
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
  const job = { mirror, formula, isAbout, directories };
  const here = await judged(job, undefined);
  if (here !== undefined) return here;
  const files = [...directories.values()].flat().filter(isAbout);
  const candidates = await ask(isAll ? undefined : files.map(({ path }) => path));
  return (await judged(job, candidates ?? 'all')) ?? [];
}

interface Job {
  readonly mirror: Mirror;
  readonly formula: Formula;
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
  let looks = 0;
  const found: Narrowed[] = [];
  for (const [dir, entries] of job.directories) {
    const kept: Entry[] = [];
    const isAsLooked = job.mirror.present.isAsLooked(dir);
    for (const entry of entries) {
      const may = !job.isAbout(entry) || mayMatch(entry.path, { ...job, candidates, isAsLooked });
      if (may === undefined) return undefined;
      if (may) kept.push(entry);
      if (++looks % LOOKED_AT_ONCE === 0) await setImmediate();
    }
    found.push({ dir, names: namesOf(entries), kept: namesOf(kept) });
  }
  return found;
}

interface Judging extends Job {
  readonly candidates: Candidates;
  /** Of the directory. */
  readonly isAsLooked: boolean;
}

function mayMatch(
  path: string,
  { mirror: { present }, formula, candidates, isAsLooked }: Judging,
): boolean | undefined {
  const content = present.isMaybe(path) ? present.contentOf(path, { most: LARGEST, isAsLooked }) : undefined;
  if (content !== undefined) return isWide(content) || meets(content, formula);
  if (!present.isAwaited(path)) return true;
  return candidates === 'all' || candidates?.has(path);
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
  return entries.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)).join('/');
}

/** Whether it begins with the mark by which ripgrep takes it for UTF-16. */
function isWide(content: Buffer): boolean {
  const [first, second] = content;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
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
  const looked = new Map<string, boolean>();
  const isAsLooked = (dir: string): boolean => {
    const known = looked.get(dir) ?? mirror.present.isAsLooked(dir);
    looked.set(dir, known);
    return known;
  };
  for (const path of new Set(paths)) {
    const entry = mirror.entries.get(path);
    if (entry?.kind !== 'file' || (entry.size ?? 0) > Math.min(left, LARGEST)) continue;
    const most = Math.min(left, LARGEST);
    const content = mirror.present.contentOf(path, { most, isAsLooked: isAsLooked(dirOf(path)) });
    if (content === undefined) wanted.push(path);
    else brought.push({ path, content, isNew: false });
    left -= content?.length ?? entry.size ?? 0;
  }
  const fetched = wanted.length === 0 ? [] : await fetch(wanted);
  for (const one of fetched) if ('content' in one) brought.push({ path: one.path, content: one.content, isNew: true });
  return brought;
}

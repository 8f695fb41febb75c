/**
 * What a search in the view is told of a source beforehand: which files it need not open, and contents in bulk. What is here is read here:
 * the server is asked about those files only whose content it would be asked for.
 */
import { setImmediate } from 'node:timers/promises';
import { isAwaitedMode } from '../staging/awaited/fetched.ts';
import { readIfMode } from '../sys/files/hollow.ts';
import { lookAt } from '../sys/files/text-files.ts';
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

/**
 * The files at and below `scopes` (`` is all of the source) that cannot match: what is here is looked at, of the rest the server is
 * asked.
 */
export async function ruledOut(
  mirror: Mirror,
  { formula, scopes }: { readonly formula: Formula; readonly scopes: readonly string[] },
  ask: AskCandidates,
): Promise<string[]> {
  const isAll = scopes.includes('');
  const files = [...mirror.entries.values()].filter((entry) => isJudged(entry) && (isAll || isIn(scopes, entry.path)));
  const isAsked = files.some(({ path }) => isAwaited(mirror, path));
  const candidates = isAsked ? await ask(isAll ? undefined : files.map(({ path }) => path)) : undefined;
  const out: string[] = [];
  for (const [i, { path }] of files.entries()) {
    // Afterwards: one that has come meanwhile is what the server had before it was asked, or after.
    if (isAwaited(mirror, path) ? candidates?.has(path) === false : isUnmet(mirror, path, formula)) out.push(path);
    if (i % LOOKED_AT_ONCE === LOOKED_AT_ONCE - 1) await setImmediate();
  }
  return out;
}

function isUnmet(mirror: Mirror, path: string, formula: Formula): boolean {
  const content = contentHere(mirror, path, LARGEST);
  return content !== undefined && !meets(content, formula);
}

/** The content of a file if it is here, and no longer than that. */
export function contentHere({ root }: Mirror, path: string, most: number): Buffer | undefined {
  return readIfMode(`${root}/${path}`, { most, isMeant: (mode) => !isAwaitedMode(mode) });
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
  const stats = lookAt(`${root}/${path}`);
  return stats !== undefined && isAwaitedMode(stats.mode);
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
  for (const path of new Set(paths)) {
    const entry = mirror.entries.get(path);
    if (entry?.kind !== 'file' || (entry.size ?? 0) > Math.min(left, LARGEST)) continue;
    const content = contentHere(mirror, path, Math.min(left, LARGEST));
    if (content === undefined) wanted.push(path);
    else brought.push({ path, content, isNew: false });
    left -= content?.length ?? entry.size ?? 0;
  }
  const fetched = wanted.length === 0 ? [] : await fetch(wanted);
  for (const one of fetched) if ('content' in one) brought.push({ path: one.path, content: one.content, isNew: true });
  return brought;
}

/** Contents in bulk for a search, and the lines of them that may match. What is here is read here, the rest is asked for. */
import type { Fetched } from '../answers.ts';
import { type Formula, lineText } from '../formula.ts';
import type { Mirror } from '../mirror/mirror.ts';
import { type ExcerptList, Excerpts, type LinesAsked } from './excerpts.ts';
import { Reading } from './reading.ts';
import { dirOf, LARGEST, nameOf, pathsIn } from './searching.ts';
import type { Unfilled } from './unfilled.ts';

/** Of one answer. */
const MOST_BYTES = 8 * 2 ** 20;

export interface Brought {
  readonly path: string;
  readonly content: Uint8Array;
}

/** Where contents come from, and where those wait that are in no file yet. */
export interface Supply {
  readonly mirror: Mirror;
  readonly unfilled: Unfilled;
  /** Asks the server. */
  readonly fetch: (paths: readonly string[]) => Promise<readonly Fetched[]>;
}

/** The contents of files, as many as are no trouble: nothing is said of the others. */
export async function bring({ mirror, unfilled, fetch }: Supply, paths: readonly string[]): Promise<Brought[]> {
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
    const content = reading.isAwaited(nameOf(path)) ? undefined : reading.contentOf(nameOf(path), most);
    if (content === undefined) wanted.push(path);
    else brought.push({ path, content });
    left -= content?.length ?? entry.size ?? 0;
  }
  for (const reading of readings.values()) reading.keep();
  const fetched = wanted.length === 0 ? [] : await fetch(wanted);
  const fresh = fetched.filter((one) => 'content' in one);
  for (const one of fresh) unfilled.add(one);
  return [...brought, ...fresh];
}

/** Files of a directory: their names, joined by `/`. */
export interface FilesIn {
  readonly dir: string;
  readonly names: string;
}

/** Files that may match, and how their lines are told. */
export interface LinesWanted {
  readonly files: readonly FilesIn[];
  readonly formula: Formula;
  readonly lines: LinesAsked;
}

/** In the order of the files; undefined: of none, those of some may be left out. */
export async function linesIn(
  supply: Supply,
  { files, formula, lines }: LinesWanted,
): Promise<ExcerptList | undefined> {
  const text = lineText(formula);
  if (text === undefined) return undefined;
  const paths = files.flatMap(({ dir, names }) => pathsIn(dir, names));
  const brought = new Map((await bring(supply, paths)).map(({ path, content }) => [path, content]));
  const excerpts = new Excerpts(text, lines);
  for (const path of paths) {
    const content = brought.get(path);
    excerpts.add(content && Buffer.from(content.buffer, content.byteOffset, content.length));
  }
  return excerpts.take().excerpts;
}

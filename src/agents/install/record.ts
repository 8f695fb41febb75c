/**
 * What `install` has added to which file, so that `uninstall` can give back every byte. Not the text that was there: there
 * may be keys in it. Where the file has changed since, this is no use, and what is ours is found in the text instead.
 */
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { lookAt, makeDirectory, readText, replaceText } from '../../sys/files/text-files.ts';
import type { Places } from './description.ts';

const ENTRY = v.object({
  /** Of the file as it was left. */
  sha256: v.string(),
  added: v.array(v.tuple([v.number(), v.number()])),
  /** What was taken out of it, for an agent that ignores a file with comments. */
  cut: v.optional(v.array(v.object({ at: v.number(), text: v.string() })), []),
  /** There was no such file. */
  created: v.boolean(),
  /** Made for it, the outermost first. */
  directories: v.array(v.string()),
});
const RECORDS = v.record(v.string(), ENTRY);

export type Entry = v.InferOutput<typeof ENTRY>;

/** Keyed by real paths. */
export type Records = Readonly<Record<string, Entry>>;

/** What was recorded; nothing when it cannot be understood. */
export function loadRecords(places: Places): Records {
  const parsed = v.safeParse(RECORDS, jsonOf(readText(fileOf(places)) ?? ''));
  return parsed.success ? parsed.output : {};
}

/** Records changes: an entry, or that there is none any more. */
export function saveRecords(places: Places, changes: ReadonlyMap<string, Entry | undefined>): void {
  const records: Record<string, Entry> = { ...loadRecords(places) };
  for (const [path, entry] of changes) {
    if (entry === undefined) delete records[path];
    else records[path] = entry;
  }
  const file = fileOf(places);
  makeDirectories(dirname(file));
  replaceText(file, `${JSON.stringify(records, undefined, 2)}\n`);
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Makes a directory and all above it that are missing; only this user can look into them. */
function makeDirectories(path: string): void {
  if (lookAt(path) !== undefined) return;
  makeDirectories(dirname(path));
  makeDirectory(path, 0o700);
}

function fileOf({ home, environment }: Places): string {
  const state = environment.XDG_STATE_HOME;
  return `${state?.startsWith('/') ? state : `${home}/.local/state`}/yolofs/installed.json`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

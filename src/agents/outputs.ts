/**
 * The head of what a command has printed, for the person's timeline: as the agent's client has told it to the hook after the call. What a
 * program of `run` prints goes to its caller untouched, so nothing is known of that. In `outputs/` of the session's entry in
 * the registry, out of the view's reach, a file a snapshot.
 */
import { join } from 'node:path';
import type { Layout } from '../history/layout.ts';
import { sessionIn } from '../history/registry/find.ts';
import { SystemError } from '../sys/errno.ts';
import { makeDirectory, namesIn, readText, removeTree, replaceText } from '../sys/files/text-files.ts';

const OURS = /^\d{1,15}\.txt$/;
/** UTF-16 code units. */
const LONGEST = 2000;
const MOST_LINES = 20;
/** The latest snapshots are those that are looked at. */
const MOST = 300;

/** Of the command after which the snapshot `generation` was taken. It was carried out: that this cannot be kept is no failure. */
export function noteOutput(project: string, generation: number, text: string): void {
  const head = headOf(text);
  const outputs = sessionIn(project)?.outputs;
  if (head === '' || outputs === undefined) return;
  try {
    makeDirectory(outputs, 0o700);
    replaceText(join(outputs, `${generation}.txt`), head, 0o600);
    for (const number of numbersIn(outputs).slice(0, -MOST)) removeTree(join(outputs, `${number}.txt`));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
}

/** Those that are kept, by their snapshots. It is an agent's word, and shown as that. */
export function outputsOf({ outputs }: Pick<Layout, 'outputs'>): ReadonlyMap<number, string> {
  return new Map(
    numbersIn(outputs).flatMap((number): [number, string][] => {
      const text = readText(join(outputs, `${number}.txt`));
      return text === undefined ? [] : [[number, text]];
    }),
  );
}

function numbersIn(outputs: string): number[] {
  return namesIn(outputs)
    .filter((name) => OURS.test(name))
    .map((name) => Number.parseInt(name, 10))
    .sort((one, other) => one - other);
}

function headOf(text: string): string {
  const [short, isCut] = [text.slice(0, LONGEST).trim(), text.length > LONGEST];
  const lines = short.split('\n');
  const isMore = isCut || lines.length > MOST_LINES;
  return lines.slice(0, MOST_LINES).join('\n') + (isMore ? '\n…' : '');
}

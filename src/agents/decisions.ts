/**
 * What a person has decided about an agent's work, for the agent to hear of with its next call: else it goes on as if all of it
 * were there. Files of `calls/` in the session's entry of the registry, out of the view's reach; each is told once.
 */
import { join } from 'node:path';
import type { Layout } from '../history/layout.ts';
import { sessionIn } from '../history/registry/find.ts';
import { uniqueName } from '../sys/crypto-lazy.ts';
import { SystemError } from '../sys/errno.ts';
import { lookAt, makeDirectory, namesIn, readText, removeTree, replaceText } from '../sys/files/text-files.ts';
import { shorten } from './summary-lines.ts';

const OURS = /^decided-\d{16}-[\w-]+\.txt$/;
/** The latest are kept: a person notes something on many lines before the agent's next call. */
const MOST = 20;
const LONGEST = 500;

type Places = Pick<Layout, 'calls' | 'agents'>;

/**
 * `text`: a sentence without its end, names in it quoted. Nothing is noted where no agent has ever had a hook. What was decided is done:
 * that it cannot be noted is said, and no failure.
 */
export function noteDecision(places: Places, text: string): void {
  try {
    note(places, text);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    process.stderr.write(`yolofs: the agent is not told of this: ${error.message}\n`);
  }
}

function note({ calls, agents }: Places, text: string): void {
  if (lookAt(calls) === undefined && lookAt(agents) === undefined) return;
  makeDirectory(calls, 0o700);
  const time = String(Date.now()).padStart(16, '0');
  replaceText(join(calls, `decided-${time}-${uniqueName()}.txt`), shorten(text, LONGEST), 0o600);
  for (const name of notesIn(calls).slice(0, -MOST)) removeTree(join(calls, name));
}

/** As `takeDecisions`, of the session of a project. */
export function takeDecisionsIn(project: string): string[] {
  const session = sessionIn(project);
  return session === undefined ? [] : takeDecisions(session);
}

/** In the order in which they were made; they are forgotten. */
export function takeDecisions({ calls }: Pick<Places, 'calls'>): string[] {
  return notesIn(calls).flatMap((name) => {
    const file = join(calls, name);
    const text = readText(file);
    removeTree(file);
    return text === undefined ? [] : [`yolofs: ${text}`];
  });
}

function notesIn(calls: string): string[] {
  return namesIn(calls)
    .filter((name) => OURS.test(name))
    .sort();
}

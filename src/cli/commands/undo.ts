/** `yolofs undo`: takes the last commit or abort of a person's back; what it had applied, or given up, is staged again. */

import type { Command } from 'commander';
import { amount } from '../../agents/amount.ts';
import { noteDecision } from '../../agents/decisions.ts';
import type { Replies, Request } from '../../daemon/protocol.ts';
import type { Layout } from '../../history/layout.ts';
import { standingTurns } from '../../history/timeline/turns.ts';
import { withDaemon } from '../connection.ts';
import { toPaths } from '../look/path-words.ts';
import { readSession, timelineOf } from '../look/read-session.ts';
import { UNDO } from '../schemas/listings.ts';
import { jsonOption } from '../schemas/schema.ts';
import { sessionOf } from '../session.ts';
import { type Progress, progressOn } from '../text/progress.ts';
import { hasStateCommits, stateCommitsOnTop } from '../wrap/state-commits.ts';
import { collect, tellApplied } from './commit.ts';

export function define(command: Command): void {
  jsonOption(command, 'answer as JSON', UNDO)
    .option(
      '--ours <path>',
      'where somebody changed the real files since: put back what was there before the commit (repeatable)',
      collect,
    )
    .option('--theirs <path>', 'leave the real file as it is there now (repeatable)', collect)
    .option('--merge', 'take back what the commit had changed of a text, where nobody changed it since')
    .action(undo);
}

interface Options {
  readonly ours?: readonly string[];
  readonly theirs?: readonly string[];
  readonly merge?: true;
  readonly json?: true;
}

async function undo(options: Options, command: Command): Promise<void> {
  const progress = progressOn(process.stderr);
  const session = sessionOf(command);
  const { ours = [], theirs = [], merge = false } = options;
  const ask = { op: 'undo', ours: toPaths(ours), theirs: toPaths(theirs), merge } as const;
  const done = await takeBack(session, ask, progress.show).finally(progress.clear);
  const { commit, from, changes, by } = done;
  const undone = commit === undefined ? { abort: true } : { commit, ...(by && { by: by.number }) };
  if (options.json) process.stdout.write(`${JSON.stringify({ ...undone, changes })}\n`);
  const what = `${amount(changes, 'change')} ${changes === 1 ? 'is' : 'are'} staged again`;
  const back = from === undefined ? howOver(by) : `; 'yolofs travel ${from}' goes to what was there before`;
  if (by !== undefined) tellApplied(by);
  const which = commit === undefined ? 'the abort' : `commit ${commit}`;
  noteDecision(session, `the person took ${which} back: ${what}`);
  process.stderr.write(`took ${which} back: ${what}${back}\n`);
}

/** Reads the session only where there may be some: a large one takes a second. */
async function countStateCommits(session: Layout): Promise<number> {
  if (!hasStateCommits(session)) return 0;
  return readSession(session, async (reading) => stateCommitsOnTop(session, standingTurns(timelineOf(reading))));
}

/** Where somebody had changed the real files, they have been given what was there before, and what they had is in the view. */
function howOver(by: Replies['undo']['by']): string {
  return by === undefined
    ? ''
    : `; the real files are what they were by commit ${by.number}, which 'yolofs undo' takes back`;
}

type Ask = Extract<Request, { op: 'undo' }>;

/** The commit below others of what agents keep: these are applied again, whatever becomes of it. */
export async function takeBack(session: Layout, ask: Ask, onProgress: Progress['show']): Promise<Replies['undo']> {
  const onTop = await countStateCommits(session);
  const undoOne = (one: Ask): Promise<Replies['undo']> =>
    withDaemon(session, (daemon) => daemon.request(one, onProgress));
  const undoLast = (): Promise<Replies['undo']> => undoOne(ask);
  if (onTop === 0) return undoLast();
  const { updateStateFiles } = await import('../wrap/agent-state.ts');
  try {
    for (let left = onTop; left > 0; left--) await undoOne({ op: 'undo' });
    return await undoLast();
  } finally {
    await updateStateFiles(session);
  }
}

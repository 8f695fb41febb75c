/** `yolofs undo`: takes the last commit or abort of a person's back; what it had applied, or given up, is staged again. */

import type { Command } from 'commander';
import { amount } from '../../agents/amount.ts';
import type { Replies } from '../../daemon/protocol.ts';
import type { Layout } from '../../history/layout.ts';
import { standingTurns } from '../../history/travel/turns.ts';
import { withDaemon } from '../connection.ts';
import { readSession, timelineOf } from '../look/read-session.ts';
import { sessionOf } from '../session.ts';
import { type Progress, progressOn } from '../text/progress.ts';
import { stateCommitsOnTop } from '../wrap/state-commits.ts';

export function define(command: Command): void {
  command.option('--json', 'answer as JSON').action(undo);
}

async function undo(options: { json?: true }, command: Command): Promise<void> {
  const progress = progressOn(process.stderr);
  const session = sessionOf(command);
  const onTop = await countStateCommits(session);
  const { commit, from, changes } = await takeBack(session, onTop, progress.show).finally(progress.clear);
  const undone = commit === undefined ? { abort: true } : { commit };
  if (options.json) process.stdout.write(`${JSON.stringify({ ...undone, changes })}\n`);
  const what = `${amount(changes, 'change')} ${changes === 1 ? 'is' : 'are'} staged again`;
  const back = from === undefined ? '' : `; 'yolofs travel ${from}' goes to what was there before`;
  process.stderr.write(`took ${commit === undefined ? 'the abort' : `commit ${commit}`} back: ${what}${back}\n`);
}

function countStateCommits(session: Layout): Promise<number> {
  return readSession(session, async (reading) => stateCommitsOnTop(session, standingTurns(timelineOf(reading))));
}

/** The commit below `onTop` others, of what agents keep: these are applied again, whatever becomes of it. */
async function takeBack(session: Layout, onTop: number, onProgress: Progress['show']): Promise<Replies['undo']> {
  const undoLast = (): Promise<Replies['undo']> =>
    withDaemon(session, (daemon) => daemon.request({ op: 'undo' }, onProgress));
  if (onTop === 0) return undoLast();
  const { settleStateFiles } = await import('../wrap/agent-state.ts');
  try {
    for (let left = onTop; left > 0; left--) await undoLast();
    return await undoLast();
  } finally {
    await settleStateFiles(session);
  }
}

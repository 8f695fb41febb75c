/** What `shell` and `wrap` end with: the changes, and the choice what to do with them. */
import type { Layout } from '../../history/layout.ts';
import { discard } from '../commands/abort.ts';
import { apply } from '../commands/commit.ts';
import { listStatus } from '../commands/status.ts';
import { mark } from '../wrap/mark.ts';
import { ask, canAsk } from './ask.ts';

/** Lists what is staged; asks at a terminal, once the program that had it has ended. */
export async function reviewAtEnd(session: Layout): Promise<void> {
  const isTerminal = canAsk();
  if (isTerminal) await takeTerminalBack();
  // What is written from here on is not what the person is asked about.
  const reviewed = isTerminal ? await mark(session) : undefined;
  if ((await listStatus(session)) > 0 && reviewed !== undefined) await offer(session, reviewed);
}

/** Loaded only here: the foreign function interface costs more than all the rest of a start. */
async function takeTerminalBack(): Promise<void> {
  const { takeTerminal } = await import('../../sys/libc.ts');
  takeTerminal(0);
}

/** Keeping is the default, also at the end of input: nothing is lost and nothing is applied. */
async function offer(session: Layout, reviewed: number): Promise<void> {
  const answer = await ask('[c]ommit, [k]eep or [a]bort? [k] ');
  if (answer === 'c' || answer === 'commit') return apply(session, { reviewed });
  if (answer === 'a' || answer === 'abort') return discard(session);
  process.stderr.write("kept: 'yolofs status' lists, 'yolofs commit' applies, 'yolofs abort' discards\n");
}

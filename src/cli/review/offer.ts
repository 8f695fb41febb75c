/** What `shell`, `wrap` and `review` end with: the changes, and the choice what to do with them. */
import type { Layout } from '../../history/layout.ts';
import { canDraw } from '../../sys/process/can-draw.ts';
import { discard } from '../commands/abort.ts';
import { apply } from '../commands/commit.ts';
import { showDiff } from '../commands/diff.ts';
import { ask, canAsk, loadToAsk } from '../questions/ask.ts';
import { mark } from '../wrap/mark.ts';
import { listStatus } from './list-status.ts';
import { pickHunks } from './pick-hunks.ts';

const QUESTION = '[r]eview, [d]iff, [c]ommit all, [k]eep, [a]bort, ? [k] ';
const HELP = `r - review: take or reject files, hunks and lines, on the full screen
d - diff: show all of it, line by line
c - commit all of it to the real files
k - keep it staged, and decide later
a - abort: discard all of it; 'yolofs undo' brings it back
`;
const KEPT = "kept: 'yolofs status' lists, 'yolofs commit' applies, 'yolofs abort' discards\n";

let libc: Promise<typeof import('../../sys/libc.ts')> | undefined;

/** The foreign function interface costs more than all the rest of a start. */
function loadLibc(): Promise<typeof import('../../sys/libc.ts')> {
  libc ??= import('../../sys/libc.ts');
  return libc;
}

/** Loads what the end takes before the program that is first begins: npm may put another version in the place of this one meanwhile. */
export async function loadAhead(): Promise<void> {
  if (canAsk()) await Promise.all([loadLibc(), loadToAsk()]);
}

/** Lists what is staged; asks at a terminal, once the program that had it has ended. */
export async function reviewAtEnd(session: Layout): Promise<void> {
  const isTerminal = canAsk();
  if (isTerminal) await takeTerminalBack();
  await offerReview(session);
}

/** Lists what is staged; asks at a terminal. */
async function offerReview(session: Layout): Promise<void> {
  // What is written from here on is not what the person is asked about.
  const reviewed = canAsk() ? await mark(session) : undefined;
  if ((await listStatus(session)) > 0 && reviewed !== undefined) await offer(session, reviewed);
}

async function takeTerminalBack(): Promise<void> {
  const { takeTerminal } = await loadLibc();
  takeTerminal(0);
}

/** Keeping is the default, also at the end of input: nothing is lost and nothing is applied. */
async function offer(session: Layout, reviewed: number): Promise<void> {
  for (;;) {
    switch (await ask(QUESTION)) {
      case 'c':
      case 'commit':
      case 'commit all':
        return apply(session, { reviewed });
      case 'a':
      case 'abort':
        return discard(session);
      case 'd':
      case 'diff':
        await showDiff(session);
        break;
      case 'r':
      case 'review':
        // What is left is shown, and asked about, anew.
        return (await reviewParts(session)) ? offerReview(session) : undefined;
      case undefined:
      case '':
      case 'k':
      case 'keep':
        process.stderr.write(KEPT);
        return;
      default:
        process.stderr.write(HELP);
    }
  }
}

/** Whether something was done. On a terminal that cannot be drawn on, one question after the other. */
async function reviewParts(session: Layout): Promise<boolean> {
  if (!canDraw()) return pickHunks(session);
  const { reviewOnScreen } = await import('./screen/run-screen.ts');
  const { isDone } = await reviewOnScreen(session);
  if (!isDone) process.stderr.write(KEPT);
  return isDone;
}

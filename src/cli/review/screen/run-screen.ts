/** `review -t`: the full screen of a review at the person's terminal, and what it is told to do. */
import { viewpointOf } from '../../../agents/show-path.ts';
import { factsOf } from '../../../daemon/failure.ts';
import { Facts } from '../../../history/diff/facts.ts';
import type { Layout } from '../../../history/layout.ts';
import { Journal } from '../../../history/log/journal.ts';
import { Blame } from '../../../history/past/blame.ts';
import { type Items, itemsOf } from '../../../review/pick/items.ts';
import { toBytePath } from '../../../sys/bytes.ts';
import { SystemError } from '../../../sys/errno.ts';
import { UserError } from '../../../sys/user-error.ts';
import { changesIn, noticesByPath, type Reading, readSession } from '../../look/read-session.ts';
import { harmless } from '../../text/diff-text.ts';
import { mark } from '../../wrap/mark.ts';
import { homeOf, reviewIn } from '../review-in.ts';
import { carryOut, planText, undoLast } from './carry-out.ts';
import { type Orders, ordersOf } from './orders.ts';
import { ReviewScreen, type Shown } from './screen.ts';
import { Terminal } from './terminal.ts';

/** Of a new or deleted file. */
const MOST_LINES = 20_000;

/** What is shown, and what its directories are. */
type Look = Shown & Pick<Items, 'containers'>;

export interface Reviewed {
  /** Something was committed, thrown away or taken back, or was to be. */
  readonly isDone: boolean;
  /** Something is still staged. */
  readonly isLeft: boolean;
}

/** Until the person leaves. Throws a UserError where there is no terminal. */
export async function reviewOnScreen(session: Layout): Promise<Reviewed> {
  const terminal = new Terminal();
  let screen: ReviewScreen | undefined;
  let [message, done] = ['', ''];
  try {
    for (;;) {
      // From here on what is shown stays what it is, whatever is written meanwhile.
      const generation = await mark(session);
      const before = screen;
      const said = message;
      const { now, next, orders } = await readSession(session, async (reading) => {
        const look = lookAt(session, reading);
        const made = new ReviewScreen(look, before, said);
        const found = await decide(terminal, made, look, { session, generation });
        return { now: made, ...found };
      });
      screen = now;
      if (next === 'quit') break;
      terminal.wait();
      message = await attempt(async () =>
        orders !== undefined
          ? carryOut(session, orders, generation)
          : next === 'undo'
            ? undoLast(session)
            : 'looked again',
      );
      if (next !== 'reload') done = message;
    }
  } finally {
    terminal.leave();
  }
  if (done !== '') process.stderr.write(`${done}\n`);
  return { isDone: done !== '', isLeft: screen.shown.items.length > 0 };
}

function lookAt(session: Layout, reading: Reading | undefined): Look {
  const from = viewpointOf(session.project);
  if (reading === undefined)
    return { items: [], containers: [], folded: [], notices: new Map(), commandsOf: () => [], from };
  const { base, store } = reading;
  const notices = noticesByPath(reading);
  const project = toBytePath(session.project);
  const options = { base, store, project, home: homeOf(), mostLines: MOST_LINES, notices };
  const listed = itemsOf(changesIn({ ...reading, expand: true }, undefined)(), options);
  const { folded } = reviewIn(reading, { range: undefined, all: false, isSeen: () => true }).review;
  const facts = new Facts(base, store);
  let blame: Blame | undefined;
  const commandsOf: Shown['commandsOf'] = ({ hunk, change }) => {
    // Read when the first file is shown.
    blame ??= new Blame(reading.session.journal, Journal.start);
    return hunk === undefined || change.from !== undefined
      ? blame.commandsOf(change.path, change.from)
      : blame.commandsBehind(change.path, hunk, facts);
  };
  return { ...listed, folded, notices, commandsOf, from };
}

interface Outcome {
  readonly next: 'quit' | 'undo' | 'reload' | 'apply';
  readonly orders?: Orders;
}

/** Until there is something to do that changes what is staged. */
async function decide(
  terminal: Terminal,
  screen: ReviewScreen,
  { containers }: Look,
  { session, generation }: { readonly session: Layout; readonly generation: number },
): Promise<Outcome> {
  let orders: Orders | undefined;
  for (;;) {
    const effect = await terminal.next(screen);
    if (effect === 'apply' && orders !== undefined) return { next: 'apply', orders };
    if (effect === 'quit' || effect === 'undo' || effect === 'reload') return { next: effect };
    if (effect !== 'plan') continue;
    terminal.wait();
    const made = ordersOf(screen, containers);
    orders = made;
    screen.message = await attempt(async () => {
      const lines = await planText(session, made, generation);
      Object.assign(screen, { mode: 'plan', overlay: lines.map(harmless), overlayScroll: 0 });
      return '';
    });
  }
}

/** What was done, or why it was not. */
async function attempt(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UserError) && !(error instanceof SystemError)) throw error;
    const { message, details = [], hint } = factsOf(error);
    return harmless([message, ...details, ...(hint === undefined ? [] : [hint])].join('; ').replaceAll('\n', ' '));
  }
}

/** `review -p`: hunk after hunk is put to the person; then what was taken is committed, and what was rejected is thrown away or kept. */
import { amount } from '../../agents/amount.ts';
import { noteDecision } from '../../agents/decisions.ts';
import { type Viewpoint, viewpointOf } from '../../agents/show-path.ts';
import type { Layout } from '../../history/layout.ts';
import { type Items, itemsOf } from '../../review/pick/items.ts';
import { type Plan, planOf } from '../../review/pick/plan.ts';
import type { Unit } from '../../review/pick/units.ts';
import { unitsAhead } from '../../review/pick/units-ahead.ts';
import { toBytePath } from '../../sys/bytes.ts';
import { abortHunks } from '../commands/abort.ts';
import { apply } from '../commands/commit.ts';
import { changesIn, noticesByPath, type Reading, readSession } from '../look/read-session.ts';
import { ask, askLine, requirePerson } from '../questions/ask.ts';
import { noticeLines } from '../text/notice-text.ts';
import { withEnds, writePieces } from '../text/output.ts';
import { type Paint, paintFor } from '../text/terminal.ts';
import { mark } from '../wrap/mark.ts';
import { HELP, isOpen, keysFor, type PickState, placeText, start, step } from './pick.ts';
import { homeOf } from './review-in.ts';
import { listLines, questionText, rejectedText, unitLines } from './unit-text.ts';

const NOTHING = 'nothing was changed';

interface Shown extends Items {
  /** Some of them stand for what is not read yet. */
  readonly units: readonly Unit[];
  /** What a person should know of a file first. */
  readonly notices: ReturnType<typeof noticesByPath>;
}

interface Look {
  readonly shown: Shown;
  readonly from: Viewpoint;
  readonly paint: Paint;
}

/** Whether something was done. Throws a UserError where there is nobody to ask, and for what changed meanwhile. */
export async function pickHunks(session: Layout): Promise<boolean> {
  requirePerson(NOTHING);
  // From here on what is shown stays what it is, whatever is written meanwhile.
  await mark(session);
  const { state, plan } = await readSession(session, (reading) => decide(session, reading));
  return carryOut(session, plan, state);
}

async function decide(
  session: Layout,
  reading: Reading | undefined,
): Promise<{ readonly state: PickState; readonly plan: Plan }> {
  const shown = shownOf(session, reading);
  if (shown.units.length === 0) process.stderr.write('nothing is staged\n');
  const look = { shown, from: viewpointOf(session.project), paint: paintFor(process.stdout) };
  // Also of what is decided as one, whose files are not shown.
  const first = noticeLines([...shown.notices.values()].flat(), look.from, look.paint);
  if (first.length > 0) await writePieces(withEnds([...first, '']));
  const state = await decideAll(start(shown.units), look);
  const { units, decisions } = state;
  return { state, plan: planOf({ units, containers: shown.containers }, (unit) => decisions.get(unit)) };
}

function shownOf(session: Layout, reading: Reading | undefined): Shown {
  if (reading === undefined) return { items: [], units: [], containers: [], notices: new Map() };
  const { base, store } = reading;
  const project = toBytePath(session.project);
  const changes = changesIn({ ...reading, expand: true }, undefined);
  const notices = noticesByPath(reading);
  const listed = itemsOf(changes(), { base, store, project, home: homeOf(), notices });
  return { ...listed, units: [...unitsAhead(listed.items, { base, store })], notices };
}

async function decideAll(first: PickState, look: Look): Promise<PickState> {
  let state = first;
  let isDone = first.units.length === 0;
  let isNew = true;
  while (!isDone) {
    const unit = state.units[state.at];
    if (unit === undefined) break;
    if (isNew) await writePieces(withEnds(linesOf(unit, look)));
    const answer = await askLine(look.paint.bold(`${placeText(state)} ${questionText(unit)} [${keysFor(state)}]? `));
    const result = step(state, answer);
    if (result.show === 'help') process.stderr.write(HELP);
    if (result.show === 'list') await writePieces(withEnds(listLines(state.units, state.decisions, look.from)));
    if (result.say !== undefined) process.stderr.write(`${result.say}\n`);
    isNew = result.state.units !== state.units || result.state.at !== state.at;
    state = result.state;
    isDone = result.done === true;
  }
  return state;
}

function* linesOf(unit: Unit, { shown, from, paint }: Look): Generator<string, void> {
  yield* unitLines(unit, shown.notices.get(unit.change.path) ?? [], from, paint);
}

async function carryOut(session: Layout, plan: Plan, state: PickState): Promise<boolean> {
  const { take, reject, inseparable } = plan;
  if (take.length + reject.length === 0) {
    process.stderr.write(`${NOTHING}: all of it stays staged\n`);
    return false;
  }
  if (inseparable.length > 0)
    process.stderr.write(`of ${amount(inseparable.length, 'file')} what was rejected can only stay staged for now\n`);
  process.stderr.write(`${countsOf(state)}\n`);
  const answer = await ask(choiceText(plan));
  const isCommit = take.length > 0 && (answer === 'c' || answer === 'a');
  const isAbort = reject.length > 0 && answer === 'a';
  if (!isCommit && !isAbort) {
    process.stderr.write(`${NOTHING}: all of it stays staged\n`);
    return false;
  }
  if (isCommit) await apply(session, { hunks: take, discard: isAbort ? reject : [] });
  else await abortHunks(session, reject, true);
  const rejected = state.units.filter((unit) => state.decisions.get(unit) === 'reject');
  if (rejected.length > 0)
    noteDecision(session, rejectedText(rejected, isAbort, viewpointOf(session.project, session.project)));
  return true;
}

function choiceText({ take, reject }: Plan): string {
  if (reject.length === 0) return '[c]ommit what you took, or [q]uit and change nothing? [q] ';
  if (take.length === 0) return '[a]bort what you rejected, or [q]uit and keep it staged? [q] ';
  return '[c]ommit what you took and keep the rest staged, the same and [a]bort what you rejected, or [q]uit? [q] ';
}

function countsOf({ units, decisions }: PickState): string {
  const said = [...decisions.values()];
  const [taken, rejected] = ['take', 'reject'].map((one) => said.filter((decision) => decision === one).length);
  const open = units.filter((unit) => isOpen({ decisions }, unit)).length;
  return `${taken} taken, ${rejected} rejected, ${open} left undecided`;
}

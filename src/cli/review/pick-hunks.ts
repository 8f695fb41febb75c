/** `review -p`: hunk after hunk is put to the person; then what was taken is committed, and what was refused is thrown away or kept. */
import { amount } from '../../agents/amount.ts';
import { noteDecision } from '../../agents/decisions.ts';
import { type Viewpoint, viewpointOf } from '../../agents/show-path.ts';
import type { Layout } from '../../history/layout.ts';
import { type Plan, planOf } from '../../review/pick/plan.ts';
import { type Unit, type Units, unitsOf } from '../../review/pick/units.ts';
import { type BytePath, toBytePath } from '../../sys/bytes.ts';
import { abortHunks } from '../commands/abort.ts';
import { apply } from '../commands/commit.ts';
import { changesIn, noticesIn, readSession } from '../look/read-session.ts';
import { ask, askLine, requirePerson } from '../questions/ask.ts';
import { withEnds, writePieces } from '../text/output.ts';
import { type Paint, paintFor } from '../text/terminal.ts';
import { HELP, isOpen, keysFor, type PickState, start, step } from './pick.ts';
import { homeOf } from './review-in.ts';
import { listLines, questionText, refusedText, unitLines } from './unit-text.ts';

const NOTHING = 'nothing was changed';

interface Shown extends Units {
  /** What a person should know of a file first. */
  readonly notices: ReadonlyMap<BytePath, readonly string[]>;
}

interface Look {
  readonly shown: Shown;
  readonly from: Viewpoint;
  readonly paint: Paint;
}

/** Whether something was done. Throws a UserError where there is nobody to ask, and for what changed meanwhile. */
export async function pickHunks(session: Layout): Promise<boolean> {
  requirePerson(NOTHING);
  const shown = await readUnits(session);
  if (shown.units.length === 0) process.stderr.write('nothing is staged\n');
  const look = { shown, from: viewpointOf(session.project), paint: paintFor(process.stdout) };
  const state = await decideAll(start(shown.units), look);
  const { units, decisions } = state;
  return carryOut(
    session,
    planOf({ units, containers: shown.containers }, (unit) => decisions.get(unit)),
    state,
  );
}

function readUnits(session: Layout): Promise<Shown> {
  return readSession(session, async (reading) => {
    if (reading === undefined) return { units: [], containers: [], notices: new Map() };
    const { base, store } = reading;
    const project = toBytePath(session.project);
    const changes = changesIn({ ...reading, expand: true }, undefined);
    const notices = new Map<BytePath, string[]>();
    for (const { path, why } of noticesIn(reading)) notices.set(path, [...(notices.get(path) ?? []), why]);
    return { ...unitsOf(changes(), { base, store, project, home: homeOf() }), notices };
  });
}

async function decideAll(first: PickState, look: Look): Promise<PickState> {
  let state = first;
  let isDone = first.units.length === 0;
  let isNew = true;
  while (!isDone) {
    const unit = state.units[state.at];
    if (unit === undefined) break;
    if (isNew) await writePieces(withEnds(linesOf(unit, look)));
    const place = `(${state.at + 1}/${state.units.length})`;
    const answer = await askLine(look.paint.bold(`${place} ${questionText(unit)} [${keysFor(state)}]? `));
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
  const why = (shown.notices.get(unit.change.path) ?? []).map((one) => `look at this: ${one}`);
  yield* unitLines(unit, why, from, paint);
}

async function carryOut(session: Layout, plan: Plan, state: PickState): Promise<boolean> {
  const { take, refuse, inseparable } = plan;
  if (take.length + refuse.length === 0) {
    process.stderr.write(`${NOTHING}: all of it stays staged\n`);
    return false;
  }
  if (inseparable.length > 0)
    process.stderr.write(`of ${amount(inseparable.length, 'file')} what was refused can only stay staged for now\n`);
  process.stderr.write(`${countsOf(state)}\n`);
  const answer = await ask(choiceText(plan));
  const isCommit = take.length > 0 && (answer === 'c' || answer === 'a');
  const isAbort = refuse.length > 0 && answer === 'a';
  if (!isCommit && !isAbort) {
    process.stderr.write(`${NOTHING}: all of it stays staged\n`);
    return false;
  }
  if (isCommit) await apply(session, { hunks: take });
  if (isAbort) await abortHunks(session, refuse, true);
  const refused = state.units.filter((unit) => state.decisions.get(unit) === 'refuse');
  if (refused.length > 0)
    noteDecision(session, refusedText(refused, isAbort, viewpointOf(session.project, session.project)));
  return true;
}

function choiceText({ take, refuse }: Plan): string {
  if (refuse.length === 0) return '[c]ommit what you took, or [q]uit and change nothing? [q] ';
  if (take.length === 0) return '[a]bort what you refused, or [q]uit and keep it staged? [q] ';
  return '[c]ommit what you took and keep the rest staged, the same and [a]bort what you refused, or [q]uit? [q] ';
}

function countsOf({ units, decisions }: PickState): string {
  const said = [...decisions.values()];
  const [taken, refused] = ['take', 'refuse'].map((one) => said.filter((decision) => decision === one).length);
  const open = units.filter((unit) => isOpen({ decisions }, unit)).length;
  return `${taken} taken, ${refused} refused, ${open} left undecided`;
}

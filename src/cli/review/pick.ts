/**
 * `review -p`: one decision after the other, with the keys of `git add -p`. Here is what a key does; nothing is written, and
 * nobody is asked. Pure.
 */
import type { Decision } from '../../review/pick/plan.ts';
import { splitUnit, type Unit } from '../../review/pick/units.ts';

export interface PickState {
  readonly units: readonly Unit[];
  /** Index of what is asked about; that of none: all was decided, or left. */
  readonly at: number;
  readonly decisions: ReadonlyMap<Unit, Decision>;
}

export interface Step {
  readonly state: PickState;
  /** Instead of the unit: what a key could not do, or the list that `g` shows. */
  readonly say?: string | undefined;
  /** Show the help, or the list of all. */
  readonly show?: 'help' | 'list';
  readonly done?: true;
}

export const HELP = `y - take it: it goes to the real files
n - reject it: what becomes of it is asked at the end
q - quit; this and all that is not decided stays staged
a - take this and all that comes later in this file
d - reject this and all that comes later in this file
g - go to another by its number
/ - go to the next that has a text in it
j - leave it undecided, go to the next that is
k - leave it undecided, go to the one before that is
s - split it into smaller ones
? - this help
`;

export function start(units: readonly Unit[]): PickState {
  const first: PickState = { units, at: 0, decisions: new Map() };
  return toNext(first, -1) ?? first;
}

/** `(3/12)`; with a + while there is more that was not read yet. */
export function placeText({ units, at }: PickState): string {
  return `(${at + 1}/${units.length}${units.some(({ unread }) => unread !== undefined) ? '+' : ''})`;
}

/** The letters that make sense now, as git lists them. */
export function keysFor({ units, at }: PickState): string {
  const unit = units[at];
  const canSplit = unit !== undefined && splitUnit(unit).length > 1;
  const others = units.length > 1 ? ['g', '/', ...(at < units.length - 1 ? ['j'] : []), ...(at > 0 ? ['k'] : [])] : [];
  return ['y', 'n', 'q', 'a', 'd', ...others, ...(canSplit ? ['s'] : []), '?'].join(',');
}

/** `answer` as it was typed; undefined: the end of input. */
export function step(state: PickState, answer: string | undefined): Step {
  const [key, rest] = [answer?.charAt(0), answer?.slice(1).trim() ?? ''];
  const unit = state.units[state.at];
  if (unit === undefined || key === undefined || key === 'q') return { state, done: true };
  switch (key.toLowerCase()) {
    case 'y':
      return decide(state, [unit], 'take');
    case 'n':
      return decide(state, [unit], 'reject');
    case 'a':
      return decide(state, laterOf(state, unit), 'take');
    case 'd':
      return decide(state, laterOf(state, unit), 'reject');
    case 'j':
      return goTo(state, toNext(state, state.at), 'there is none below');
    case 'k':
      return goTo(state, toLast(state), 'there is none above');
    case 'g':
      return rest === '' ? { state, show: 'list' } : goTo(state, toNumber(state, rest), `there is no number ${rest}`);
    case '/':
      return goTo(
        state,
        toText(state, rest),
        rest === '' ? 'a text to look for comes after the /' : 'nothing has that in it',
      );
    case 's':
      return split(state, unit);
    default:
      return { state, show: 'help' };
  }
}

function decide(state: PickState, units: readonly Unit[], decision: Decision): Step {
  const decisions = new Map(state.decisions);
  for (const unit of units) decisions.set(unit, decision);
  const after = { ...state, decisions };
  const next = toNext(after, state.at) ?? toNext(after, -1);
  return next === undefined ? { state: after, done: true } : { state: next };
}

/** What is decided with something that is not taken is not asked about. */
export function isOpen({ decisions }: Pick<PickState, 'decisions'>, unit: Unit): boolean {
  if (decisions.has(unit)) return false;
  return unit.gate === undefined || decisions.get(unit.gate) === 'take' || isOpen({ decisions }, unit.gate);
}

/** At the next that is open after a place, and read. Further units are asked about once their gate is taken. */
function toNext(state: PickState, after: number): PickState | undefined {
  for (let now = state; ; ) {
    const at = now.units.findIndex((unit, index) => index > after && isOpen(now, unit));
    if (at < 0) return undefined;
    if (now.units[at]?.unread === undefined) return { ...now, at };
    now = readAt(now, at);
  }
}

function toLast(state: PickState): PickState | undefined {
  for (let [now, before] = [state, state.at]; ; ) {
    const at = now.units.findLastIndex((unit, index) => index < before && isOpen(now, unit));
    if (at < 0) return undefined;
    if (now.units[at]?.unread === undefined) return { ...now, at };
    const read = readAt(now, at);
    before += read.units.length - now.units.length;
    now = read;
  }
}

/** Puts what a unit stands for in its place. */
function readAt(state: PickState, at: number): PickState {
  const found = state.units[at]?.unread?.();
  if (found === undefined) return state;
  return { ...state, units: [...state.units.slice(0, at), ...found, ...state.units.slice(at + 1)] };
}

function laterOf({ units, at }: PickState, { change }: Unit): Unit[] {
  return units.filter((one, index) => index >= at && one.change.path === change.path);
}

function toNumber(state: PickState, text: string): PickState | undefined {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > state.units.length) return undefined;
  const read = { ...readAt(state, number - 1), at: number - 1 };
  return read.units[read.at] === undefined ? undefined : read;
}

/** Reads as far as it takes. */
function toText(state: PickState, text: string): PickState | undefined {
  if (text === '') return undefined;
  const has = ({ lines }: Unit): boolean => lines.some((line) => line.includes(text));
  const { units, at } = state;
  const order = [...units.keys()].map((index) => (at + 1 + index) % units.length);
  const found = order.find((index) => (units[index]?.unread?.() ?? units.slice(index, index + 1)).some(has));
  if (found === undefined) return undefined;
  const read = readAt(state, found);
  return { ...read, at: read.units.findIndex((unit, index) => index >= found && has(unit)) };
}

function goTo(state: PickState, to: PickState | undefined, otherwise: string): Step {
  return to === undefined ? { state, say: otherwise } : { state: to };
}

function split(state: PickState, unit: Unit): Step {
  const parts = splitUnit(unit);
  if (parts.length < 2) return { state, say: 'it cannot be split' };
  const units = [...state.units.slice(0, state.at), ...parts, ...state.units.slice(state.at + 1)];
  return { state: { ...state, units }, say: `split into ${parts.length}` };
}

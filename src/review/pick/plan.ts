/**
 * Decisions as orders: first what was taken is committed, then what was rejected is thrown away. The keys of the second order
 * are those of the state after the first one, which is known beforehand: the taken lines are in the base then, and the view
 * is as it was. Whoever changes anything meanwhile changes a key, and the order is refused. Pure.
 */
import { applyHunks, type Choice } from '../../history/diff/text/apply-hunks.ts';
import { type KeyedHunk, type TextChange, textChangeOf } from '../../history/diff/text/sections.ts';
import { type BytePath, splitPath } from '../../sys/bytes.ts';
import { appendTo } from '../../sys/grouped.ts';
import type { Part, Said } from './decisions.ts';
import { type Container, linesOf, type Unit, type Units } from './units.ts';

export type Decision = Exclude<Said, 'leave'>;

/** As `commit` and `abort` of hunks want it. */
export interface Wish {
  readonly key: string;
  readonly lines?: readonly number[];
}

export interface Plan {
  readonly take: readonly Wish[];
  readonly reject: readonly Wish[];
  /** Texts of which what was rejected cannot be told from what is left once the rest is committed: it stays staged. */
  readonly inseparable: readonly BytePath[];
}

/** `decisionOf`: what a person said of a unit; nothing: it stays staged. */
export function planOf({ units, containers }: Units, said: (unit: Unit) => Decision | undefined): Plan {
  const decisionOf = (unit: Unit): Decision | undefined => {
    const gate = unit.gate === undefined ? 'take' : decisionOf(unit.gate);
    return gate === 'take' ? said(unit) : gate;
  };
  const [take, reject]: [Wish[], Wish[]] = [[], []];
  const inseparable: BytePath[] = [];
  const wishes = { take, reject };
  for (const unit of units) {
    const decision = decisionOf(unit);
    if (decision !== undefined) wishes[decision].push(...unit.keys.map((key) => ({ key })));
  }
  for (const [text, parts] of textsOf(units)) {
    const [unit] = parts;
    if (unit === undefined) continue;
    const taken = numbersOf(parts, (one) => decisionOf(one) === 'take');
    const rejected = numbersOf(parts, (one) => decisionOf(one) === 'reject');
    take.push(...toWishes(text.hunks, taken));
    const after = rejectedAfter(unit.change.path, text, taken, rejected);
    if (after === undefined) inseparable.push(unit.change.path);
    else reject.push(...after);
  }
  const below = decisionsBelow(containers, units, decisionOf);
  for (const container of containers) {
    const [decision, ...others] = below.get(container.path) ?? [];
    // It is taken, or rejected, with all that is below it.
    if (decision !== undefined && others.length === 0) wishes[decision].push(...container.keys.map((key) => ({ key })));
  }
  return { take, reject, inseparable };
}

/** A unit of which something was said, or each of its lines: one for each decision. */
export function decidedUnits(
  unit: Unit,
  part: Part,
): { readonly unit: Unit; readonly decision: Decision | undefined }[] {
  const { hunk } = unit;
  if ('said' in part || hunk === undefined)
    return [{ unit, decision: 'said' in part ? decisionIn(part.said) : undefined }];
  return (['take', 'reject', undefined] as const).flatMap((decision) => {
    const numbers = hunk.numbers.filter((number) => decisionIn(part.lines[number - 1]) === decision);
    if (numbers.length === 0) return [];
    return [{ unit: { ...unit, lines: linesOf(hunk.hunk, numbers), hunk: { ...hunk, numbers } }, decision }];
  });
}

function decisionIn(said: Said | undefined): Decision | undefined {
  return said === 'leave' ? undefined : said;
}

/** Of each directory that came or went, what was decided below it. */
function decisionsBelow(
  containers: readonly Container[],
  units: readonly Unit[],
  decisionOf: (unit: Unit) => Decision | undefined,
): ReadonlyMap<BytePath, ReadonlySet<Decision | undefined>> {
  const below = new Map<BytePath, Set<Decision | undefined>>(containers.map(({ path }) => [path, new Set()]));
  for (const unit of units) {
    const decision = decisionOf(unit);
    below.get(unit.change.path)?.add(decision);
    for (let at = splitPath(unit.change.path); at !== undefined; at = splitPath(at.dir))
      below.get(at.dir)?.add(decision);
  }
  return below;
}

function textsOf(units: readonly Unit[]): Map<TextChange, Unit[]> {
  const texts = new Map<TextChange, Unit[]>();
  for (const unit of units) {
    const text = unit.hunk?.text;
    if (text !== undefined) appendTo(texts, text, unit);
  }
  return texts;
}

type Numbers = ReadonlyMap<KeyedHunk, ReadonlySet<number>>;

function numbersOf(parts: readonly Unit[], isMeant: (unit: Unit) => boolean): Numbers {
  const found = new Map<KeyedHunk, Set<number>>();
  for (const unit of parts) {
    if (unit.hunk === undefined || !isMeant(unit)) continue;
    const { hunk, numbers } = unit.hunk;
    const known = found.get(hunk) ?? new Set();
    for (const number of numbers) known.add(number);
    found.set(hunk, known);
  }
  return found;
}

function toWishes(hunks: readonly KeyedHunk[], chosen: Numbers): Wish[] {
  return hunks.flatMap((hunk) => {
    const lines = chosen.get(hunk);
    if (lines === undefined || lines.size === 0) return [];
    const isWhole = lines.size === changedOf(hunk).length;
    return [isWhole ? { key: hunk.key } : { key: hunk.key, lines: [...lines].sort((a, b) => a - b) }];
  });
}

/** Undefined: they cannot be told from others. */
function rejectedAfter(
  path: BytePath,
  { before, after, hunks }: TextChange,
  taken: Numbers,
  rejected: Numbers,
): Wish[] | undefined {
  if (rejected.size === 0) return [];
  const choices: Choice[] = [...taken].map(([hunk, lines]) => ({ hunk, lines }));
  const rest = textChangeOf(path, applyHunks(before, after, choices), after.join(''));
  // What was not taken, line by line, as it is told now and as it will be told then.
  const left = hunks.flatMap((hunk) =>
    changedOf(hunk).flatMap((text, index) =>
      taken.get(hunk)?.has(index + 1) === true ? [] : [{ text, rejected: rejected.get(hunk)?.has(index + 1) === true }],
    ),
  );
  const then = rest.hunks.flatMap((hunk) => changedOf(hunk).map((text, index) => ({ text, hunk, number: index + 1 })));
  if (left.length !== then.length || left.some(({ text }, index) => then[index]?.text !== text)) return undefined;
  const chosen = new Map<KeyedHunk, Set<number>>();
  for (const [index, { hunk, number }] of then.entries()) {
    if (left[index]?.rejected === true) chosen.set(hunk, (chosen.get(hunk) ?? new Set()).add(number));
  }
  // Of equal lines another one may stay then, where a diff has more than one way to tell it.
  const kept = applyHunks(rest.before, rest.after, othersOf(rest.hunks, chosen));
  return kept === applyHunks(before, after, othersOf(hunks, rejected)) ? toWishes(rest.hunks, chosen) : undefined;
}

/** All changed lines but these. */
function othersOf(hunks: readonly KeyedHunk[], numbers: Numbers): Choice[] {
  return hunks.map((hunk) => {
    const all = changedOf(hunk).map((_, index) => index + 1);
    return { hunk, lines: new Set(all.filter((number) => numbers.get(hunk)?.has(number) !== true)) };
  });
}

/** The changed lines of a hunk, with their marks. */
function changedOf({ lines }: KeyedHunk): string[] {
  return lines.filter((line) => line.startsWith('-') || line.startsWith('+'));
}

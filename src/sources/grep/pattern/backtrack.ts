/**
 * Patterns with back-references. They need all that could have been matched before, which takes time that grows faster than
 * the line; what has been tried is remembered, and where even that is too much, the search is given up with an error.
 */

import { upperOf } from './case.ts';
import { INVALID, lengthOf, symbolAt } from './characters.ts';
import { holds, type Program, sideOf } from './program.ts';
import { type Line, type Span, type SpanFinder, sideBefore } from './spans.ts';
import { PatternError } from './syntax.ts';

/** Steps for one line. */
const MOST_STEPS = 3_000_000;

interface Task {
  readonly pc: number;
  readonly at: number;
  /** Where groups have begun and ended, by slot; undefined: not yet. */
  readonly slots: readonly (number | undefined)[];
}

export class Backtracker implements SpanFinder {
  readonly #program: Program;
  readonly #ignoreCase: boolean;
  #steps = 0;

  constructor(program: Program, ignoreCase: boolean) {
    this.#program = program;
    this.#ignoreCase = ignoreCase;
  }

  find(line: Line, at: number): Span | undefined {
    this.#steps = 0;
    for (let start = at; start <= line.to; ) {
      const end = this.#longest(line, start, false);
      if (end !== undefined) return { start, end };
      start += start < line.to ? lengthOf(symbolAt(line.bytes, start, line.to)) : 1;
    }
    return undefined;
  }

  cutEnd(line: Line, at: number, limit: number): number | undefined {
    this.#steps = 0;
    return at > limit ? undefined : this.#longest({ ...line, to: limit }, at, true);
  }

  /** The end of the longest match that begins at `start`. */
  #longest(line: Line, start: number, isCut: boolean): number | undefined {
    const tried = new Set<string>();
    let longest: number | undefined;
    const open: Task[] = [{ pc: this.#program.start, at: start, slots: [] }];
    for (let task = open.pop(); task !== undefined; task = open.pop()) {
      const key = `${task.pc},${task.at},${task.slots.join()}`;
      if (tried.has(key)) continue;
      tried.add(key);
      this.#steps += 1;
      if (this.#steps > MOST_STEPS) throw new PatternError('memory exhausted');
      if (this.#program.code[task.pc]?.op === 'match') longest = Math.max(longest ?? task.at, task.at);
      else this.#proceed(task, line, { open, isCut });
    }
    return longest;
  }

  #proceed({ pc, at, slots }: Task, line: Line, { open, isCut }: { open: Task[]; isCut: boolean }): void {
    const instruction = this.#program.code[pc];
    if (instruction === undefined || instruction.op === 'match') return;
    const { next } = instruction;
    const symbol = at < line.to ? symbolAt(line.bytes, at, line.to) : undefined;
    if (instruction.op === 'symbol') {
      if (symbol === undefined || this.#program.sets[instruction.set]?.has(symbol) !== true) return;
      open.push({ pc: next, at: at + lengthOf(symbol), slots });
    } else if (instruction.op === 'fork') {
      open.push({ pc: instruction.other, at, slots }, { pc: next, at, slots });
    } else if (instruction.op === 'save') {
      open.push({ pc: next, at, slots: withSlot(slots, instruction.slot, at) });
    } else if (instruction.op === 'reference') {
      const length = this.#repeatedAt(line, at, slots, instruction.number);
      if (length !== undefined) open.push({ pc: next, at: at + length, slots });
    } else {
      const after = symbol === undefined && isCut ? 'cut' : sideOf(symbol);
      if (holds(instruction.what, sideBefore(line, at), after)) open.push({ pc: next, at, slots });
    }
  }

  /** How long what a group has matched is at `at`; undefined: it is not there. */
  #repeatedAt(line: Line, at: number, slots: Task['slots'], group: number): number | undefined {
    const [from, to] = [slots[2 * group], slots[2 * group + 1]];
    if (from === undefined || to === undefined) return undefined;
    let here = at;
    for (let there = from; there < to; ) {
      if (here >= line.to) return undefined;
      const [one, other] = [symbolAt(line.bytes, there, line.to), symbolAt(line.bytes, here, line.to)];
      if (this.#folded(one) !== this.#folded(other)) return undefined;
      there += lengthOf(one);
      here += lengthOf(other);
    }
    return here - at;
  }

  #folded(symbol: number): number {
    return this.#ignoreCase && symbol < INVALID ? upperOf(symbol) : symbol;
  }
}

function withSlot(slots: Task['slots'], slot: number, at: number): Task['slots'] {
  const copy = [...slots];
  copy[slot] = at;
  // A group that begins anew has matched nothing yet.
  if (slot % 2 === 0) copy[slot + 1] = undefined;
  return copy;
}

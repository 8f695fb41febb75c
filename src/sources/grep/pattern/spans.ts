/**
 * The leftmost of the longest matches in a line. An anchored automaton tries one place after the other; where that would
 * take more than the line is long, all places are followed at once, each thread with the place where it began.
 */
import { Automaton, type Ends } from './automaton.ts';
import { lengthOf, symbolAt, symbolBefore } from './characters.ts';
import { holds, type Program, type Side, sideOf } from './program.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A line of `bytes`, without what ends it. */
export interface Line {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** What looks for matches in one line. */
export interface SpanFinder {
  /** The first match that begins at `at` or after it: the longest of these. */
  find(line: Line, at: number): Span | undefined;
  /** Where the longest match ends that begins at `at`, if the line is cut at `limit` and nobody knows what follows. */
  cutEnd(line: Line, at: number, limit: number): number | undefined;
}

/** So many symbols for each one of the line may be looked at before all places are followed at once. */
const PATIENCE = 4;

export class ProgramSpans implements SpanFinder {
  readonly #program: Program;
  readonly #automaton: Automaton;
  /** What was asked last: the limit comes down by and by. */
  #cut: { readonly line: Line; readonly at: number; readonly ends: readonly number[] } | undefined;

  constructor(program: Program, lineEnd: number) {
    this.#program = program;
    this.#automaton = new Automaton(program, lineEnd, true);
  }

  find(line: Line, at: number): Span | undefined {
    const automaton = this.#automaton;
    automaton.work = 0;
    const budget = PATIENCE * (line.to - at) + 64;
    for (let start = at; start <= line.to; start += stepAt(line, start)) {
      if (automaton.work > budget) return this.#follow(line, start);
      const end = this.#endsAt(line, start, false).longest;
      if (end !== undefined) return { start, end };
    }
    return undefined;
  }

  cutEnd(line: Line, at: number, limit: number): number | undefined {
    if (this.#cut?.line !== line || this.#cut.at !== at)
      this.#cut = { line, at, ends: this.#endsAt(line, at, true).cut };
    return this.#cut.ends.findLast((end) => end <= limit);
  }

  #endsAt(line: Line, at: number, all: boolean): Ends {
    return this.#automaton.endsAt(line.bytes, at, { end: line.to, before: sideBefore(line, at), all });
  }

  /** As `find`, in one go. */
  #follow(line: Line, from: number): Span | undefined {
    let best: Span | undefined;
    let threads: Thread[] = [];
    for (let at = from; ; at += stepAt(line, at)) {
      if (best === undefined) threads.push({ at: this.#program.start, start: at });
      const symbol = at < line.to ? symbolAt(line.bytes, at, line.to) : undefined;
      const sides = [sideBefore(line, at), sideOf(symbol)] as const;
      const { reached, match } = this.#reach(threads, sides);
      if (match !== undefined) best = { start: match, end: at };
      if (symbol === undefined) return best;
      threads = this.#step(reached, symbol);
      if (best !== undefined && threads.length === 0) return best;
    }
  }

  /** Threads come in the order of their starts: who is first at an instruction began first. Those after a match began later. */
  #reach(threads: readonly Thread[], [before, after]: readonly [Side, Side]): { reached: Thread[]; match?: number } {
    const seen = new Set<number>();
    const reached: Thread[] = [];
    let match: number | undefined;
    for (const thread of threads) {
      if (match !== undefined && thread.start > match) break;
      const open = [thread.at];
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        if (seen.has(at)) continue;
        seen.add(at);
        const instruction = this.#program.code[at];
        if (instruction?.op === 'symbol') reached.push({ at, start: thread.start });
        else if (instruction?.op === 'match') match ??= thread.start;
        else if (instruction?.op === 'fork') open.push(instruction.other, instruction.next);
        else if (instruction?.op === 'assert' && holds(instruction.what, before, after)) open.push(instruction.next);
      }
    }
    return match === undefined ? { reached } : { reached, match };
  }

  #step(reached: readonly Thread[], symbol: number): Thread[] {
    return reached.flatMap(({ at, start }) => {
      const instruction = this.#program.code[at];
      if (instruction?.op !== 'symbol' || this.#program.sets[instruction.set]?.has(symbol) !== true) return [];
      return [{ at: instruction.next, start }];
    });
  }
}

interface Thread {
  readonly at: number;
  readonly start: number;
}

/** How far the next place is at which a match may begin. */
function stepAt({ bytes, to }: Line, at: number): number {
  return at >= to ? 1 : lengthOf(symbolAt(bytes, at, to));
}

/** What lies before a place of a line. */
export function sideBefore({ bytes, from }: Line, at: number): Side {
  return sideOf(symbolBefore(bytes, from, at));
}

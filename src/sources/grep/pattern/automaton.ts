/**
 * A program as an automaton whose states are made when they are first needed, and forgotten when they are too many. Each
 * symbol is looked at once, so that no pattern takes longer than the text is.
 *
 * A state is what may go on from here, and what the symbol before was; whether an assertion holds is known one symbol
 * later. So a match is found with the symbol after it.
 */
import { lengthOf, symbolAt } from './characters.ts';
import { Alphabet, holds, type Letter, type Program, type Side } from './program.ts';

interface State {
  readonly instructions: readonly number[];
  readonly before: Side;
  /** Whether a match ends here where the text is cut. */
  matchesCut: boolean | undefined;
  matchesEnd: boolean | undefined;
}

/** What a transition says: a state, as its number plus one (of anchored automata doubled, and odd after a match), or this. */
const UNKNOWN = 0;
/** Nothing can match any more. */
const DEAD = -1;
/** A match has ended before this symbol, and no longer one is asked for or possible. */
const MATCHED = -2;
const MOST_STATES = 4096;

/** Where a match that begins at a given place may end. */
export interface Ends {
  /** The longest one; undefined: no match. */
  readonly longest: number | undefined;
  /** All, when the text is cut there; ascending. */
  readonly cut: readonly number[];
}

export class Automaton {
  readonly #program: Program;
  readonly #alphabet: Alphabet;
  readonly #isAnchored: boolean;
  #stride = 0;
  #next = new Int32Array(0);
  #states: State[] = [];
  #numbers = new Map<string, number>();
  /** Symbols looked at, of anchored matches. */
  work = 0;

  /** `isAnchored`: a match begins where it is asked for, and the longest is meant; else anywhere, and any. */
  constructor(program: Program, lineEnd: number, isAnchored: boolean) {
    this.#program = program;
    this.#alphabet = new Alphabet(program, lineEnd);
    this.#isAnchored = isAnchored;
    this.#clear();
  }

  /** A place in the first line that matches, of those between `from` and `to`, all of which are ended; or -1. */
  findLine(bytes: Uint8Array, from: number, to: number): number {
    const { ascii } = this.#alphabet;
    let [next, stride] = [this.#next, this.#stride];
    let state = this.#startOf('edge');
    for (let at = from; at < to; ) {
      const byte = bytes[at] ?? 0;
      let length = 1;
      let letter = ascii[byte] ?? 0;
      if (byte >= 0x80) {
        const symbol = symbolAt(bytes, at, to);
        length = lengthOf(symbol);
        letter = this.#alphabet.numberOf(symbol);
      }
      let value = letter < stride ? (next[state * stride + letter] ?? UNKNOWN) : UNKNOWN;
      if (value === UNKNOWN) {
        value = this.#transition(state, letter);
        [next, stride] = [this.#next, this.#stride];
      }
      if (value === MATCHED) return at;
      state = value - 1;
      at += length;
    }
    return -1;
  }

  /** Where matches end that begin at `at`, in a line that ends at `end`. With `all`, each of them is told. */
  endsAt(bytes: Uint8Array, at: number, { end, before, all }: { end: number; before: Side; all: boolean }): Ends {
    let longest: number | undefined;
    const cut: number[] = [];
    let state = this.#startOf(before);
    for (let here = at; ; ) {
      if (all && this.#matchesCut(state)) cut.push(here);
      if (here >= end) {
        if (this.#matchesAtEnd(state)) longest = here;
        break;
      }
      this.work += 1;
      const symbol = symbolAt(bytes, here, end);
      const letter = this.#alphabet.numberOf(symbol);
      let next = letter < this.#stride ? (this.#next[state * this.#stride + letter] ?? UNKNOWN) : UNKNOWN;
      if (next === UNKNOWN) next = this.#transition(state, letter);
      if (next < 0) {
        if (next === MATCHED) longest = here;
        break;
      }
      if ((next & 1) === 1) longest = here;
      state = (next >> 1) - 1;
      here += lengthOf(symbol);
    }
    return { longest, cut };
  }

  #clear(): void {
    this.#stride = Math.max(16, 2 ** Math.ceil(Math.log2(this.#alphabet.size + 1)));
    this.#next = new Int32Array(this.#stride * 64);
    this.#states = [];
    this.#numbers = new Map();
  }

  #startOf(before: Side): number {
    return this.#numberOf([this.#program.start], this.#sideMeant(before));
  }

  /** Sides that no assertion asks for are all the same. */
  #sideMeant(side: Side): Side {
    if (!this.#program.asserts) return 'other';
    return side === 'edge' || this.#program.assertsWords ? side : 'other';
  }

  #numberOf(instructions: readonly number[], before: Side): number {
    const key = `${before}${instructions.join()}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#states.push({ instructions, before, matchesCut: undefined, matchesEnd: undefined }) - 1;
    this.#numbers.set(key, number);
    if (this.#states.length * this.#stride > this.#next.length) {
      const larger = new Int32Array(this.#next.length * 2);
      larger.set(this.#next);
      this.#next = larger;
    }
    return number;
  }

  #state(number: number): State {
    const state = this.#states[number];
    if (state === undefined) throw new RangeError(`no state ${number}`);
    return state;
  }

  #transition(number: number, letter: number): number {
    const from = this.#state(number);
    const meant = this.#alphabet.letter(letter);
    const { reached, matches } = this.#reach(from, meant.side);
    let state = number;
    if (this.#states.length >= MOST_STATES || letter >= this.#stride) {
      this.#clear();
      state = this.#numberOf(from.instructions, from.before);
    }
    const value = this.#isAnchored
      ? this.#anchoredValue(reached, matches, meant)
      : this.#floatingValue(reached, matches, meant);
    this.#next[state * this.#stride + letter] = value;
    return value;
  }

  #floatingValue(reached: readonly number[], matches: boolean, { within, side }: Letter): number {
    if (matches) return MATCHED;
    if (side === 'edge') return this.#startOf('edge') + 1;
    const next = this.#step(reached, within, this.#program.start);
    return this.#numberOf(next, this.#sideMeant(side)) + 1;
  }

  #anchoredValue(reached: readonly number[], matches: boolean, { within, side }: Letter): number {
    const next = this.#step(reached, within, undefined);
    if (next.length === 0) return matches ? MATCHED : DEAD;
    return ((this.#numberOf(next, this.#sideMeant(side)) + 1) << 1) | (matches ? 1 : 0);
  }

  #step(reached: readonly number[], within: ReadonlySet<number>, start: number | undefined): number[] {
    const next = new Set<number>();
    for (const at of reached) {
      const instruction = this.#program.code[at];
      if (instruction?.op === 'symbol' && within.has(instruction.set)) next.add(instruction.next);
    }
    if (start !== undefined) next.add(start);
    return [...next].sort((one, other) => one - other);
  }

  /** The symbols that may come now, and whether a match has ended, with `after` next. */
  #reach({ instructions, before }: State, after: Side): { reached: number[]; matches: boolean } {
    const reached: number[] = [];
    let matches = false;
    const seen = new Set<number>();
    const open = [...instructions];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const instruction = this.#program.code[at];
      if (instruction === undefined) continue;
      if (instruction.op === 'symbol') reached.push(at);
      else if (instruction.op === 'match') matches = true;
      else if (instruction.op === 'fork') open.push(instruction.next, instruction.other);
      else if (instruction.op === 'assert' && holds(instruction.what, before, after)) open.push(instruction.next);
    }
    return { reached, matches };
  }

  #matchesAtEnd(number: number): boolean {
    const state = this.#state(number);
    state.matchesEnd ??= this.#reach(state, 'edge').matches;
    return state.matchesEnd;
  }

  #matchesCut(number: number): boolean {
    const state = this.#state(number);
    state.matchesCut ??= this.#reach(state, 'cut').matches;
    return state.matchesCut;
  }
}

/** A tree as a list of instructions, and the alphabet that its symbols fall into. */
import { INVALID, isWord } from './characters.ts';
import { type Assertion, EMPTY, type Node, PatternError, type SymbolSet } from './syntax.ts';

export type Instruction =
  | { readonly op: 'symbol'; readonly set: number; readonly next: number }
  | { readonly op: 'fork'; readonly next: number; readonly other: number }
  | { readonly op: 'assert'; readonly what: Assertion; readonly next: number }
  /** Where a group begins or ends: `slot` is twice its number, or one more. */
  | { readonly op: 'save'; readonly slot: number; readonly next: number }
  | { readonly op: 'reference'; readonly number: number; readonly next: number }
  | { readonly op: 'match' };

export interface Program {
  readonly code: readonly Instruction[];
  readonly start: number;
  readonly sets: readonly SymbolSet[];
  readonly asserts: boolean;
  readonly assertsWords: boolean;
}

/** More would take minutes. */
const MOST_INSTRUCTIONS = 250_000;

/** `groups`: remember where they are, for references. Throws a PatternError for what is too large. */
export function compile(node: Node, groups = false): Program {
  return new Compiler(groups).compile(node);
}

class Compiler {
  readonly #groups: boolean;
  readonly #code: Instruction[] = [];
  readonly #sets: SymbolSet[] = [];
  readonly #known = new Map<SymbolSet | number, number>();
  #asserts = false;
  #assertsWords = false;

  constructor(groups: boolean) {
    this.#groups = groups;
  }

  compile(node: Node): Program {
    const start = this.#emit(node, this.#add({ op: 'match' }));
    return {
      code: this.#code,
      start,
      sets: this.#sets,
      asserts: this.#asserts,
      assertsWords: this.#assertsWords,
    };
  }

  #add(instruction: Instruction): number {
    if (this.#code.length >= MOST_INSTRUCTIONS) throw new PatternError('Regular expression too big');
    return this.#code.push(instruction) - 1;
  }

  /** From the end to the beginning: each part knows what follows. */
  #emit(node: Node, next: number): number {
    switch (node.kind) {
      case 'symbol':
        return this.#add({ op: 'symbol', set: this.#setOf(node.set), next });
      case 'assert':
        this.#asserts = true;
        if (node.what !== 'line-start' && node.what !== 'line-end') this.#assertsWords = true;
        return this.#add({ op: 'assert', what: node.what, next });
      case 'all':
        return node.parts.reduceRight((after, part) => this.#emit(part, after), next);
      case 'any':
        return node.options
          .map((option) => this.#emit(option, next))
          .reduceRight((other, one) => this.#add({ op: 'fork', next: one, other }));
      case 'repeat':
        return this.#repeat(node.of, { least: node.least, most: node.most, next });
      case 'group':
        return this.#group(node.of, node.number, next);
      case 'reference':
        return this.#add({ op: 'reference', number: node.number, next });
    }
  }

  #group(of: Node, number: number, next: number): number {
    if (!this.#groups) return this.#emit(of, next);
    const end = this.#add({ op: 'save', slot: 2 * number + 1, next });
    return this.#add({ op: 'save', slot: 2 * number, next: this.#emit(of, end) });
  }

  #repeat(of: Node, { least, most, next }: { least: number; most: number; next: number }): number {
    let at = next;
    if (most === Number.POSITIVE_INFINITY) {
      const loop = this.#add({ op: 'fork', next, other: next });
      const body = this.#emit(of, loop);
      this.#code[loop] = { op: 'fork', next: body, other: next };
      at = least === 0 ? loop : body;
    } else {
      for (let i = least; i < most; i++) at = this.#add({ op: 'fork', next: this.#emit(of, at), other: next });
    }
    const copies = most === Number.POSITIVE_INFINITY ? least - 1 : least;
    for (let i = 0; i < copies; i++) at = this.#emit(of, at);
    return at;
  }

  #setOf(set: SymbolSet): number {
    const [only] = set.members ?? [];
    const key = only !== undefined && set.members?.length === 1 ? only : set;
    const known = this.#known.get(key) ?? this.#sets.push(set) - 1;
    this.#known.set(key, known);
    return known;
  }
}

/** Symbols that a program cannot tell apart have one number. The end of a line is one of its own. */
export class Alphabet {
  /** Of ASCII; the rest is found when it is met. */
  readonly ascii = new Uint16Array(128);
  readonly #sets: readonly SymbolSet[];
  readonly #words: boolean;
  readonly #lineEnd: number;
  readonly #numbers = new Map<string, number>();
  readonly #others = new Map<number, number>();
  readonly #letters: Letter[] = [];

  constructor({ sets, assertsWords }: Program, lineEnd: number) {
    this.#sets = sets;
    this.#words = assertsWords;
    this.#lineEnd = lineEnd;
    for (let symbol = 0; symbol < 128; symbol++) this.ascii[symbol] = this.#number(symbol);
  }

  get size(): number {
    return this.#letters.length;
  }

  letter(number: number): Letter {
    const letter = this.#letters[number];
    if (letter === undefined) throw new RangeError(`no letter ${number}`);
    return letter;
  }

  numberOf(symbol: number): number {
    if (symbol < 128) return this.ascii[symbol] ?? 0;
    let number = this.#others.get(symbol);
    if (number === undefined) {
      number = this.#number(symbol);
      this.#others.set(symbol, number);
    }
    return number;
  }

  #number(symbol: number): number {
    const isEnd = symbol === this.#lineEnd;
    const side = isEnd ? 'edge' : this.#words ? sideOf(symbol) : 'other';
    const within = this.#sets.flatMap((set, i) => (set.has(symbol) ? [i] : []));
    const key = `${side}${within.join()}`;
    const known = this.#numbers.get(key) ?? this.#letters.push({ side, within: new Set(within) }) - 1;
    this.#numbers.set(key, known);
    return known;
  }
}

export interface Letter {
  /** What it is to assertions; `edge`: the end of the line. */
  readonly side: Side;
  /** The sets of the program that have it. */
  readonly within: ReadonlySet<number>;
}

/**
 * What lies on one side of a position. `cut`: the text was cut there, and what follows is not known. `stray`: a byte that
 * belongs to no character; as a number it would be a letter, and is one to all assertions but those of -w.
 */
export type Side = 'edge' | 'word' | 'stray' | 'other' | 'cut';

/** The side that a symbol is; undefined: the line begins or ends there. */
export function sideOf(symbol: number | undefined): Side {
  if (symbol === undefined) return 'edge';
  if (symbol >= INVALID) return isWord(symbol - INVALID) ? 'stray' : 'other';
  return isWord(symbol) ? 'word' : 'other';
}

/** Whether an assertion holds between two sides. */
export function holds(what: Assertion, before: Side, after: Side): boolean {
  switch (what) {
    case 'line-start':
      return before === 'edge';
    case 'line-end':
      return after === 'edge';
    case 'word-start':
      return !isLetter(before) && isLetter(after);
    case 'word-end':
      return isLetter(before) && !isLetter(after);
    case 'word-border':
      return isLetter(before) !== isLetter(after);
    case 'no-border':
      return isLetter(before) === isLetter(after);
    case 'after-no-word':
      return before !== 'word';
    case 'before-no-word':
      return after !== 'word';
  }
}

function isLetter(side: Side): boolean {
  return side === 'word' || side === 'stray';
}

/** Whether a pattern matches nothing at all, in some place. */
export function isNullable(node: Node): boolean {
  switch (node.kind) {
    case 'symbol':
      return false;
    case 'all':
      return node === EMPTY || node.parts.every(isNullable);
    case 'any':
      return node.options.some(isNullable);
    case 'repeat':
      return node.least === 0 || isNullable(node.of);
    case 'group':
      return isNullable(node.of);
    default:
      return true;
  }
}

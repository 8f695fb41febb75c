/** Bracket expressions: `[a-z]`, `[^[:space:]]`, with the errors of glibc's regcomp. */
import { upperOf } from './case.ts';
import { CLASSES, INVALID } from './characters.ts';
import { PatternError } from './pattern-error.ts';

export interface Bracket {
  readonly isNegated: boolean;
  readonly members: readonly number[];
  readonly ranges: readonly (readonly [number, number])[];
  readonly classes: readonly ((symbol: number) => boolean)[];
  /** Where the pattern goes on. */
  readonly end: number;
  /** The rule that chooses lines can tell by itself: no classes, no negation, no ranges but of digits. */
  readonly isPlain: boolean;
  /** It looks like a class that is not in a bracket expression, `[:space:]`. */
  readonly isConfusing: boolean;
}

const UNMATCHED = 'Unmatched [, [^, [:, [., or [=';
const COLLATION = 'Invalid collation character';
const CLOSE = 0x5d;
const OPEN = 0x5b;
const DASH = 0x2d;
const CARET = 0x5e;
const COLON = 0x3a;
const LONGEST_NAME = 32;

type Element =
  | { readonly kind: 'character'; readonly symbol: number }
  | { readonly kind: 'class'; readonly test: (symbol: number) => boolean; readonly name: string }
  | { readonly kind: 'equivalents'; readonly symbol: number };

/** Reads the expression whose `[` lies before `start`. Throws a PatternError. */
export function parseBracket(pattern: readonly number[], start: number, ignoreCase: boolean): Bracket {
  return new BracketParser(pattern, start, ignoreCase).parse();
}

class BracketParser {
  readonly #pattern: readonly number[];
  readonly #ignoreCase: boolean;
  readonly #start: number;
  #at: number;
  readonly #members: number[] = [];
  readonly #ranges: [number, number][] = [];
  readonly #classes: ((symbol: number) => boolean)[] = [];
  #isPlain = true;

  constructor(pattern: readonly number[], start: number, ignoreCase: boolean) {
    this.#pattern = pattern;
    this.#at = start;
    this.#start = start;
    this.#ignoreCase = ignoreCase;
  }

  parse(): Bracket {
    const isNegated = this.#next() === CARET;
    if (isNegated) this.#at += 1;
    if (this.#next() === undefined) throw new PatternError('Invalid regular expression');
    for (let isFirst = true; isFirst || this.#next() !== CLOSE; isFirst = false) this.#item(isFirst);
    this.#at += 1;
    return {
      isNegated,
      members: this.#members,
      ranges: this.#ranges,
      classes: this.#classes,
      end: this.#at,
      isPlain: this.#isPlain && !isNegated && this.#members.every((symbol) => symbol < INVALID),
      isConfusing: this.#isConfusing(),
    };
  }

  #next(offset = 0): number | undefined {
    return this.#pattern[this.#at + offset];
  }

  #item(isFirst: boolean): void {
    const element = this.#element(isFirst);
    if (this.#next() === undefined) throw new PatternError(UNMATCHED);
    const isRange = element.kind !== 'class' && element.kind !== 'equivalents' && this.#next() === DASH;
    if (isRange && this.#next(1) === undefined) throw new PatternError(UNMATCHED);
    if (!isRange || this.#next(1) === CLOSE) this.#add(element);
    else this.#range(element);
    if (this.#next() === undefined) throw new PatternError(UNMATCHED);
  }

  #add(element: Element): void {
    if (element.kind !== 'class') this.#members.push(this.#folded(element.symbol));
    else this.#classes.push(element.test);
    // Digits are the same few everywhere.
    if (element.kind === 'equivalents' || (element.kind === 'class' && element.name !== 'digit')) this.#isPlain = false;
    else if (element.kind === 'class') for (let digit = 0x30; digit <= 0x39; digit++) this.#members.push(digit);
  }

  #range(from: Element): void {
    this.#at += 1;
    const to = this.#element(true);
    if (from.kind !== 'character' || to.kind !== 'character') throw new PatternError('Invalid range end');
    const [first, last] = [this.#folded(from.symbol), this.#folded(to.symbol)];
    if (first > 0x7f || last > 0x7f) throw new PatternError(COLLATION);
    if (first > last) throw new PatternError('Invalid range end');
    this.#ranges.push([first, last]);
    const isDigits = first >= 0x30 && last <= 0x39;
    if (isDigits) for (let digit = first; digit <= last; digit++) this.#members.push(digit);
    else if (first === last) this.#members.push(first);
    else this.#isPlain = false;
  }

  #folded(symbol: number): number {
    return this.#ignoreCase ? upperOf(symbol) : symbol;
  }

  #element(mayBeDash: boolean): Element {
    const symbol = this.#next();
    const kind = this.#next(1);
    if (symbol === undefined) throw new PatternError(UNMATCHED);
    if (symbol === OPEN && kind !== undefined && '.=:'.includes(String.fromCodePoint(Math.min(kind, INVALID - 1)))) {
      return this.#named(kind);
    }
    this.#at += 1;
    if (symbol === DASH && !mayBeDash && this.#next() !== CLOSE) throw new PatternError('Invalid range end');
    return { kind: 'character', symbol };
  }

  /** `[:alpha:]`, `[=a=]`, `[.-.]`: the last two are for languages that this one is none of, and name one character. */
  #named(delimiter: number): Element {
    let end = this.#at + 2;
    while (!(this.#pattern[end] === delimiter && this.#pattern[end + 1] === CLOSE)) {
      if (end + 1 >= this.#pattern.length || end - this.#at > LONGEST_NAME + 1) throw new PatternError(UNMATCHED);
      end += 1;
    }
    const name = this.#pattern.slice(this.#at + 2, end);
    this.#at = end + 2;
    if (delimiter === COLON) return this.#class(String.fromCodePoint(...name.map((one) => Math.min(one, 0xfffd))));
    const [symbol = 0] = name;
    if (name.length !== 1 || symbol > 0x7f) throw new PatternError(COLLATION);
    this.#isPlain = false;
    return { kind: delimiter === 0x3d ? 'equivalents' : 'character', symbol };
  }

  #class(name: string): Element {
    const test = CLASSES.get(this.#ignoreCase && (name === 'upper' || name === 'lower') ? 'alpha' : name);
    if (test === undefined) throw new PatternError('Invalid character class name');
    return { kind: 'class', test, name };
  }

  #isConfusing(): boolean {
    const inner = this.#pattern.slice(this.#start, this.#at - 1);
    const isSimple = this.#ranges.length === 0 && this.#classes.length === 0 && this.#isPlain;
    const isFramed = inner.length > 2 && inner[0] === COLON && inner.at(-1) === COLON;
    return isSimple && isFramed && inner.some((symbol) => symbol !== COLON);
  }
}

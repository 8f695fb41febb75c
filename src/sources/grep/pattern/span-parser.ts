/**
 * Patterns as glibc's regcomp reads them: this says which are valid, and where in a line a match lies. Each odd corner of
 * the syntax is one of its, so that what `grep -o` prints is the same.
 */
import { parseBracket } from './bracket.ts';
import { CLASSES, isWord } from './characters.ts';
import {
  ANY_CHARACTER,
  type Assertion,
  choice,
  DEEPEST,
  type Dialect,
  EMPTY,
  MOST_REPEATED,
  type Node,
  PatternError,
  sequence,
  spanBracket,
  spanSymbol,
} from './syntax.ts';

type Kind =
  | 'character'
  | 'repeat'
  | 'interval'
  | 'interval-end'
  | 'open'
  | 'close'
  | 'or'
  | 'bracket'
  | 'anchor'
  | 'class'
  | 'any'
  | 'reference'
  | 'backslash'
  | 'end';

interface Token {
  readonly kind: Kind;
  readonly symbol: number;
  /** It came with a backslash. */
  readonly escaped: boolean;
}

/** What is an operator by itself in one dialect, and with a backslash in the other. */
const OPERATORS: Readonly<Record<string, Kind>> = {
  '|': 'or',
  '(': 'open',
  ')': 'close',
  '{': 'interval',
  '}': 'interval-end',
  '+': 'repeat',
  '?': 'repeat',
};
const PLAIN: Readonly<Record<string, Kind>> = { '*': 'repeat', '[': 'bracket', '.': 'any' };
const ANCHORS: Readonly<Record<string, Assertion>> = {
  '^': 'line-start',
  '`': 'line-start',
  $: 'line-end',
  "'": 'line-end',
  '<': 'word-start',
  '>': 'word-end',
  b: 'word-border',
  B: 'no-border',
};

/** A pattern as a tree; groups are numbered from 1. Throws a PatternError. */
export function parseSpan(pattern: readonly number[], dialect: Dialect): Node {
  return new SpanParser(pattern, dialect).parse();
}

class SpanParser {
  readonly #pattern: readonly number[];
  readonly #dialect: Dialect;
  /** After the token that is looked at. */
  #at = 0;
  #token: Token = { kind: 'end', symbol: 0, escaped: false };
  #groups = 0;
  /** Those that have ended where we are: only they can be referred to. */
  #completed = new Set<number>();

  constructor(pattern: readonly number[], dialect: Dialect) {
    this.#pattern = pattern;
    this.#dialect = dialect;
  }

  parse(): Node {
    this.#advance(true);
    return this.#alternatives(0);
  }

  #alternatives(nesting: number): Node {
    if (nesting > DEEPEST) throw new PatternError('Regular expression too big');
    const before = new Set(this.#completed);
    const options = [this.#branch(nesting)];
    while (this.#token.kind === 'or') {
      this.#advance(true);
      const isEmpty = this.#isBranchEnd(nesting);
      const after = this.#completed;
      this.#completed = new Set(before);
      options.push(isEmpty ? EMPTY : this.#branch(nesting));
      for (const group of after) this.#completed.add(group);
    }
    return choice(options);
  }

  #isBranchEnd(nesting: number): boolean {
    const { kind } = this.#token;
    return kind === 'or' || kind === 'end' || (nesting > 0 && kind === 'close');
  }

  #branch(nesting: number): Node {
    const parts = [this.#expression(nesting)];
    while (!this.#isBranchEnd(nesting)) parts.push(this.#expression(nesting));
    return sequence(parts.filter((part) => part !== EMPTY));
  }

  #expression(nesting: number): Node {
    const { kind, symbol } = this.#token;
    if (kind === 'or' || kind === 'end') return EMPTY;
    if (kind === 'anchor') {
      // What repeats something does not repeat this.
      const what = ANCHORS[String.fromCodePoint(symbol)] ?? 'line-start';
      this.#advance(false);
      return { kind: 'assert', what };
    }
    if ((kind === 'repeat' || kind === 'interval') && this.#dialect.extended) {
      this.#advance(false);
      return this.#expression(nesting);
    }
    let node = this.#atom(nesting);
    this.#advance(false);
    while (this.#token.kind === 'repeat' || this.#token.kind === 'interval') node = this.#repeated(node);
    return node;
  }

  #atom(nesting: number): Node {
    const { kind, symbol, escaped } = this.#token;
    switch (kind) {
      case 'open':
        return this.#group(nesting + 1);
      case 'bracket': {
        const bracket = parseBracket(this.#pattern, this.#at, this.#dialect.ignoreCase);
        this.#at = bracket.end;
        return spanBracket(bracket, this.#dialect);
      }
      case 'reference':
        if (!this.#completed.has(symbol - 0x30)) throw new PatternError('Invalid back reference');
        return { kind: 'reference', number: symbol - 0x30 };
      case 'class':
        return classNode(symbol);
      case 'any':
        return { kind: 'symbol', set: ANY_CHARACTER };
      case 'backslash':
        throw new PatternError('Trailing backslash');
      case 'close':
        if (!this.#dialect.extended) throw new PatternError('Unmatched ) or \\)');
        return spanSymbol(symbol, this.#dialect);
      default:
        return spanSymbol(symbol, this.#dialect, escaped && symbol < 0x80);
    }
  }

  #group(nesting: number): Node {
    this.#groups += 1;
    const number = this.#groups;
    this.#advance(true);
    const of = this.#token.kind === 'close' ? EMPTY : this.#alternatives(nesting);
    if (this.#token.kind !== 'close') throw new PatternError('Unmatched ( or \\(');
    this.#completed.add(number);
    return { kind: 'group', of, number };
  }

  #repeated(of: Node): Node {
    const { kind, symbol } = this.#token;
    const limits = kind === 'interval' ? this.#interval() : limitsOf(symbol);
    if (limits === undefined) return of;
    this.#advance(false);
    const [least, most] = limits;
    if (of === EMPTY || most === 0) return EMPTY;
    return { kind: 'repeat', of, least, most };
  }

  /** `{2,3}`; undefined where it is none, and stands for itself. */
  #interval(): readonly [number, number] | undefined {
    const [start, token] = [this.#at, this.#token];
    let least = this.#number();
    if (least === undefined) {
      if (this.#token.symbol !== 0x2c || this.#token.kind !== 'character') throw new PatternError(BAD_INTERVAL);
      least = 0;
    }
    const isOne = this.#token.kind === 'interval-end';
    const most = least === NO_NUMBER || isOne ? least : this.#token.symbol === 0x2c ? this.#number() : NO_NUMBER;
    if (least === NO_NUMBER || most === NO_NUMBER) {
      if (!this.#dialect.extended) {
        throw new PatternError(this.#token.kind === 'end' ? 'Unmatched \\{' : BAD_INTERVAL);
      }
      this.#at = start;
      this.#token = { ...token, kind: 'character' };
      return undefined;
    }
    if ((most !== undefined && least > most) || this.#token.kind !== 'interval-end')
      throw new PatternError(BAD_INTERVAL);
    if ((most ?? least) > MOST_REPEATED) throw new PatternError('Regular expression too big');
    return [least, most ?? Number.POSITIVE_INFINITY];
  }

  /** Up to a comma or the end of the interval; undefined where there is no digit. */
  #number(): number | undefined {
    let number: number | undefined;
    for (;;) {
      this.#advance(false);
      const { kind, symbol } = this.#token;
      if (kind === 'end') return NO_NUMBER;
      if (kind === 'interval-end' || symbol === 0x2c) return number;
      const isDigit = kind === 'character' && symbol >= 0x30 && symbol <= 0x39;
      if (!isDigit || number === NO_NUMBER) number = NO_NUMBER;
      else number = Math.min(MOST_REPEATED + 1, (number ?? 0) * 10 + symbol - 0x30);
    }
  }

  #advance(caretIsAnchor: boolean): void {
    this.#token = this.#peek(caretIsAnchor);
    this.#at += this.#token.escaped ? 2 : this.#token.kind === 'end' ? 0 : 1;
  }

  #peek(caretIsAnchor: boolean): Token {
    const symbol = this.#pattern[this.#at];
    if (symbol === undefined) return { kind: 'end', symbol: 0, escaped: false };
    if (symbol === 0x5c) return this.#escaped();
    const character = symbol < 0x80 ? String.fromCharCode(symbol) : '';
    const operator = this.#dialect.extended ? OPERATORS[character] : undefined;
    const isAnchor =
      (character === '^' && (this.#dialect.extended || caretIsAnchor || this.#at === 0)) ||
      (character === '$' && (this.#dialect.extended || this.#isBeforeEnd()));
    return { kind: isAnchor ? 'anchor' : (operator ?? PLAIN[character] ?? 'character'), symbol, escaped: false };
  }

  #escaped(): Token {
    const symbol = this.#pattern[this.#at + 1];
    if (symbol === undefined) return { kind: 'backslash', symbol: 0x5c, escaped: false };
    const character = symbol < 0x80 ? String.fromCharCode(symbol) : '';
    const operator = this.#dialect.extended ? undefined : OPERATORS[character];
    const other = /[1-9]/.test(character) ? 'reference' : /[wWsS]/.test(character) ? 'class' : 'character';
    const isAnchor = /[`'<>bB]/.test(character);
    return { kind: isAnchor ? 'anchor' : (operator ?? other), symbol, escaped: true };
  }

  /** Whether a basic pattern, or a part of it, ends after this `$`. */
  #isBeforeEnd(): boolean {
    const [next, after] = [this.#pattern[this.#at + 1], this.#pattern[this.#at + 2]];
    return next === undefined || (next === 0x5c && (after === 0x29 || after === 0x7c));
  }
}

const BAD_INTERVAL = 'Invalid content of \\{\\}';
const NO_NUMBER = -2;

/** `*`, `+` and `?`. */
function limitsOf(symbol: number): readonly [number, number] {
  return [symbol === 0x2b ? 1 : 0, symbol === 0x3f ? 1 : Number.POSITIVE_INFINITY];
}

/** `\w`, `\W`, `\s` and `\S`. */
function classNode(symbol: number): Node {
  const isSpace = CLASSES.get('space') ?? isWord;
  const test = symbol === 0x77 || symbol === 0x57 ? isWord : isSpace;
  const isNegated = symbol === 0x57 || symbol === 0x53;
  return { kind: 'symbol', set: { has: (one) => ANY_CHARACTER.has(one) && test(one) !== isNegated }, isWide: true };
}

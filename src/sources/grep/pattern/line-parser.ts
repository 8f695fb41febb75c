/**
 * Patterns as GNU grep's own matcher (dfa.c) reads them, which chooses lines. It is laxer than regcomp, and reads a few
 * odd patterns as something else; whatever it cannot decide itself (`needsSpan`), regcomp's reading decides.
 */
import { parseBracket } from './bracket.ts';
import { INVALID } from './characters.ts';
import {
  ANY_CHARACTER,
  choice,
  type Dialect,
  EMPTY,
  lineBracket,
  lineSymbol,
  type Node,
  PatternError,
  partsOf,
  sequence,
} from './syntax.ts';

export interface LinePattern {
  readonly node: Node;
  /** It has something in it that only the other reading can decide. */
  readonly needsSpan: boolean;
  /** In grep's words. */
  readonly warnings: readonly string[];
}

/** A list of patterns, one a line, that are valid. Throws a PatternError for what regcomp accepts and this one does not. */
export function parseLine(pattern: readonly number[], dialect: Dialect): LinePattern {
  return new LineParser(pattern, dialect).parse();
}

type Token =
  | { readonly kind: 'node'; readonly node: Node }
  | { readonly kind: 'repeat'; readonly least: number; readonly most: number }
  | { readonly kind: 'open' | 'close' | 'or' | 'end' };

/** What only the other reading can decide. */
const UNDECIDED: Node = { kind: 'reference', number: 0 };

function needsSpan(node: Node): boolean {
  return node === UNDECIDED || partsOf(node).some(needsSpan);
}

const OPERATORS = '|(){+?';

class LineParser {
  readonly #pattern: readonly number[];
  readonly #dialect: Dialect;
  #at = 0;
  #token: Token = { kind: 'end' };
  #last: Token['kind'] | 'start' = 'start';
  /** What repeats something has nothing before it. */
  #isStart = true;
  #open = 0;
  readonly #warnings: string[] = [];

  constructor(pattern: readonly number[], dialect: Dialect) {
    this.#pattern = pattern;
    this.#dialect = dialect;
  }

  /** What it warns of before an error is part of the error. */
  parse(): LinePattern {
    try {
      this.#advance();
      const node = this.#alternatives();
      if (this.#token.kind !== 'end') throw new PatternError('unbalanced )');
      return { node, needsSpan: needsSpan(node), warnings: this.#warnings };
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      const warnings = this.#warnings.map((text) => `warning: ${text}`);
      throw new PatternError([...warnings, error.message].join('\n'));
    }
  }

  #alternatives(): Node {
    const options = [this.#branch()];
    while (this.#token.kind === 'or') {
      this.#advance();
      options.push(this.#branch());
    }
    return choice(options);
  }

  #branch(): Node {
    const parts = [this.#closure()];
    while (this.#token.kind === 'node' || this.#token.kind === 'open' || this.#token.kind === 'repeat') {
      parts.push(this.#closure());
    }
    return sequence(parts.filter((part) => part !== EMPTY));
  }

  #closure(): Node {
    let node = this.#atom();
    while (this.#token.kind === 'repeat') {
      const { least, most } = this.#token;
      this.#advance();
      node = most === 0 ? this.#closure() : { kind: 'repeat', of: node, least, most };
    }
    return node;
  }

  #atom(): Node {
    if (this.#token.kind === 'node') {
      const { node } = this.#token;
      this.#advance();
      return node;
    }
    if (this.#token.kind !== 'open') return EMPTY;
    this.#advance();
    const node = this.#alternatives();
    this.#close();
    return node;
  }

  #close(): void {
    if (this.#token.kind !== 'close') throw new PatternError('unbalanced (');
    this.#advance();
  }

  #advance(): void {
    this.#token = this.#lex();
    this.#last = this.#token.kind;
  }

  #lex(): Token {
    const symbol = this.#pattern[this.#at];
    if (symbol === undefined) return { kind: 'end' };
    this.#at += 1;
    const escaped = symbol === 0x5c;
    const meant = escaped ? this.#pattern[this.#at] : symbol;
    if (meant === undefined) throw new PatternError('unfinished \\ escape');
    if (escaped) this.#at += 1;
    const character = meant < 0x80 ? String.fromCharCode(meant) : '';
    if (character === '\n' && !escaped) return this.#starting('or');
    const isOperator = character !== '' && OPERATORS.includes(character) && escaped !== this.#dialect.extended;
    const found = isOperator ? this.#operator(character) : this.#special(character, escaped);
    return found ?? this.#plain(meant >= INVALID ? UNDECIDED : lineSymbol(meant, this.#dialect));
  }

  #special(character: string, escaped: boolean): Token | undefined {
    if (escaped) return this.#escaped(character);
    if (character === '*') return this.#repeat(0, Number.POSITIVE_INFINITY, '*');
    if (character === '.') return this.#plain({ kind: 'symbol', set: ANY_CHARACTER });
    if (character === '[') return this.#bracket();
    if (
      character === '^' &&
      (this.#dialect.extended || this.#last === 'start' || this.#last === 'open' || this.#last === 'or')
    ) {
      return { kind: 'node', node: { kind: 'assert', what: 'line-start' } };
    }
    if (character === '$' && (this.#dialect.extended || this.#isBeforeEnd())) {
      return { kind: 'node', node: { kind: 'assert', what: 'line-end' } };
    }
    return undefined;
  }

  #escaped(character: string): Token | undefined {
    if (character === '`') return { kind: 'node', node: { kind: 'assert', what: 'line-start' } };
    if (character === "'") return { kind: 'node', node: { kind: 'assert', what: 'line-end' } };
    // What stands for these is of no account: the other reading decides.
    if (/[<>bB]/.test(character)) return { kind: 'node', node: UNDECIDED };
    return /[1-9wWsS]/.test(character) ? this.#plain(UNDECIDED) : undefined;
  }

  #operator(character: string): Token | undefined {
    switch (character) {
      case '|':
        return this.#starting('or');
      case '(':
        this.#open += 1;
        return this.#starting('open');
      case ')':
        if (this.#open === 0 && this.#dialect.extended) return undefined;
        this.#open -= 1;
        this.#isStart = false;
        return { kind: 'close' };
      case '{':
        return this.#interval();
      default:
        return this.#repeat(character === '+' ? 1 : 0, character === '?' ? 1 : Number.POSITIVE_INFINITY, character);
    }
  }

  /** Undefined where it stands for itself. */
  #repeat(least: number, most: number, what: string): Token | undefined {
    if (this.#isStart && !this.#dialect.extended) return undefined;
    if (this.#isStart) this.#warnings.push(`${what} at start of expression`);
    return { kind: 'repeat', least, most };
  }

  #interval(): Token | undefined {
    const rest = String.fromCodePoint(
      ...this.#pattern.slice(this.#at, this.#at + 64).map((one) => Math.min(one, 0xfffd)),
    );
    const match = (this.#dialect.extended ? /^(\d*)(?:(,)(\d*))?\}/ : /^(\d*)(?:(,)(\d*))?\\\}/).exec(rest);
    const [text = '', first = '', comma, second = ''] = match ?? [];
    const least = first === '' ? (comma === undefined ? Number.NaN : 0) : Number(first);
    const most = comma === undefined ? least : second === '' ? Number.POSITIVE_INFINITY : Number(second);
    if (match === null || !(least <= most)) {
      if (this.#dialect.extended) return undefined;
      if (!this.#isStart) throw new PatternError('invalid content of \\{\\}');
    }
    const token = this.#repeat(least, most, '{...}');
    if (token === undefined) return undefined;
    this.#at += text.length;
    this.#isStart = false;
    return token;
  }

  #bracket(): Token {
    const bracket = parseBracket(this.#pattern, this.#at, this.#dialect.ignoreCase);
    if (bracket.isConfusing) throw new PatternError('character class syntax is [[:space:]], not [:space:]');
    this.#at = bracket.end;
    return this.#plain(bracket.isPlain ? lineBracket(bracket, this.#dialect) : UNDECIDED);
  }

  #plain(node: Node): Token {
    this.#isStart = false;
    return { kind: 'node', node };
  }

  #starting(kind: 'or' | 'open'): Token {
    this.#isStart = true;
    return { kind };
  }

  /** As regcomp has it, but that the backslash of `\)` and `\|` may be missing. */
  #isBeforeEnd(): boolean {
    const [next, after] = [this.#pattern[this.#at], this.#pattern[this.#at + 1]];
    if (next === undefined || next === 10) return true;
    const end = next === 0x5c ? after : next;
    return (end === 0x29 || end === 0x7c) && this.#at + 1 < this.#pattern.length;
  }
}

/** Patterns as something that finds lines, and matches in lines, by the rules of GNU grep 3.8. */
import type { Formula } from '../../formula.ts';
import { Automaton } from './automaton.ts';
import { Backtracker } from './backtrack.ts';
import { INVALID, isWord, lengthOf, symbolAt, symbolBefore } from './characters.ts';
import { parseLine } from './line-parser.ts';
import type { PatternList } from './patterns.ts';
import { formulaOf } from './plan.ts';
import { compile, isNullable } from './program.ts';
import { parseSpan } from './span-parser.ts';
import { type Line, ProgramSpans, type Span, type SpanFinder } from './spans.ts';
import { choice, lineSymbol, type Node, PatternError, partsOf, sequence, spanSymbol } from './syntax.ts';

const ANYTHING: Node = {
  kind: 'repeat',
  of: { kind: 'symbol', set: { has: () => true } },
  least: 0,
  most: Number.POSITIVE_INFINITY,
};

/** What lines and matches are found with. Throws a PatternError for patterns that are none. */
export class Matcher {
  /** What a text must contain to have a line that matches. */
  readonly formula: Formula;
  readonly warnings: readonly string[];
  readonly #list: PatternList;
  readonly #lines: Automaton;
  readonly #finders: readonly SpanFinder[];
  /** Whether a match is looked for at characters, and not at bytes. */
  readonly #isByCharacters: boolean;
  /** Whether a line that the automaton finds must be looked at once more. */
  readonly #isCoarse: boolean;
  /** Odd patterns are read in two ways, and a line that the one chooses must not be ruled out by the other. */
  readonly #filter: Automaton | undefined;
  /** Bytes that each line has that matches; none are known if it is empty. */
  readonly #literal: Buffer;
  /** And a line that has them matches. */
  readonly #isAllLiteral: boolean;

  constructor(list: PatternList) {
    this.#list = list;
    const spans = spansOf(list);
    this.#isByCharacters = !list.isFixed && (list.ignoreCase || spans.some((span) => has(span, isWide)));
    const read = list.isFixed ? undefined : parseLine(wrapped(list), list);
    const lines = read === undefined ? choice(list.patterns.map((pattern) => fixed(pattern, list))) : read.node;
    this.warnings = read?.warnings ?? [];
    const isOwn = read?.needsSpan !== true && !this.#hasWordRule;
    const decisive = isOwn ? lines : choice(spans);
    this.formula = formulaOf(decisive, list.ignoreCase);
    this.#literal = literalIn(this.formula);
    this.#isAllLiteral = isOwn && !list.wholeLines && this.formula.kind === 'literal' && isText(decisive);
    const isOdd = !isOwn && read !== undefined && isReadInTwoWays(list);
    this.#filter = isOdd ? new Automaton(compile(withoutReferences(read.node)), list.lineEnd, false) : undefined;
    this.#isCoarse = isOdd || (!isOwn && (spans.some(hasReference) || (this.#hasWordRule && !isSimpleWord(decisive))));
    const isFramed = isOwn && read !== undefined;
    this.#lines = new Automaton(compile(isFramed ? decisive : this.#framed(decisive)), list.lineEnd, false);
    this.#finders = this.#findersOf(spans);
  }

  /** Whether a line matches that has the text which is all of the formula. */
  get isText(): boolean {
    return this.#isAllLiteral && this.#literal.length > 0;
  }

  /** Where in `bytes`, of whole lines between `from` and `to`, a line lies that matches: some place in it, or -1. */
  findLine(bytes: Buffer, from: number, to: number): number {
    for (let at = from; at < to; ) {
      const place = this.#candidate(bytes, at, to);
      if (place < 0 || !this.#isCoarse) return place;
      const line = lineAround(bytes, { place, from: at, lineEnd: this.#list.lineEnd });
      if (this.#selects(line)) return place;
      at = line.to + 1;
    }
    return -1;
  }

  /** The next match in a line that matches, at `at` or after it: leftmost, then longest. It may be empty. */
  span(line: Line, at: number): Span | undefined {
    if (this.#list.isFixed && this.#hasWordRule) return this.#fixedWord(line, at);
    let best: Span | undefined;
    for (const finder of this.#finders) {
      const found = this.#spanBy(finder, line, at);
      if (found === undefined) continue;
      const isBetter =
        best === undefined || found.start < best.start || (found.start === best.start && found.end > best.end);
      if (isBetter) best = found;
    }
    return best;
  }

  get #hasWordRule(): boolean {
    return this.#list.words && !this.#list.wholeLines;
  }

  /** -x and -w, where the automaton alone decides; without references, which it cannot follow. */
  #framed(node: Node): Node {
    const relaxed = withoutReferences(node);
    if (this.#list.wholeLines) return sequence([assertion('line-start'), relaxed, assertion('line-end')]);
    if (!this.#hasWordRule || this.#isCoarse) return relaxed;
    return sequence([assertion('after-no-word'), relaxed, assertion('before-no-word')]);
  }

  /** Patterns with references have their own, so that these do not mean another pattern's groups. */
  #findersOf(spans: readonly Node[]): SpanFinder[] {
    const plain = spans.filter((span) => !hasReference(span));
    const finders: SpanFinder[] = spans
      .filter(hasReference)
      .map((span) => new Backtracker(compile(span, true), this.#list.ignoreCase));
    if (plain.length > 0) finders.unshift(new ProgramSpans(compile(choice(plain)), this.#list.lineEnd));
    return finders;
  }

  #candidate(bytes: Buffer, from: number, to: number): number {
    if (this.#literal.length === 0) return this.#lines.findLine(bytes, from, to);
    for (let at = from; at < to; ) {
      const place = bytes.indexOf(this.#literal, at);
      if (place < 0 || place >= to) return -1;
      if (this.#isAllLiteral) return place;
      const line = lineAround(bytes, { place, from: at, lineEnd: this.#list.lineEnd });
      const found = this.#lines.findLine(bytes, line.from, line.to + 1);
      if (found >= 0) return found;
      at = line.to + 1;
    }
    return -1;
  }

  #selects(line: Line): boolean {
    if (this.#filter !== undefined && this.#filter.findLine(line.bytes, line.from, line.to + 1) < 0) return false;
    return this.#finders.some((finder) => {
      if (this.#hasWordRule) return this.#word(finder, line, line.from) !== undefined;
      const found = finder.find(line, line.from);
      if (!this.#list.wholeLines) return found !== undefined;
      return found?.start === line.from && found.end === line.to;
    });
  }

  #spanBy(finder: SpanFinder, line: Line, at: number): Span | undefined {
    if (!this.#list.words) return finder.find(line, at);
    if (!this.#list.wholeLines) return this.#word(finder, line, at);
    const found = finder.find(line, at);
    if (found === undefined || found.end - found.start !== line.to - at) return undefined;
    // Both of them at once print what ends the line, too, but for fixed strings.
    return { start: at, end: this.#list.isFixed ? line.to : line.to + 1 };
  }

  /**
   * A match between characters that are no part of a word: the longest at each place, then shorter ones, then the next
   * place. After the first match of a line, grep takes shorter ones from a text that it has cut too short.
   */
  #word(finder: SpanFinder, line: Line, from: number): Span | undefined {
    let found = finder.find(line, from);
    while (found !== undefined) {
      const { start, end } = found;
      if (!isWordAt(line, end) && !isWordBefore(line, start)) return found;
      const limit = line.from + (end - 1 - from);
      const shorter = end > start && limit >= start ? finder.cutEnd(line, start, limit) : undefined;
      if (shorter !== undefined && shorter > start) {
        found = { start, end: shorter };
        continue;
      }
      if (start === line.to) return undefined;
      found = finder.find(line, start + this.#stepPast(line, start));
    }
    return undefined;
  }

  /** To grep an empty match may lie within a character that is no part of a word, unless it looks at characters. */
  #stepPast({ bytes, to }: Line, at: number): number {
    const symbol = symbolAt(bytes, at, to);
    return this.#isByCharacters || isWord(symbol) ? lengthOf(symbol) : 1;
  }

  /** The same for fixed strings: what lies before the place where the search goes on is not looked at. */
  #fixedWord(line: Line, from: number): Span | undefined {
    const [finder] = this.#finders;
    let found = finder?.find(line, from);
    while (finder !== undefined && found !== undefined) {
      const { start } = found;
      const mayBegin = start === from || !isWordBefore(line, start);
      for (let end: number | undefined = mayBegin ? found.end : undefined; end !== undefined; ) {
        if (!isWordAt(line, end)) return { start, end };
        end = end > start ? finder.cutEnd(line, start, end - 1) : undefined;
      }
      if (start >= line.to) return undefined;
      found = finder.find(line, start + this.#stepPast(line, start));
    }
    return undefined;
  }
}

/** The line that a place lies in, of those from `from`, where one begins; a line's end belongs to it. */
export function lineAround(bytes: Buffer, at: { place: number; from: number; lineEnd: number }): Line {
  const before = at.place > at.from ? bytes.lastIndexOf(at.lineEnd, at.place - 1) : -1;
  return { bytes, from: Math.max(before + 1, at.from), to: bytes.indexOf(at.lineEnd, at.place) };
}

/** Throws a PatternError that names each pattern that is none. */
function spansOf(list: PatternList): Node[] {
  if (list.isFixed) return list.patterns.map((pattern) => sequence(pattern.map((symbol) => spanSymbol(symbol, list))));
  const errors: string[] = [];
  const nodes = list.patterns.flatMap((pattern, i) => {
    try {
      return [parseSpan(pattern, list)];
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      errors.push(`${list.places[i] ?? ''}${error.message}`);
      return [];
    }
  });
  if (errors.length > 0) throw new PatternError(errors.join('\n'));
  return nodes;
}

function fixed(pattern: readonly number[], list: PatternList): Node {
  return sequence(pattern.map((symbol) => lineSymbol(symbol, list)));
}

/**
 * Whether something repeats nothing, a parenthesis closes what -x or -w has put around the patterns, or a `$` stands where
 * only one of the readings takes it for the end.
 */
function isReadInTwoWays(list: PatternList): boolean {
  const text = String.fromCodePoint(...wrapped(list).map((symbol) => Math.min(symbol, INVALID - 1)));
  if (!list.extended) return /\$[)|]/.test(text);
  return /(?:^|[(|^$\n]|\\[`'<>bB])[*+?{]/.test(text) || text.split(')').length > text.split('(').length;
}

/** The patterns as one text, with what -x and -w put around it. */
function wrapped({ patterns, wholeLines, words, extended }: PatternList): number[] {
  const text = patterns.flatMap((pattern, i) => (i === 0 ? pattern : [10, ...pattern]));
  if (!wholeLines && !words) return text;
  const [before, after] = wholeLines ? ['^(', ')$'] : ['(^|[^[:alnum:]_])(', ')([^[:alnum:]_]|$)'];
  const inDialect = (frame: string): Buffer => Buffer.from(extended ? frame : frame.replace(/[(|)]/g, '\\$&'));
  return [...inDialect(before), ...text, ...inDialect(after)];
}

function assertion(what: 'line-start' | 'line-end' | 'after-no-word' | 'before-no-word'): Node {
  return { kind: 'assert', what };
}

/** Whether borders of words around it say all that -w means. */
function isSimpleWord(node: Node): boolean {
  return !isNullable(node) && !contains(node, 'assert') && !hasReference(node);
}

function hasReference(node: Node): boolean {
  return contains(node, 'reference');
}

function contains(node: Node, kind: Node['kind']): boolean {
  return has(node, (one) => one.kind === kind);
}

function has(node: Node, is: (one: Node) => boolean): boolean {
  return is(node) || partsOf(node).some((part) => has(part, is));
}

function isWide(node: Node): boolean {
  if (node.kind === 'assert') return node.what !== 'line-start' && node.what !== 'line-end';
  return node.kind === 'symbol' && node.isWide === true;
}

function withoutReferences(node: Node): Node {
  if (!hasReference(node)) return node;
  if (node.kind === 'reference') return ANYTHING;
  if (node.kind === 'all') return { ...node, parts: node.parts.map(withoutReferences) };
  if (node.kind === 'any') return { ...node, options: node.options.map(withoutReferences) };
  return node.kind === 'group' || node.kind === 'repeat' ? { ...node, of: withoutReferences(node.of) } : node;
}

/** Whether it is one text and nothing else. */
function isText(node: Node): boolean {
  if (node.kind === 'symbol') return node.set.members?.length === 1;
  return node.kind === 'all' && node.parts.every(isText);
}

/** The longest text that each line must have as it is. */
function literalIn(formula: Formula): Buffer {
  const parts = formula.kind === 'and' ? formula.parts : [formula];
  const texts = parts.flatMap((part) => (part.kind === 'literal' && !part.fold ? [part.text] : []));
  return Buffer.from(texts.reduce((longest, text) => (text.length > longest.length ? text : longest), ''));
}

function isWordAt({ bytes, to }: Line, at: number): boolean {
  return at < to && isWord(symbolAt(bytes, at, to));
}

function isWordBefore({ bytes, from }: Line, at: number): boolean {
  return isWord(symbolBefore(bytes, from, at) ?? INVALID);
}

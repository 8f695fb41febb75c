/**
 * What the server can tell about a formula. It looks at one chunk at a time, so a literal may also begin at the end of one
 * chunk and go on in the next: a chunk that ends with the beginning of a literal counts as a hit, too. Parts of an `and` may
 * lie in different chunks: each is asked for by itself.
 */
import type { Formula } from '../../formula.ts';
import type { Condition } from './collection.ts';

/** The slugs of pages with a chunk that meets a condition on its document; undefined if the server cannot tell. */
export type Ask = (condition: Condition) => Promise<ReadonlySet<string> | undefined>;

type Literal = Extract<Formula, { kind: 'literal' }>;

/** A longer literal is asked for by its beginning: Chroma Cloud takes no operand above 256 characters. */
const LONGEST = 24;
/** Alternatives in one condition (Chroma Cloud takes eight predicates), and in all. */
const AT_ONCE = 4;
const MOST_REQUESTS = 16;
/** No further part of an `and` is asked for once so few pages are left. */
const FEW = 50;

/** The slugs of pages that may meet a formula; undefined: all. */
export async function search(formula: Formula, ask: Ask): Promise<ReadonlySet<string> | undefined> {
  let left = MOST_REQUESTS;
  return evaluate(formula, (condition) => {
    left -= 1;
    return left < 0 ? Promise.resolve(undefined) : ask(condition);
  });
}

async function evaluate(formula: Formula, ask: Ask): Promise<ReadonlySet<string> | undefined> {
  switch (formula.kind) {
    case 'all':
      return undefined;
    case 'none':
      return new Set();
    case 'literal':
      return formula.text === '' ? undefined : ask(conditionOf(formula));
    case 'and':
      return every(formula.parts, ask);
    case 'or':
      return some(formula.parts, ask);
  }
}

async function every(parts: readonly Formula[], ask: Ask): Promise<ReadonlySet<string> | undefined> {
  let found: ReadonlySet<string> | undefined;
  for (const part of [...parts].sort((one, other) => selectivity(other) - selectivity(one))) {
    if (found !== undefined && found.size <= FEW) break;
    const hits = await evaluate(part, ask);
    if (hits === undefined) continue;
    const before = found;
    found = before === undefined ? hits : new Set([...hits].filter((slug) => before.has(slug)));
  }
  return found;
}

async function some(parts: readonly Formula[], ask: Ask): Promise<ReadonlySet<string> | undefined> {
  const literals = parts.filter((part) => part.kind === 'literal');
  if (literals.some((literal) => literal.text === '')) return undefined;
  const found = new Set<string>();
  const add = (hits: ReadonlySet<string> | undefined): boolean => {
    for (const slug of hits ?? []) found.add(slug);
    return hits !== undefined;
  };
  for (let at = 0; at < literals.length; at += AT_ONCE) {
    const conditions = literals.slice(at, at + AT_ONCE).map(conditionOf);
    if (!add(await ask(anyOf(conditions)))) return undefined;
  }
  for (const part of parts) {
    if (part.kind !== 'literal' && !add(await evaluate(part, ask))) return undefined;
  }
  return found;
}

/** How much a part is likely to narrow down: the length of the shortest text that meets it. */
function selectivity(formula: Formula): number {
  switch (formula.kind) {
    case 'all':
      return 0;
    case 'none':
      return Number.POSITIVE_INFINITY;
    case 'literal':
      return formula.text.length;
    case 'and':
      return Math.max(0, ...formula.parts.map(selectivity));
    case 'or':
      return Math.min(...formula.parts.map(selectivity));
  }
}

/**
 * A chunk that holds the literal, or that ends with a beginning of it. As regular expressions: `$contains` does not look
 * behind a NUL.
 */
function conditionOf({ text, fold }: Literal): Condition {
  const patterns = [...text].slice(0, LONGEST).map(fold ? eitherCase : literally);
  const flag = fold ? '(?i)' : '';
  const whole = { $regex: `${flag}${patterns.join('')}` };
  if (patterns.length === 1) return whole;
  return anyOf([whole, { $regex: `${flag}${beginnings(patterns.slice(0, -1))}\\z` }]);
}

function anyOf(conditions: readonly Condition[]): Condition {
  const flat = conditions.flatMap((one) => (Array.isArray(one.$or) ? (one.$or as Condition[]) : [one]));
  return flat.length === 1 && flat[0] !== undefined ? flat[0] : { $or: flat };
}

/** `a(?:b(?:c)?)?`: the first, the first two, … of these. */
function beginnings(patterns: readonly string[]): string {
  const inner = patterns.slice(1).reduceRight((rest, pattern) => `(?:${pattern}${rest})?`, '');
  return `${patterns[0] ?? ''}${inner}`;
}

/** Case-insensitive matching of the server folds simply; what `toUpperCase` and `toLowerCase` pair beyond that comes in here. */
function eitherCase(character: string): string {
  const cases = new Set([character]);
  for (const one of cases) {
    const pairs = [one.toLowerCase(), one.toUpperCase(), ...(/[iIıİ]/.test(one) ? ['i', 'I', 'ı', 'İ'] : [])];
    for (const other of pairs) if ([...other].length === 1) cases.add(other);
  }
  return cases.size === 1 ? literally(character) : `[${[...cases].map(literally).join('')}]`;
}

function literally(character: string): string {
  return /[\\.+*?()|[\]{}^$#&~-]/.test(character) ? `\\${character}` : character;
}

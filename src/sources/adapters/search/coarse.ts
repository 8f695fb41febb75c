/**
 * From what a text must contain to a query that finds at least every document that does. Wildcard queries on a field
 * that holds the whole content: `*needle*`. What the server knows nothing about, because the field is not there, may match.
 */
import type { Formula } from '../../formula.ts';
import type { Query } from './index-client.ts';

/** A server takes 1,024 clauses in all; the visible and the scope are clauses too. */
const MOST_CLAUSES = 500;
/** Longer needles find no fewer files, and make the server's automaton larger. */
const LONGEST_NEEDLE = 100;

/** ASCII letters that other letters fold to: the Kelvin sign, the long s, i without its dot and with it. */
const FOLDED_TO: Readonly<Record<string, readonly string[]>> = {
  k: ['\u212a'],
  s: ['\u017f'],
  i: ['\u0130', '\u0131'],
};

/** The query; undefined where it would say nothing, or more than a server takes. */
export function coarseQuery(formula: Formula, field: string): Query | undefined {
  const query = queryOf(formula, field);
  if (query === undefined || clauses(query) > MOST_CLAUSES) return undefined;
  return anyOf([query, { bool: { must_not: [{ exists: { field } }] } }]);
}

function queryOf(formula: Formula, field: string): Query | undefined {
  switch (formula.kind) {
    case 'all':
      return undefined;
    case 'none':
      return { match_none: {} };
    case 'literal':
      return formula.fold ? foldedQuery(formula.text, field) : exactQuery(formula.text, field);
    case 'and': {
      const parts = formula.parts.map((part) => queryOf(part, field)).filter((query) => query !== undefined);
      return parts.length === 0 ? undefined : { bool: { filter: parts } };
    }
    case 'or': {
      const parts = formula.parts.map((part) => queryOf(part, field));
      const known = parts.filter((query) => query !== undefined);
      return known.length < parts.length ? undefined : anyOf(known);
    }
  }
}

function exactQuery(text: string, field: string): Query | undefined {
  const needle = needleOf(text);
  return needle === '' ? undefined : contains(field, plain(needle), false);
}

/** The server knows ASCII's cases only. Other letters may be anything, and what folds to an ASCII letter may stand for it. */
function foldedQuery(text: string, field: string): Query | undefined {
  const needle = needleOf(text);
  const pattern = plain(needle).replace(/[^\0-\x7f]+/gu, '*');
  if (/^[*?]*$/.test(pattern)) return undefined;
  const others = Object.entries(FOLDED_TO).filter(([letter]) => needle.toLowerCase().includes(letter));
  const foreign = others.flatMap(([, letters]) => letters.map((letter) => contains(field, letter, false)));
  return anyOf([contains(field, pattern, true), ...foreign]);
}

/** The beginning of a literal, cut between characters. Half of a surrogate pair is in no text that a server keeps. */
function needleOf(text: string): string {
  return [...text]
    .slice(0, LONGEST_NEEDLE)
    .join('')
    .replace(/\p{Surrogate}.*$/su, '');
}

function contains(field: string, pattern: string, fold: boolean): Query {
  const value = `*${pattern}*`;
  return { wildcard: { [field]: fold ? { value, case_insensitive: true } : { value } } };
}

/**
 * What a pattern makes something special of may be any character. It could be escaped, but OpenSearch takes the star in
 * `\\*` for an escaped one (2.19.6).
 */
function plain(text: string): string {
  return text.replace(/[\\*?]/g, '?');
}

export function anyOf(queries: readonly Query[]): Query {
  return { bool: { should: queries, minimum_should_match: 1 } };
}

function clauses(query: Query): number {
  return JSON.stringify(query).split('"wildcard":').length - 1;
}

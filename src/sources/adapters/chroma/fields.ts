/** What the metadata of a row, and an entry of the path tree, say: which page, which part of it, for whom. */
import { PUBLIC } from '../../source.ts';

/** What a collection calls it. */
export interface Fields {
  readonly path: string;
  readonly order: string;
  readonly acl: string;
  readonly public: string;
  readonly mtime: string;
  /** How many chunks the page has. */
  readonly chunks: string;
  /** Where in its page a chunk begins, in characters; chunks that overlap are cut by it. */
  readonly start: string | undefined;
}

/** The groups that a record admits; undefined where it says nothing about it. */
export function aclOf(record: Readonly<Record<string, unknown>>, fields: Fields): readonly string[] | undefined {
  const groups = record[fields.acl];
  const isPublic = record[fields.public];
  if (groups === undefined && isPublic === undefined) return undefined;
  const named = Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [];
  return [...new Set(isPublic === true ? [PUBLIC, ...named] : named)].sort();
}

/** The groups that two lists both admit. Whoever needs one group for the first and another for the second is not. */
export function both(one: readonly string[], other: readonly string[]): readonly string[] {
  if (one.includes(PUBLIC)) return other;
  return other.includes(PUBLIC) ? one : one.filter((group) => other.includes(group));
}

/** Milliseconds since 1970, from milliseconds, seconds or a date in text. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'string') return timeOf(Date.parse(value));
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return undefined;
  return Math.floor(value < SECONDS_BELOW ? value * 1000 : value);
}

/** A number below is seconds (until the year 5138), or milliseconds of before March 1973, when there was no Chroma. */
const SECONDS_BELOW = 1e11;

/** A number that counts something. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

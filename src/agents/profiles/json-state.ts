/** JSON files that agents keep their state in, compared key by key. */
import { isDeepStrictEqual } from 'node:util';
import { isNestedTooDeep } from '../../sys/text/nesting.ts';

type Json = Readonly<Record<string, unknown>>;

/** The object that a text is; undefined for any other, and for one that is nested too deep to be compared. */
export function parseTable(text: string): Record<string, unknown> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
  return isTable(value) && !isNestedTooDeep(value) ? value : undefined;
}

export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The keys whose values differ, those of only one of both included. */
export function changedKeys(before: Json, after: Json): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => !isDeepStrictEqual(before[key], after[key]));
}

/** Gemini CLI and its forks sign in so. A rotated token is applied: the old one is worth nothing any more. */
export function objectionToTokens(before: string | undefined, after: string): string | undefined {
  const [old, fresh] = [parseTable(before ?? ''), parseTable(after)];
  if (old === undefined || fresh === undefined) return 'somebody has signed in or out';
  const others = changedKeys(old, fresh).filter((key) => !/^((id|access|refresh)_token|expiry_date)$/.test(key));
  return others.length === 0 ? undefined : `changes ${others.join(', ')}`;
}

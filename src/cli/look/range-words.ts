/** The words `[RANGE] [-- PATH…]` of a command line. */
import { resolve } from 'node:path';
import { GUEST_FILES } from '../../daemon/sockets/guest-environment.ts';
import { looksLikeRange, parseRange, type Range } from '../../history/timeline/ranges.ts';
import type { Timeline } from '../../history/timeline/segments.ts';
import { type BytePath, isWithin } from '../../sys/bytes.ts';
import { lookAt } from '../../sys/files/text-files.ts';
import { UserError } from '../../sys/user-error.ts';
import { isForGuest } from './guest-sight.ts';
import { toPaths } from './path-words.ts';

export const RANGE_HELP =
  'N, A..B, A.., ..B or all, also by names (default: all that is staged, against the real files)';
const HINT = "'yolofs log' lists the generations";

/** What the words ask for. */
export interface Question {
  readonly range: Range | undefined;
  /** The range was `all`. */
  readonly isAll: boolean;
  /** Nothing = everything. */
  readonly paths: readonly BytePath[];
  /** A word was taken for a path, which it may not be: what to say if nothing is found. */
  readonly doubt: UserError | undefined;
}

/**
 * After `--` there are only paths, and before it a range. Without `--`, the first word is a range if it looks like one,
 * or if it names a snapshot and no file. Throws a UserError for a range that means nothing.
 */
export function questionOf(words: readonly string[], timeline: Timeline): Question {
  const dashes = process.argv.indexOf('--');
  const isClear = dashes >= 0;
  const certain = isClear ? process.argv.length - dashes - 1 : 0;
  const [first, second] = words.slice(0, words.length - certain);
  if (first === undefined) return onlyPaths(words);
  if (isClear && second !== undefined) throw new UserError('only one range can be shown', 'after -- come paths');
  const isFile = !isClear && !looksLikeRange(first) && isThere(first);
  const range = isFile ? undefined : parseRange(first, timeline);
  if (range === undefined) return onlyPaths(words);
  if (!('error' in range)) return { range, isAll: first === 'all', paths: toPaths(words.slice(1)), doubt: undefined };
  const bad = new UserError(range.error, HINT);
  if (isClear || looksLikeRange(first)) throw bad;
  return onlyPaths(words, bad);
}

/** Of a guest's word, the guest says it: to look on the host would tell of what rules hide. */
function isThere(word: string): boolean {
  if (!isForGuest()) return lookAt(resolve(word)) !== undefined;
  return (JSON.parse(process.env[GUEST_FILES] ?? '[]') as readonly string[]).includes(word);
}

/** A range where there can be nothing else. Throws a UserError when it means nothing. */
export function rangeOf(word: string, timeline: Timeline): Range {
  const range = parseRange(word, timeline);
  if ('error' in range) throw new UserError(range.error, HINT);
  return range;
}

/** Whether something at a path, that was at another before, is asked for. */
export function isAsked(paths: readonly BytePath[], path: BytePath, from: BytePath = path): boolean {
  return paths.length === 0 || paths.some((wanted) => isWithin(path, wanted) || isWithin(from, wanted));
}

/** The items, if there are any or nobody doubted it. */
export function* unlessInDoubt<T>(items: Iterable<T>, { doubt }: Question): Generator<T, void, undefined> {
  let isEmpty = true;
  for (const item of items) {
    isEmpty = false;
    yield item;
  }
  if (isEmpty && doubt !== undefined) throw doubt;
}

function onlyPaths(words: readonly string[], doubt?: UserError): Question {
  return { range: undefined, isAll: false, paths: toPaths(words), doubt };
}

/** Hunks and sections as they are named on the command line. */
import type { HunkWish } from '../../daemon/orders/part/chosen.ts';
import { UsageError } from '../usage-error.ts';

export interface HunkOptions {
  readonly hunk?: readonly string[];
  readonly lines?: readonly string[];
}

export const HUNK_HELP = "only these hunks and sections ('diff --json --hunks' tells their keys)";
export const LINES_HELP = "of a hunk's changed lines these alone, as KEY:1,3-5 (repeatable)";

/** None: nothing was said of hunks. Throws a UsageError. */
export function hunkWishes({ hunk = [], lines = [] }: HunkOptions, paths: readonly string[]): HunkWish[] {
  const wishes = [...hunk.map((key) => ({ key })), ...lines.map(linesWish)];
  if (wishes.length > 0 && paths.length > 0) throw new UsageError('hunks are named instead of paths');
  const keys = wishes.map(({ key }) => key);
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) throw new UsageError(`${twice} is named twice`);
  return wishes;
}

/** Lines that one hunk can have, as far as anybody is shown it: a number beyond is a slip. */
const MOST_LINES = 1_000_000;

function linesWish(text: string): HunkWish {
  const [, key, list] = /^([^:]+):(\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*)$/.exec(text) ?? [];
  if (key === undefined || list === undefined) throw new UsageError(`--lines ${text}: it has to be like KEY:1,3-5`);
  const lines = list.split(',').flatMap((part) => {
    const [from = 0, to = from] = part.split('-').map(Number);
    if (from < 1 || to < from || to > MOST_LINES) throw new UsageError(`--lines ${text}: there are no lines ${part}`);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
  return { key, lines };
}

/** Which commits `wrap` has made by itself, of what agents keep: nobody means these by "the last commit". */
import { parseJson } from '../../daemon/parse-json.ts';
import type { Layout } from '../../history/layout.ts';
import { readText, replaceText } from '../../sys/files/text-files.ts';
import { UserError } from '../../sys/user-error.ts';

/** No more than can be taken back anyway. */
const MOST = 50;

/** Notes that a commit was one of these. */
export function noteStateCommit({ stateCommits }: Layout, number: number): void {
  replaceText(stateCommits, `${JSON.stringify([...load(stateCommits), number].slice(-MOST))}\n`, 0o600);
}

/**
 * How many of them were made after the last commit of a person's. Throws a UserError when there are only such. `applied`: numbers
 * of the commits that can be taken back, the latest last.
 */
export function stateCommitsOnTop({ stateCommits }: Layout, applied: readonly number[]): number {
  const own = new Set(load(stateCommits));
  const last = applied.findLastIndex((number) => !own.has(number));
  if (last < 0 && applied.length > 0) {
    throw new UserError(
      'there is no commit of yours to take back',
      "what was applied is what agents keep for themselves: 'yolofs wrap' has done that at its end",
    );
  }
  return applied.length - 1 - last;
}

function load(path: string): readonly number[] {
  const value = parseJson(readText(path) ?? '[]');
  return Array.isArray(value) ? value.filter((one): one is number => Number.isSafeInteger(one)) : [];
}

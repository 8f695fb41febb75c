/** Which commits `wrap` has made by itself, of what agents keep: nobody means these by "the last commit". */
import { parseJson } from '../../daemon/parse-json.ts';
import type { Layout } from '../../history/layout.ts';
import type { Turn } from '../../history/timeline/turns.ts';
import { readText, replaceText } from '../../sys/files/text-files.ts';
import { UserError } from '../../sys/user-error.ts';

/** No more than can be taken back anyway. */
const MOST = 50;

/** Notes that a commit was one of these. */
export function noteStateCommit({ stateCommits }: Layout, number: number): void {
  replaceText(stateCommits, `${JSON.stringify([...load(stateCommits), number].slice(-MOST))}\n`, 0o600);
}

/** Whether there may be any to take back. */
export function hasStateCommits({ stateCommits }: Layout): boolean {
  return load(stateCommits).length > 0;
}

/**
 * How many of them were made after the last commit or abort of a person's. Throws a UserError when there are only such. `turns`:
 * what can be taken back, the latest last.
 */
export function stateCommitsOnTop({ stateCommits }: Layout, turns: readonly Turn[]): number {
  const own = new Set(load(stateCommits));
  const last = turns.findLastIndex((turn) => turn.kind === 'abort' || !own.has(turn.commit));
  if (last < 0 && turns.length > 0) {
    throw new UserError(
      'there is no commit of yours to take back',
      "what was applied is what agents keep for themselves: 'yolofs wrap' has done that at its end",
    );
  }
  return turns.length - 1 - last;
}

function load(path: string): readonly number[] {
  const value = parseJson(readText(path) ?? '[]');
  return Array.isArray(value) ? value.filter((one): one is number => Number.isSafeInteger(one)) : [];
}

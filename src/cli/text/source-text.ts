/** What is known of the sources of a session, as lines for people. */
import type { SourceState } from '../../sources/keeper.ts';
import { oneLine } from '../../sys/bytes.ts';
import { renderSize } from '../../sys/text/size.ts';
import type { Paint } from './terminal.ts';

/** One line each of those that do not answer, or were not asked since the session was last there. */
export function staleSources(states: readonly SourceState[], paint: Paint): string[] {
  return states.flatMap((state) => (state.problem === undefined && !state.stale ? [] : [stateLine(state, paint)]));
}

/** What a source shows, and since when it does not answer. */
export function stateLine(
  { name, files, held, checkedAt, problem, leftOut, stale }: SourceState,
  paint: Paint,
): string {
  const shown =
    checkedAt === 0
      ? 'nothing is shown yet'
      : `${files} files${held ? `, ${renderSize(held)} of them here` : ''}, as of ${timeOf(checkedAt)}`;
  const left =
    leftOut.length === 0 ? '' : `; ${leftOut.length} left out: ${leftOut.slice(0, 3).map(leftLine).join(', ')}`;
  if (problem === undefined) return `${name}: ${shown}${stale ? ', and being asked' : ''}${left}`;
  return `${paint.yellow(`${name}: no answer since ${timeOf(problem.since)}`)}: ${oneLine(problem.cause)}; ${shown}${left}`;
}

function leftLine({ path, why }: SourceState['leftOut'][number]): string {
  return `${oneLine(path.slice(0, 80))} (${why})`;
}

function timeOf(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 8);
}

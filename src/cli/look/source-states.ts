/** What is known of the sources of a session, for whoever asks. */
import type { Layout } from '../../history/layout.ts';
import type { SourceState } from '../../sources/keeper.ts';
import { label, toBytePath } from '../../sys/bytes.ts';
import { withLiveDaemon } from '../connection.ts';
import { unseenNames } from './guest-sight.ts';

/** Of those that whoever asks may know of; none where no daemon is there, which alone knows. Rejects as `unseenNames`. */
export async function sourceStates(layout: Layout): Promise<readonly SourceState[]> {
  const told = await withLiveDaemon(layout, (daemon) => daemon.request({ op: 'sources', refresh: [] }));
  const states = told?.sources ?? [];
  const unseen = await unseenNames(
    { layout },
    states.map(({ at }) => toBytePath(at)),
  );
  return states.filter(({ at }) => !unseen.has(toBytePath(at)));
}

/** As JSON shows it. */
export function printableState({ name, at, files, checkedAt, stale, problem, leftOut }: SourceState): object {
  return {
    ...{ name: label(name), at, files },
    ...(checkedAt > 0 && { asOf: new Date(checkedAt).toISOString() }),
    ...(stale && { stale }),
    ...(problem && { down: { since: new Date(problem.since).toISOString(), why: problem.cause } }),
    ...(leftOut.length > 0 && { leftOut: leftOut.length }),
  };
}

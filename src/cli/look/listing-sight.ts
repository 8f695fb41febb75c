/** What of a listing whoever asks may see: inside the view no more than its names there. */
import type { ChangeLine } from '../../daemon/protocol.ts';
import type { Range } from '../../history/timeline/ranges.ts';
import type { GateNote } from '../../rules/note.ts';
import { recentRefusals } from '../../rules/refusals.ts';
import type { BytePath } from '../../sys/bytes.ts';
import { isForGuest, unseenNames } from './guest-sight.ts';
import { listingOf } from './listing.ts';
import type { Reading } from './read-session.ts';

/** Whether whoever asks may see the names of something. */
export type IsSeen = (what: Pick<ChangeLine, 'path' | 'from'>) => boolean;

/** Rejects as `unseenNames`. */
export async function sightOf(reading: Reading | undefined, range: Range | undefined): Promise<IsSeen> {
  if (reading === undefined || !isForGuest()) return () => true;
  const unseen = await unseenNames(reading, namesIn(reading, range));
  return ({ path, from }) => !unseen.has(path) && (from === undefined || !unseen.has(from));
}

/** All that a listing may name. */
function* namesIn(reading: Reading, range: Range | undefined): Generator<BytePath, void> {
  const { changes, drift } = listingOf(reading, range);
  for (const { path, from } of changes) yield* from === undefined ? [path] : [path, from];
  for (const { path } of [...drift.untold, ...refusalsOf(reading)]) yield path;
}

/** What rules have refused lately. */
export function refusalsOf(reading: Reading | undefined): readonly GateNote[] {
  return reading === undefined ? [] : recentRefusals(reading.session.journal);
}

/** What `status` lists: the changes, those that are staged with what was changed outside of them. */
import type { ChangeLine } from '../../daemon/protocol.ts';
import { resolvedByItself } from '../../history/commit/conflict/by-itself.ts';
import { checkInSteps } from '../../history/commit/conflict/check.ts';
import type { Conflict } from '../../history/commit/conflict/conflict.ts';
import { Drift } from '../../history/commit/conflict/drift.ts';
import { MergeBases } from '../../history/commit/conflict/merge-bases.ts';
import type { PathChange } from '../../history/diff/changes.ts';
import { Facts } from '../../history/diff/facts.ts';
import type { Range } from '../../history/timeline/ranges.ts';
import type { Found } from '../../review/review.ts';
import { allSteps } from '../../sys/all-steps.ts';
import { toBytePath } from '../../sys/bytes.ts';
import { rangeOf } from './range-words.ts';
import { changesIn, type Reading, timelineOf } from './read-session.ts';

/** The changes as `status` shows them, sorted by path; those that are staged with what was changed outside. */
export interface Listing {
  readonly changes: Generator<ChangeLine, void, undefined>;
  /** What was changed outside of what is staged. Of those that no change was about, it knows when all were listed. */
  readonly drift: Drift;
}

/** What `status` lists, of what is staged or of a range. Throws as `changesIn`. */
export function listingOf(reading: Reading | undefined, range?: Range | undefined): Listing {
  if (reading === undefined) return { changes: nothing(), drift: new Drift([]) };
  const { found, drift } = foundIn(reading, range);
  return { changes: changeLines(found), drift };
}

/** The range that a word asks for, and the generation at whose state it ends; without a word: what is staged. Throws as `rangeOf`. */
export function rangeAsked(
  reading: Reading | undefined,
  word: string | undefined,
): { readonly range: Range | undefined; readonly generation: number } {
  const range = word === undefined ? undefined : rangeOf(word, timelineOf(reading));
  return { range, generation: range?.to.generation ?? reading?.session.state.generation ?? 0 };
}

function* nothing(): Generator<ChangeLine, void, undefined> {}

/** The same, each with its two sides. */
export function foundIn(
  reading: Reading,
  range: Range | undefined,
): { readonly found: Iterable<Found>; readonly drift: Drift } {
  const drift = new Drift(range === undefined ? allSteps(conflictSteps(reading)) : []);
  return { found: withConflicts(changesIn(reading, range)(), drift), drift };
}

/** What is staged, as `foundIn` has it; undefined, a step for each name, while it is compared with what is outside. */
export function* foundInSteps(reading: Reading): Generator<Found | undefined, void> {
  const drift = new Drift(yield* conflictSteps(reading));
  yield* withConflicts(changesIn(reading, undefined)(), drift);
}

function* withConflicts(changes: Iterable<PathChange>, drift: Drift): Generator<Found, void, undefined> {
  for (const change of changes) yield { change, conflict: drift.of(change)?.theirs };
}

function* changeLines(found: Iterable<Found>): Generator<ChangeLine, void, undefined> {
  for (const {
    change: { path, change, type, from },
    conflict,
  } of found) {
    const line = from === undefined ? { path, change, type } : { path, change, type, from };
    yield conflict === undefined ? line : { ...line, conflict };
  }
}

/** What a commit would stumble over; a step for each name. */
function* conflictSteps(reading: Reading): Generator<undefined, readonly Conflict[]> {
  const { tree, ownChanges, layout } = reading;
  if (ownChanges.isPending) return [];
  const facts = reading.facts ?? new Facts(reading.base, reading.store);
  const project = toBytePath(layout.project);
  const options = { tree, facts, project, mergeBases: new MergeBases(layout.mergeBases) };
  const { conflicts } = yield* checkInSteps({ tree, facts, ownChanges });
  return conflicts.filter((one) => resolvedByItself(one, options) === undefined);
}

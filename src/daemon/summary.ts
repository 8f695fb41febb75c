/**
 * What one command changed, from the journal's records since it entered the view. Read on the main thread, beside
 * the FUSE thread that writes them: nobody in the view waits for it.
 */
import type { PathChange } from '../history/changes.ts';
import type { Journal } from '../history/journal.ts';
import { rangeChanges } from '../history/range-changes.ts';
import type { Body, Tag } from '../history/record.ts';
import type { BaseTree } from '../staging/base-tree.ts';
import type { ObjectStore } from '../staging/object-store.ts';
import type { BytePath } from '../sys/bytes.ts';
import { isWithin } from '../sys/bytes.ts';
import type { ChangeKind, ChangeLine, RunSummary } from './protocol.ts';

export interface SummaryParts {
  readonly journal: Journal;
  readonly base: BaseTree;
  readonly store: ObjectStore;
  readonly project: BytePath;
}

export type Summary = Pick<RunSummary, 'counts' | 'changes'>;

/** After these nothing of what was done before is staged any more. */
const RESETS: ReadonlySet<Tag> = new Set<Tag>(['K', 'A', 'U']);
/** More than anybody reads. */
const MOST_CHANGES = 300;
/** The most telling first; what is outside of the project comes before all of its kind inside. */
const ORDER: readonly ChangeKind[] = ['deleted', 'modified', 'renamed', 'metadata', 'added'];

/** Sums up what `run` has done from offset `from` of the journal on. Throws a SystemError or JournalDamaged. */
export function summarize(parts: SummaryParts, run: number, from: number): Summary {
  const changes = rangeChanges(bodiesOf(parts.journal, run, from), parts);
  const counts = { added: 0, modified: 0, deleted: 0, renamed: 0, metadata: 0 };
  for (const { change } of changes) counts[change] += 1;
  const rank = (change: PathChange): number =>
    ORDER.indexOf(change.change) * 2 + (isWithin(change.path, parts.project) ? 1 : 0);
  const telling = changes.sort((a, b) => rank(a) - rank(b)).slice(0, MOST_CHANGES);
  return { counts, changes: telling.map(toLine) };
}

/** The run's records since the last commit or abort, with those that nobody's name is on. */
function* bodiesOf(journal: Journal, run: number, from: number): Generator<Body, void> {
  for (const { record } of journal.scan({ from: lastReset(journal, from) })) {
    if (record.who.run === run || record.who.run === 0) yield record.body;
  }
}

function lastReset(journal: Journal, from: number): number {
  let at = from;
  for (const { next } of journal.scan({ from, only: RESETS })) at = next;
  return at;
}

function toLine({ path, change, type, from }: PathChange): ChangeLine {
  return from === undefined ? { path, change, type } : { path, change, type, from };
}

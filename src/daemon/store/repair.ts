/** What a crash has left of a session that no daemon serves: looking at it, and mending it. */
import { unfinishedCommits } from '../../history/commit/runner/places.ts';
import { describeRecovery, type LastResort, recoverCommits } from '../../history/commit/runner/recover.ts';
import type { Layout } from '../../history/layout.ts';
import { Journal } from '../../history/log/journal.ts';
import { JournalDamaged } from '../../history/log/lines.ts';
import { takeMounts } from '../../history/registry/mounts.ts';
import { SessionHistory } from '../../history/timeline/session-history.ts';
import { isStamped } from '../../history/timeline/store/stamp.ts';
import { lookAt } from '../../sys/files/text-files.ts';
import { takeLock } from '../life/lock.ts';

/** What is not as it should be, a sentence each. Changes nothing; meant for a session that no daemon serves. */
export function findDamage(layout: Layout): string[] {
  const found = unfinishedCommits(layout).map((number) => `commit ${number}, or its undo, was cut short`);
  if (lookAt(layout.tree) !== undefined && !isStamped(layout.tree)) {
    found.push('the tree store (tree.mdb) is damaged or was not finished; it is made again from the journal');
  }
  const journal = damageOf(layout);
  return journal === undefined ? found : [...found, journal];
}

/**
 * Finishes or rolls back what was cut short, as far as that is possible, and makes the tree store again; this process has the session's lock
 * for the rest of its life. Returns what was done, a sentence each; undefined: another process has the lock. Throws as
 * `recoverCommits` and `SessionHistory.open`.
 */
export async function repairAlone(layout: Layout): Promise<string[] | undefined> {
  if (lookAt(layout.journal) === undefined) return [];
  if (!takeLock(layout.lock)) return undefined;
  const done = await mendCommits(layout, 'give up');
  const wasDamaged = lookAt(layout.tree) !== undefined && !isStamped(layout.tree);
  const { history, tree } = SessionHistory.open(layout, { whoIs: () => ({ run: 0, name: undefined }) });
  history.flush(tree);
  await history.close();
  return wasDamaged ? [...done, 'the tree store was made again from the journal'] : done;
}

/**
 * Finishes what was cut short of commits and undos, or rolls it back: before the session is loaded, by whoever holds its lock. From here on
 * this thread goes by the session's mounts. Returns what was done, a sentence each; throws as `recoverCommits`.
 */
export async function mendCommits(layout: Layout, lastResort: LastResort = 'keep'): Promise<string[]> {
  takeMounts(layout);
  return (await recoverCommits(layout, lastResort)).map(describeRecovery);
}

function damageOf(layout: Layout): string | undefined {
  if (lookAt(layout.journal) === undefined) return undefined;
  try {
    const journal = Journal.open(layout.journal, { readOnly: true });
    try {
      journal.verify(journal.size);
    } finally {
      journal.close();
    }
    return undefined;
  } catch (error) {
    if (error instanceof JournalDamaged) return error.message;
    throw error;
  }
}

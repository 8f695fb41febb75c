/**
 * Hard links that a commit took from files of the base. Each such file has another ctime by that, and where a commit of a part
 * leaves one of its other names staged, that must not pass for changed outside.
 */
import { type Fingerprint, fingerprintOf } from '../../../staging/inode.ts';
import { type BytePath, join } from '../../../sys/bytes.ts';
import { SystemError } from '../../../sys/errno.ts';
import { Facts } from '../../diff/facts.ts';
import type { OpenSession } from '../open-session.ts';
import type { Plan } from '../plan.ts';
import { backupsOf, logOf } from '../runner/places.ts';
import type { Touched } from './own-changes.ts';

/** The files that have lost a name to the backups of a commit and may have others; none where it cannot look. */
export function namesTaken({ originals, log }: Pick<Plan, 'originals' | 'log'>, facts: Facts): Touched[] {
  const linked = new Map(
    originals.flatMap(({ print }) => (print.nlink > 1 ? [[`${print.dev}:${print.ino}`, print]] : [])),
  );
  if (linked.size === 0) return [];
  try {
    return [...touched(linked, backupsOf(log), facts)];
  } catch (error) {
    // The commit counts already: a conflict may be shown that is none.
    if (!(error instanceof SystemError)) throw error;
    return [];
  }
}

function* touched(linked: ReadonlyMap<string, Fingerprint>, backups: BytePath, facts: Facts): Generator<Touched> {
  for (const { name } of facts.list(backups) ?? []) {
    const stat = facts.of(join(backups, name));
    const print = stat && linked.get(`${stat.dev}:${stat.ino}`);
    const after = stat && fingerprintOf(stat).ctime;
    if (print === undefined || after === undefined) continue;
    if (after.sec !== print.ctime.sec || after.nsec !== print.ctime.nsec) yield { print, after };
  }
}

/** At a start, after recovery: who died had perhaps committed a part, and not yet noted what that has touched. */
export function finaliseLeft({ layout, ownChanges, base, store, history }: Omit<OpenSession, 'tree'>): void {
  if (!ownChanges.isPending) return;
  const last = history.applied.at(-1);
  const plan = { originals: ownChanges.pending, log: logOf(layout, last ?? 0) };
  if (last !== undefined) ownChanges.note(namesTaken(plan, new Facts(base, store)));
  ownChanges.finalise(base);
}

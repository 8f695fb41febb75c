/**
 * Hard links that a commit took from files of the base. Each such file has another ctime by that, and where a commit of a part
 * leaves one of its other names staged, that must not pass for changed outside.
 */
import { type Fingerprint, fingerprintOf } from '../../staging/inode.ts';
import { type BytePath, join } from '../../sys/bytes.ts';
import { SystemError } from '../../sys/errno.ts';
import { atticOf } from '../commits/places.ts';
import type { Facts } from '../compare/facts.ts';
import type { Plan } from '../plan.ts';
import type { Touched } from './own-touches.ts';

/** The files that have lost a name to the attic of a commit and may have others; none where it cannot look. */
export function namesTaken({ originals, log }: Pick<Plan, 'originals' | 'log'>, facts: Facts): Touched[] {
  const linked = new Map(
    originals.flatMap(({ print }) => (print.nlink > 1 ? [[`${print.dev}:${print.ino}`, print]] : [])),
  );
  if (linked.size === 0) return [];
  try {
    return [...touched(linked, atticOf(log), facts)];
  } catch (error) {
    // The commit counts already: a conflict may be shown that is none.
    if (!(error instanceof SystemError)) throw error;
    return [];
  }
}

function* touched(linked: ReadonlyMap<string, Fingerprint>, attic: BytePath, facts: Facts): Generator<Touched> {
  for (const { name } of facts.list(attic) ?? []) {
    const stat = facts.of(join(attic, name));
    const print = stat && linked.get(`${stat.dev}:${stat.ino}`);
    if (stat !== undefined && print !== undefined) yield { print, after: fingerprintOf(stat).ctime };
  }
}

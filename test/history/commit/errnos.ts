/** Commits in which a system call is refused for any of the reasons that a file system has. */
import { EIO, ENOSPC, EOPNOTSUPP, EPERM, EROFS } from '../../../src/sys/errno.ts';
import type { Fault } from '../../crash/faults.ts';
import type { Order } from '../../crash/matrix.ts';
import { commitOrder } from '../../crash/orders.ts';

/** Twenty changes of every kind. */
export const ORDER: Order = commitOrder({ groups: 1, other: false });

/** One call, and all from there on: then it cannot be taken back either, before the session is found again. */
export const FAULTS: readonly Omit<Fault, 'at'>[] = [EOPNOTSUPP, ENOSPC, EPERM, EROFS, EIO].flatMap((does) => [
  // Attributes that only root or the owner may set are left out, which is no failure.
  { does, changing: true, ...(does === EPERM ? { named: /^(?!fchownat|fchmod|utimensat)/ } : {}) },
  { does, changing: true, lasting: true },
]);

/** What a fault is called in a title. */
export function titleOf({ does, lasting }: Omit<Fault, 'at'>): string {
  return `errno ${does} at ${lasting ? 'all calls from one on' : 'one call'}`;
}

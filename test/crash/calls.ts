/** Stands between a commit and its system calls: counts them, makes one fail, or kills the process at one. */
import { sys } from '../../src/history/apply/calls.ts';
import type { Errno } from '../../src/sys/errno.ts';

type Table = Record<string, (...args: never[]) => unknown>;

/** Descriptors and reading are no steps between which a crash could differ. */
const CHANGING =
  /^(?:mkdir|mknod|symlink|link|unlink|rename|chmod|chown|utimes|ftruncate|fsync|write|setxattr|removexattr|syncfs|copy)/;

export interface Fault {
  /** Counted from 1. */
  readonly at: number;
  readonly does: 'kill' | Errno;
  /** Only calls that change something. */
  readonly changing?: boolean;
}

/** Counts calls from now on, with a fault at one of them; returns what gives the number so far and ends it. */
export function watchCalls(fault?: Fault): { readonly count: () => number; readonly end: () => void } {
  const table = sys as unknown as Table;
  const originals = { ...table };
  let count = 0;
  for (const [name, call] of Object.entries(originals)) {
    if (fault?.changing === true && !CHANGING.test(name)) continue;
    table[name] = (...args: never[]): unknown => {
      count += 1;
      if (count !== fault?.at) return call(...args);
      if (fault.does === 'kill') process.kill(process.pid, 'SIGKILL');
      if (name === 'copyContent') return fault.does;
      const result = -(fault.does as number);
      return name === 'syncfsAsync' ? Promise.resolve(result) : result;
    };
  }
  return { count: () => count, end: () => void Object.assign(table, originals) };
}

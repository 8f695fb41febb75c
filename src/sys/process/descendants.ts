/** The processes below one, by /proc. */
import { allProcesses, readProc } from './process.ts';

/** All processes that `pid` has started, and these in turn; never waits for one of them. */
export function descendantsOf(pid: number): number[] {
  const parents = new Map(allProcesses().map((one) => [one, parentOf(one)]));
  const found = [pid];
  for (const parent of found) for (const [one, its] of parents) if (its === parent) found.push(one);
  return found.slice(1);
}

/** `stat` would have to wait while an execve(2) is under way. */
function parentOf(pid: number): number {
  return Number(/^PPid:\t(\d+)/m.exec(readProc(pid, 'status') ?? '')?.[1] ?? 0);
}

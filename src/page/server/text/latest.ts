/** What was made last of a file, for its other pages: as long as both its sides stay what they were. */
import type { PathChange, Side } from '../../../history/diff/changes.ts';
import type { Facts } from '../../../history/diff/facts.ts';
import { coarseTime } from '../../../sys/libc.ts';
import { decodeStatx, STATX_SIZE, type Stat } from '../../../sys/stat.ts';

/** Two writes within a tick of the clock leave the same times: what was written just now is not kept. */
const SETTLED_SEC = 2;

export class Latest<T> {
  #known: { readonly stamp: string; readonly made: T } | undefined;

  async of(stamp: string | undefined, make: () => T | Promise<T>): Promise<T> {
    if (stamp !== undefined && this.#known?.stamp === stamp) return this.#known.made;
    // Two large ones are not held at once.
    this.#known = undefined;
    const made = await make();
    this.#known = stamp === undefined ? undefined : { stamp, made };
    return made;
  }
}

/** Says which contents a change is between; undefined: it may be another without anybody noticing. */
export function contentStamp(
  { path, from, oldSide, newSide, displaced }: PathChange,
  facts: Facts,
): string | undefined {
  const said: unknown[] = [path, from, displaced, oldSide?.backing, newSide?.backing];
  const settled = coarseTime().sec - SETTLED_SEC;
  for (const side of [oldSide, newSide]) {
    const stat = side && statOf(side, facts);
    if (stat === undefined) continue;
    if (Math.max(stat.mtimeSec, stat.ctimeSec) > settled) return undefined;
    said.push([stat.size, stat.ino, stat.mtimeSec, stat.mtimeNsec, stat.ctimeSec, stat.ctimeNsec]);
  }
  return JSON.stringify(said);
}

/** Of the file that holds its content. */
function statOf({ backing }: Side, facts: Facts): Stat | undefined {
  if (backing.kind === 'base') return facts.of(backing.path);
  if (backing.kind !== 'object') return undefined;
  const statx = Buffer.alloc(STATX_SIZE);
  return facts.store.statInto(backing.object, statx) < 0 ? undefined : decodeStatx(statx);
}

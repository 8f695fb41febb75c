/**
 * Stamps of deleted directories that stay staged while a commit moves something out of them: what is left there is less than
 * what the stamp was made of, and nobody else has done that.
 */
import type { BaseStamp } from '../../../staging/base-stamps.ts';
import { isMoved, typeOfStamp } from '../../../staging/base-stamps.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';
import type { BytePath } from '../../../sys/bytes.ts';
import { isWithin } from '../../../sys/bytes.ts';
import { isDirectory, S_IFDIR } from '../../../sys/stat.ts';
import type { Facts } from '../../diff/facts.ts';
import type { OwnChanges } from '../conflict/own-changes.ts';
import { stages } from '../conflict/todays-stamps.ts';

export interface LeftStampsOptions {
  readonly tree: OverrideTree;
  readonly facts: Facts;
  /** What we have touched ourselves. */
  readonly ownChanges?: OwnChanges | undefined;
  /** Base entries that the commit moves, by their path in the base. */
  readonly moved: ReadonlyMap<BytePath, unknown>;
}

/**
 * The stamps that directories will have once it is done, by path in the base. One that is not what it was any more has none:
 * its old stamp goes on saying so.
 */
export function leftStamps({ tree, facts, ownChanges, moved }: LeftStampsOptions): Map<BytePath, BaseStamp> {
  const { stamps } = tree;
  const before = stages({ facts, stamps }, ownChanges);
  // Any stamp will do to leave a name out.
  const get = (path: BytePath): BaseStamp | undefined =>
    stamps.get(path) ?? ((moved.has(path) ? 1 : undefined) as BaseStamp);
  const after = stages({ facts, stamps: { get } }, ownChanges);
  const left = new Map<BytePath, BaseStamp>();
  const origins = [...moved.keys()].filter((path) => stamps.get(path) === undefined);
  if (origins.length === 0) return left;
  for (const [path, stamp] of stamps.entries()) {
    if (typeOfStamp(stamp) !== S_IFDIR || isMoved(stamp) || !origins.some((origin) => isWithin(origin, path))) continue;
    const stat = facts.of(path);
    if (stat === undefined || !isDirectory(stat.mode)) continue;
    const stage = before.findIndex((as) => as.of(path, stat, 'deleted') === stamp);
    const now = after[stage]?.of(path, stat, 'deleted');
    if (now !== undefined) left.set(path, now);
  }
  return left;
}

/**
 * Marks of deleted directories that stay staged while a commit moves something out of them: what is left there is less than
 * what the mark was made of, and nobody else has done that.
 */
import type { Mark } from '../../staging/marks.ts';
import { isMoved, typeOfMark } from '../../staging/marks.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { BytePath } from '../../sys/bytes.ts';
import { isWithin } from '../../sys/bytes.ts';
import { isDirectory, S_IFDIR } from '../../sys/stat.ts';
import type { Facts } from '../compare/facts.ts';
import { stages } from '../conflict/base-marks.ts';
import type { OwnTouches } from '../conflict/own-touches.ts';

export interface LeftMarksOptions {
  readonly tree: OverrideTree;
  readonly facts: Facts;
  /** What we have touched ourselves. */
  readonly touches?: OwnTouches | undefined;
  /** Originals that the commit moves, by their path in the base. */
  readonly moved: ReadonlyMap<BytePath, unknown>;
}

/**
 * The marks that directories will have once it is done, by path in the base. One that is not what it was any more has none:
 * its old mark goes on saying so.
 */
export function leftMarks({ tree, facts, touches, moved }: LeftMarksOptions): Map<BytePath, Mark> {
  const { marks } = tree;
  const before = stages({ facts, marks }, touches);
  // Any mark will do to leave a name out.
  const get = (path: BytePath): Mark | undefined => marks.get(path) ?? ((moved.has(path) ? 1 : undefined) as Mark);
  const after = stages({ facts, marks: { get } }, touches);
  const left = new Map<BytePath, Mark>();
  const origins = [...moved.keys()].filter((path) => marks.get(path) === undefined);
  if (origins.length === 0) return left;
  for (const [path, mark] of marks.entries()) {
    if (typeOfMark(mark) !== S_IFDIR || isMoved(mark) || !origins.some((origin) => isWithin(origin, path))) continue;
    const stat = facts.of(path);
    if (stat === undefined || !isDirectory(stat.mode)) continue;
    const stage = before.findIndex((as) => as.of(path, stat, 'deleted') === mark);
    const now = after[stage]?.of(path, stat, 'deleted');
    if (now !== undefined) left.set(path, now);
  }
  return left;
}

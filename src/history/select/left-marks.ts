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
import { BaseMarks, type BaseMarksOptions } from '../conflict/base-marks.ts';

export interface LeftMarksOptions {
  readonly tree: OverrideTree;
  readonly facts: Facts;
  readonly asOf?: BaseMarksOptions['asOf'];
  /** Originals that the commit moves, by their path in the base. */
  readonly moved: ReadonlyMap<BytePath, unknown>;
}

/**
 * The marks that directories will have once it is done, by path in the base. One that is not what it was any more has none:
 * its old mark goes on saying so.
 */
export function leftMarks({ tree, facts, asOf, moved }: LeftMarksOptions): Map<BytePath, Mark> {
  const { marks } = tree;
  const known = { facts, ...(asOf && { asOf }) };
  const before = new BaseMarks({ ...known, marks });
  // Any mark will do to leave a name out.
  const after = new BaseMarks({
    ...known,
    marks: { get: (path) => marks.get(path) ?? ((moved.has(path) ? 1 : undefined) as Mark) },
  });
  const left = new Map<BytePath, Mark>();
  const origins = [...moved.keys()].filter((path) => marks.get(path) === undefined);
  if (origins.length === 0) return left;
  for (const [path, mark] of marks.entries()) {
    if (typeOfMark(mark) !== S_IFDIR || isMoved(mark) || !origins.some((origin) => isWithin(origin, path))) continue;
    const stat = facts.of(path);
    if (stat === undefined || !isDirectory(stat.mode) || before.of(path, stat, 'deleted') !== mark) continue;
    left.set(path, after.of(path, stat, 'deleted'));
  }
  return left;
}

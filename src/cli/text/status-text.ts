/** The listing of `status`: one group a kind of change, the destructive ones first. */

import { amount } from '../../agents/amount.ts';
import { isOutside, showPath, type Viewpoint } from '../../agents/show-path.ts';
import type { ChangeKind, ChangeLine } from '../../daemon/protocol.ts';
import type { Conflict } from '../../history/conflict/conflict.ts';
import { type BytePath, splitPath } from '../../sys/bytes.ts';
import type { Paint } from './terminal.ts';

interface Group {
  readonly kind: ChangeKind;
  readonly title: string;
  readonly colour: Exclude<keyof Paint, 'bold' | 'dim'>;
}

const GROUPS: readonly Group[] = [
  { kind: 'deleted', title: 'Deleted', colour: 'red' },
  { kind: 'modified', title: 'Modified', colour: 'yellow' },
  { kind: 'renamed', title: 'Renamed', colour: 'cyan' },
  { kind: 'metadata', title: 'Attributes changed', colour: 'cyan' },
  { kind: 'added', title: 'Added', colour: 'green' },
];

const MARK = ' (changed outside)';
/** Files of a new directory that are listed one by one. */
const MOST_LISTED = 20;
const NONE: ReadonlyMap<BytePath, number> = new Map();

export interface Listed {
  readonly changes: readonly ChangeLine[];
  /** Changed outside so that nothing differs any more, which a commit asks about all the same. */
  readonly untold: readonly Pick<Conflict, 'path'>[];
}

/** The lines of the listing, one after the other, so that a huge one is never held as text. */
export function* statusLines(
  { changes, untold }: Listed,
  from: Viewpoint,
  paint: Paint,
): Generator<string, void, undefined> {
  const [groups, outside, marked] = sorted(changes, from);
  const conflicts = marked + untold.length;
  let isFirst = true;
  for (const { kind, title, colour } of GROUPS) {
    const members = groups[kind];
    if (members.length === 0) continue;
    if (!isFirst) yield '';
    isFirst = false;
    yield paint.bold(`${title} (${members.length})`);
    const folded = kind === 'added' ? foldedDirectories(members) : NONE;
    for (const change of members) {
      if (isFolded(change, folded)) continue;
      const below = folded.get(change.path);
      const more =
        below === undefined ? '' : paint.dim(` (${amount(below, 'file')}: --json, or diff --stat, lists them)`);
      yield `  ${paint[colour](changeText(change, from))}${outsideText(change, paint)}${more}`;
    }
  }
  if (untold.length > 0 && !isFirst) yield '';
  if (untold.length > 0) yield paint.bold(`Nothing left to change (${untold.length})`);
  for (const { path } of untold) yield `  ${showPath(path, from)}${paint.red(MARK)}`;
  if (outside > 0) yield '';
  if (outside > 0) yield paint.yellow(`${outside} of them outside the project, shown with absolute paths`);
  if (conflicts > 0) yield '';
  if (conflicts > 0)
    yield paint.red(`${conflicts} of them changed outside, too: 'yolofs commit --help' says how to choose`);
}

/**
 * New directories of which only a number is told, and which: what is not a directory in them. One in which something was changed outside is
 * listed. What is in a directory comes after it.
 */
function foldedDirectories(added: readonly ChangeLine[]): ReadonlyMap<BytePath, number> {
  const files = new Map<BytePath, number>();
  for (const { path, type, conflict } of added) {
    const around = outermost(path, files);
    if (around !== undefined) {
      const count = (files.get(around) ?? 0) + (type === 'directory' ? 0 : 1);
      files.set(around, conflict === undefined ? count : Number.NEGATIVE_INFINITY);
    } else if (type === 'directory') files.set(path, 0);
  }
  return new Map([...files].filter(([, count]) => count > MOST_LISTED));
}

function isFolded({ path }: ChangeLine, folded: ReadonlyMap<BytePath, number>): boolean {
  return folded.size > 0 && outermost(path, folded) !== undefined;
}

/** The directory of these that `path` is strictly below. */
function outermost(path: BytePath, directories: ReadonlyMap<BytePath, number>): BytePath | undefined {
  for (let at = splitPath(path); at !== undefined; at = splitPath(at.dir)) if (directories.has(at.dir)) return at.dir;
  return undefined;
}

/** The groups, how many are outside of the project, and how many were changed outside: all in one pass. */
function sorted(
  changes: readonly ChangeLine[],
  from: Viewpoint,
): readonly [Readonly<Record<ChangeKind, readonly ChangeLine[]>>, number, number] {
  const groups: Record<ChangeKind, ChangeLine[]> = { deleted: [], modified: [], renamed: [], metadata: [], added: [] };
  let [outside, conflicts] = [0, 0];
  for (const change of changes) {
    groups[change.change].push(change);
    if (isOutside(change.path, from)) outside += 1;
    if (change.conflict !== undefined) conflicts += 1;
  }
  return [groups, outside, conflicts];
}

/** Somebody has changed the real file since it was first overridden. */
function outsideText({ conflict }: ChangeLine, paint: Paint): string {
  return conflict === undefined ? '' : paint.red(MARK);
}

/** One change as text: the path, for a rename `old → new`. */
export function changeText(change: ChangeLine, from: Viewpoint): string {
  const path = showPath(change.path, from, change.type);
  return change.from === undefined ? path : `${showPath(change.from, from, change.type)} → ${path}`;
}

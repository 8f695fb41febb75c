/** The listing of `status`: the project's changes by kind, the destructive ones first, then what is outside of it, then what is folded. */

import { amount } from '../../agents/amount.ts';
import { showPath, type Viewpoint } from '../../agents/show-path.ts';
import type { ChangeKind, ChangeLine } from '../../daemon/protocol.ts';
import type { Conflict } from '../../history/commit/conflict/conflict.ts';
import type { Entry, Review } from '../../review/review.ts';
import { type BytePath, splitPath } from '../../sys/bytes.ts';
import { PathMap } from '../../sys/path-map.ts';
import { renderSize } from '../../sys/text/size.ts';
import { foldedLines } from '../review/folded-text.ts';
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
/** Files, and directories, of a new directory, or of one that is gone, that are listed one by one. */
const MOST_LISTED = 20;

export interface Listed {
  readonly review: Pick<Review, 'project' | 'outside' | 'folded'>;
  /** Changed outside so that nothing differs any more, which a commit asks about all the same. */
  readonly untold: readonly Pick<Conflict, 'path'>[];
  /** List what is in new directories, and in those that are gone, too, however much it is. */
  readonly all?: boolean;
}

/** What a directory holds. */
interface Below {
  readonly files: number;
  readonly directories: number;
  readonly size: number;
  /** Something in it was changed outside, too. */
  readonly isListed: boolean;
}

interface Look {
  readonly from: Viewpoint;
  readonly paint: Paint;
  readonly all: boolean;
}

/** The lines of the listing, one after the other, so that a huge one is never held as text. */
export function* statusLines(
  { review, untold, all = false }: Listed,
  from: Viewpoint,
  paint: Paint,
): Generator<string, void, undefined> {
  const look = { from, paint, all };
  const conflicts = [...review.project, ...review.outside].filter(({ conflict }) => conflict !== undefined).length;
  const parts = [
    ...GROUPS.map((group) => projectGroup(group, review.project, look)),
    outsideGroup(review.outside, look),
    untoldGroup(untold, look),
    foldedLines(review.folded, from, paint),
    conflictLine(conflicts + untold.length, paint),
  ];
  let isFirst = true;
  for (const part of parts) {
    for (const [index, line] of enumerate(part)) {
      if (index === 0 && !isFirst) yield '';
      isFirst = false;
      yield line;
    }
  }
}

function* enumerate<T>(all: Iterable<T>): Generator<readonly [number, T], void, undefined> {
  let index = 0;
  for (const one of all) {
    yield [index, one];
    index += 1;
  }
}

function* projectGroup(
  { kind, title, colour }: Group,
  entries: readonly Entry[],
  look: Look,
): Generator<string, void, undefined> {
  const members = entries.filter(({ change }) => change === kind);
  if (members.length === 0) return;
  yield look.paint.bold(`${title} (${members.length})`);
  for (const { text, note } of memberTexts(members, look)) yield `  ${look.paint[colour](text)}${note}`;
}

/** By kind, as in the project, each with its kind beside it: nobody expects changes there. */
function* outsideGroup(entries: readonly Entry[], look: Look): Generator<string, void, undefined> {
  if (entries.length === 0) return;
  const { paint } = look;
  yield paint.yellow(paint.bold(`Outside the project (${entries.length})`));
  for (const { kind, colour } of GROUPS) {
    const members = entries.filter(({ change }) => change === kind);
    for (const { text, note } of memberTexts(members, look))
      yield `  ${paint[colour](`${kind.padEnd(8)} ${text}`)}${note}`;
  }
}

function* untoldGroup(untold: Listed['untold'], { from, paint }: Look): Generator<string, void, undefined> {
  if (untold.length > 0) yield paint.bold(`Nothing left to change (${untold.length})`);
  for (const { path } of untold) yield `  ${showPath(path, from)}${paint.red(MARK)}`;
}

function conflictLine(count: number, paint: Paint): readonly string[] {
  if (count === 0) return [];
  return [paint.red(`${count} of them changed outside, too: 'yolofs commit --help' says how to choose`)];
}

/** What is in a new directory, or one that is gone, is left out where it is much: the directory says how much. */
function* memberTexts(
  members: readonly Entry[],
  { from, paint, all }: Look,
): Generator<{ readonly text: string; readonly note: string }, void, undefined> {
  const kind = members[0]?.change;
  const folded = !all && (kind === 'added' || kind === 'deleted') ? foldedDirectories(members) : undefined;
  for (const change of members) {
    if (folded?.around(change.path) !== undefined) continue;
    const below = folded?.get(change.path);
    const more = below === undefined ? '' : paint.dim(` (${belowText(below, change)})`);
    yield { text: changeText(change, from), note: `${outsideText(change, paint)}${more}` };
  }
}

function belowText({ files, size }: Below, { change }: Entry): string {
  return change === 'deleted' ? amount(files, 'file') : `${amount(files, 'file')}, ${renderSize(size)}`;
}

/**
 * Directories of which only a number is told, and which: what is not a directory in them. One in which something was changed outside is
 * listed. What is in a directory comes after it.
 */
function foldedDirectories(members: readonly Entry[]): Directories {
  const found = new Directories();
  for (const { path, type, conflict, size = 0 } of members) {
    const around = found.around(path);
    const known = around === undefined ? undefined : found.get(around);
    if (around !== undefined && known !== undefined) {
      const one = type === 'directory' ? { files: 0, directories: 1 } : { files: 1, directories: 0 };
      const [files, directories] = [known.files + one.files, known.directories + one.directories];
      const isListed = conflict !== undefined || known.isListed;
      found.set(around, { files, directories, size: known.size + size, isListed });
    } else if (type === 'directory') found.set(path, { files: 0, directories: 0, size: 0, isListed: false });
  }
  return found.only(({ isListed, files, directories }) => !isListed && Math.max(files, directories) > MOST_LISTED);
}

/** Directories none of which is in another, with what they hold. */
class Directories extends PathMap<Below> {
  /** The directory of these that `path` is strictly below. */
  around(path: BytePath): BytePath | undefined {
    const dir = splitPath(path)?.dir;
    if (dir !== undefined) for (const [above] of this.above(dir)) return above;
    return undefined;
  }

  only(isWanted: (below: Below) => boolean): Directories {
    const wanted = new Directories();
    for (const [path, below] of this) if (isWanted(below)) wanted.set(path, below);
    return wanted;
  }
}

/** Somebody has changed the real file since it was first overridden. */
function outsideText({ conflict }: Entry, paint: Paint): string {
  return conflict === undefined ? '' : paint.red(MARK);
}

/** One change as text: the path, for a rename `old → new`. */
export function changeText(change: ChangeLine, from: Viewpoint): string {
  const path = showPath(change.path, from, change.type);
  return change.from === undefined ? path : `${showPath(change.from, from, change.type)} → ${path}`;
}

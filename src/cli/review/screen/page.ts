/** One item of a review as lines: what it is, what a person should know of it, its hunks, each with the commands behind it. */
import { amount } from '../../../agents/amount.ts';
import { showPath, type Viewpoint } from '../../../agents/show-path.ts';
import { type Notice, reasonOf } from '../../../history/commit/notices/notices.ts';
import { noticeGroups } from '../../../review/notice-groups.ts';
import type { Item } from '../../../review/pick/item.ts';
import type { Unit } from '../../../review/pick/units.ts';
import { type BytePath, label } from '../../../sys/bytes.ts';
import { harmless } from '../../text/diff-text.ts';
import { placeText } from '../../text/notice-text.ts';
import { cut, withoutTabs } from './cells.ts';

export type Tone = 'title' | 'warning' | 'dim' | 'unit' | 'added' | 'removed' | 'plain';

export interface PageLine {
  readonly tone: Tone;
  readonly text: string;
  /** The number of the unit that it belongs to. */
  readonly unit?: number;
}

export interface PageOptions {
  readonly from: Viewpoint;
  readonly notices: ReadonlyMap<BytePath, readonly Notice[]>;
  /** Command lines that changed a path, the last one last. */
  readonly commandsOf: (unit: Unit, item: Item) => readonly string[];
}

/** Cells of a command line. */
const LONGEST_COMMAND = 160;
/** Of what is decided as one, so many are listed. */
const MOST_MEMBERS = 1000;
const NAMES = {
  hunk: 'hunk',
  whole: 'whole file',
  rename: 'new name',
  mode: 'attributes',
  content: 'content',
  directory: 'whole directory',
} as const;

/** Reads the item. */
export function pageOf(item: Item, options: PageOptions): PageLine[] {
  const { change, what } = item;
  const { from, notices } = options;
  const path = showPath(change.path, from, change.type);
  const name = change.from === undefined ? path : `${showPath(change.from, from, change.type)} → ${path}`;
  const isFold = item.group !== 'project' && item.group !== 'outside';
  const title = isFold ? `${amount(item.files, 'file')}, decided together` : `${change.change} ${name}`;
  const lines: PageLine[] = [{ tone: 'title', text: title }];
  for (const text of toLookAt(item, { from, notices })) lines.push({ tone: 'warning', text: `look at this: ${text}` });
  const units = item.units();
  for (const [index, unit] of units.entries()) {
    lines.push(...unitLines(unit, index, { of: units.length, item, options }));
    if (what !== 'file') lines.push(...memberLines(item, index, from));
  }
  return lines;
}

/** All of a file; of what is decided as one, in a list that is read in seconds. */
function toLookAt({ change, what, members }: Item, { from, notices }: Omit<PageOptions, 'commandsOf'>): string[] {
  if (what === 'file') return (notices.get(change.path) ?? []).map((notice) => reasonOf(notice));
  const paths = new Set([change, ...members].map(({ path }) => path));
  // They have the most telling first.
  const found = [...notices].flatMap(([path, own]) => (paths.has(path) ? own : []));
  return noticeGroups(found, from.project).map((group) => `${placeText(group, from)}: ${group.why}`);
}

interface At {
  readonly of: number;
  readonly item: Item;
  readonly options: PageOptions;
}

function unitLines(unit: Unit, index: number, { of, item, options }: At): PageLine[] {
  const { what, hunk, lines, change } = unit;
  const place = of > 1 ? ` ${index + 1}/${of}` : '';
  const at = hunk === undefined ? '' : ` @@ -${hunk.hunk.oldStart} +${hunk.hunk.newStart} @@`;
  const name = what in NAMES ? NAMES[what as keyof typeof NAMES] : 'all of it';
  const head: PageLine = { tone: 'unit', text: `${name}${place}${at}`, unit: index };
  const commands = options.commandsOf(unit, item).map((command) => cut(label(command), LONGEST_COMMAND));
  const by: PageLine[] = commands.map((text) => ({ tone: 'dim', text: `by: ${text}`, unit: index }));
  const body = lines
    .filter((line) => hunk !== undefined || !isHeader(line, change.change))
    .map((line): PageLine => ({ tone: toneOf(line), text: withoutTabs(harmless(line)), unit: index }));
  return [head, ...by, ...body];
}

/** What git says above the lines of a file is said already. */
function isHeader(line: string, change: string): boolean {
  return line.startsWith('--- ') || line.startsWith('+++ ') || (change !== 'renamed' && line.startsWith('diff --git '));
}

function toneOf(line: string): Tone {
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return /^[@#\\]/.test(line) ? 'dim' : 'plain';
}

function memberLines({ members }: Item, unit: number, from: Viewpoint): PageLine[] {
  const shownMembers = members.slice(0, MOST_MEMBERS);
  const lines = shownMembers.map(
    (one): PageLine => ({ tone: 'plain', text: `  ${one.change} ${shown(one, from)}`, unit }),
  );
  const more = members.length - shownMembers.length;
  return more === 0 ? lines : [...lines, { tone: 'dim', text: `  … ${more} more`, unit }];
}

function shown({ path, type }: Unit['change'], from: Viewpoint): string {
  return showPath(path, from, type);
}

/**
 * What a person should know of changes before they agree to them, and does not see from their names: what runs later outside of
 * the view (table.ts), content that is not all there, set-id bits, devices, where symlinks lead, what can be executed. Most telling first, and none left out.
 */
import { allSteps } from '../../../sys/all-steps.ts';
import { type BytePath, components, isWithin, label, ROOT, splitPath } from '../../../sys/bytes.ts';
import { S_IFBLK, S_IFCHR, S_IFLNK, S_IFREG, S_ISGID, S_ISUID } from '../../../sys/stat.ts';
import { type ChangesOptions, netChanges, type PathChange, type Side } from '../../diff/changes.ts';
import { Facts, typeOf } from '../../diff/facts.ts';
import { cacheDirectoryOf, gitDirectoryOf } from '../../diff/noise.ts';
import { attributesOf } from '../../diff/side-attributes.ts';
import { loadSide } from '../../diff/text/load.ts';
import { lookInto } from './contents.ts';
import { matchingRows } from './patterns.ts';
import type { Row, NoticeKind as RowKind } from './rows.ts';
import { TABLE } from './table.ts';

export type NoticeKind = RowKind | 'incomplete' | 'set-id' | 'device' | 'leaves' | 'symlink' | 'executable';

/** One thing to know about one path. */
export interface Notice {
  readonly path: BytePath;
  readonly kind: NoticeKind;
  /** A few printable words: `git takes settings from it`. */
  readonly sentence: string;
  /** What in it is meant, printable, the most telling first: keys of settings, names of scripts. */
  readonly details?: readonly string[];
}

/** `git takes settings from it: core.pager, alias.x`; of many details the first. */
export function reasonOf({ sentence, details = [] }: Notice, most = details.length): string {
  if (details.length === 0) return sentence;
  const more = details.length > most ? `, and ${details.length - most} more` : '';
  return `${sentence}: ${details.slice(0, most).join(', ')}${more}`;
}

/** In this order they are told; rows of the table come between those that change what programs may do and those that are common. */
const ORDER: readonly NoticeKind[] = [
  ...['incomplete', 'set-id', 'device'],
  ...new Set(TABLE.map(({ kind }) => kind).filter((kind) => kind !== 'build')),
  ...['leaves', 'build', 'symlink', 'executable'],
] as NoticeKind[];

/** A file that is looked into is small; of a larger one that is said. */
const MOST_BYTES = 1 << 20;
const EXECUTE = 0o111;

/** Of all that is staged in a tree. `project`: links that lead out of it are told before others. */
export function stagedNotices(options: ChangesOptions, project: BytePath): Notice[] {
  return allSteps(noticeSteps(options, project));
}

/** The same, a step for each change. */
export function* noticeSteps(options: ChangesOptions, project: BytePath): Generator<void, Notice[]> {
  const facts = options.facts ?? new Facts(options.base, options.store);
  const found: Notice[] = [];
  // What came along in a directory that was moved is at another place, too.
  for (const change of netChanges({ ...options, expand: true })) {
    if (change.newSide !== undefined) found.push(...noticesAbout(change, change.newSide, { facts, project }));
    yield;
  }
  const rank = new Map(ORDER.map((kind, index) => [kind, index]));
  const rankOf = ({ kind }: Notice): number => rank.get(kind) ?? 0;
  // Stable: paths stay in their order.
  return found.sort((a, b) => rankOf(a) - rankOf(b));
}

interface Context {
  readonly facts: Facts;
  readonly project: BytePath;
}

function noticesAbout(change: PathChange, side: Side, context: Context): Notice[] {
  const { path } = change;
  const type = typeOf(side.backing);
  const isLink = type === S_IFLNK;
  const rows = type === S_IFREG || isLink ? matchingRows(path, { project: context.project, isLink }) : [];
  const told = rows.flatMap((row) => rowNotice(row, change, side, context));
  if (isLink) return [...told, ...linkNotices(path, side, context)];
  if (type === S_IFREG) return [...lossOf(path, side, context), ...told, ...modeNotices(change, side, context)];
  const isDevice = type === S_IFBLK || type === S_IFCHR;
  return isDevice ? [...told, { path, kind: 'device', sentence: 'a device' }] : told;
}

function rowNotice(row: Row, change: PathChange, side: Side, { facts, project }: Context): Notice[] {
  const { path } = change;
  const { kind, why, look } = row;
  if (look === undefined) return [{ path, kind, sentence: why }];
  const now = textOf(side, facts);
  // A link is looked at where it leads when it is used; who reads this cannot know what will be there.
  const before = change.oldSide === undefined || change.change === 'renamed' ? '' : textOf(change.oldSide, facts);
  const details = lookInto(look, { path, project, now, before });
  return details === undefined ? [] : [{ path, kind, sentence: why, details: details.map(label) }];
}

/** Nobody may commit half a file without knowing. */
function lossOf(path: BytePath, { backing }: Side, { facts }: Context): Notice[] {
  const sentence = 'cut short: not all that was written to it could be stored';
  return facts.isIncomplete(backing) ? [{ path, kind: 'incomplete', sentence }] : [];
}

/** A byte a code unit; undefined when it is too large, a symlink, or cannot be read. */
function textOf(side: Side, facts: Facts): string | undefined {
  if (typeOf(side.backing) !== S_IFREG || (facts.size(side.backing) ?? Number.POSITIVE_INFINITY) > MOST_BYTES)
    return undefined;
  const content = loadSide(side, facts);
  return 'bytes' in content ? content.bytes.toString('latin1') : undefined;
}

function linkNotices(path: BytePath, { backing }: Side, { facts, project }: Context): Notice[] {
  const target = facts.target(backing) ?? '';
  const to = targetPath(path, target);
  const cache = cacheDirectoryOf(path, project);
  if (cache !== undefined && isWithin(to, cache)) return [];
  const leaves = !isWithin(path, project) || !isWithin(to, project);
  return [{ path, kind: leaves ? 'leaves' : 'symlink', sentence: `a symlink to ${label(target)}` }];
}

/** Where a link leads by its text alone. */
function targetPath(path: BytePath, target: string): BytePath {
  const parts: string[] = target.startsWith('/') ? [] : components(splitPath(path)?.dir ?? ROOT);
  for (const part of target.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}` as BytePath;
}

function modeNotices(change: PathChange, side: Side, { facts, project }: Context): Notice[] {
  const { path, oldSide } = change;
  const before = oldSide === undefined ? 0 : (attributesOf(oldSide, facts).mode ?? 0);
  // What is not staged is as it was.
  const mode = attributesOf(side, facts).mode ?? before;
  const bits = [
    ...((mode & S_ISUID) !== 0 ? ['set-user-ID'] : []),
    ...((mode & S_ISGID) !== 0 ? ['set-group-ID'] : []),
  ];
  const isOnlyMode = change.change === 'metadata';
  const setId = bits.length > 0 && !(isOnlyMode && mode === before);
  const executable = (mode & EXECUTE) !== 0 && (!isOnlyMode || (before & EXECUTE) !== (mode & EXECUTE));
  if (setId)
    return [
      {
        path,
        kind: 'set-id',
        sentence: `${bits.join(' and ')}: it runs as its owner or group`,
      },
    ];
  if (!executable || (change.change === 'added' && isOfTool(path, project))) return [];
  return [{ path, kind: 'executable', sentence: 'executable' }];
}

/** What is new in a cache nobody starts by its name, nor a sample of a hook; what was there, such as a browser, may be. */
function isOfTool(path: BytePath, project: BytePath): boolean {
  return cacheDirectoryOf(path, project) !== undefined || gitDirectoryOf(path) !== undefined;
}

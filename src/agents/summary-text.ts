/**
 * What a command did, for the model that ran it and for the person beside it: `run` prints it on stderr, hooks put it into
 * the next request. At most 1,024 bytes of UTF-8, colours and all: counts, the paths most worth knowing, what was refused
 * or asked, and how to go back. Facts, no orders; names are quoted, so that none reads like a sentence of ours.
 */
import type { ChangeKind, ReportedChange, RunSummary } from '../daemon/protocol.ts';
import { cacheDirectoryOf, gitDirectoryOf } from '../history/diff/noise.ts';
import { type GateNote, outcomeWord, wentThrough } from '../rules/note.ts';
import { type BytePath, label } from '../sys/bytes.ts';
import { grouped } from '../sys/grouped.ts';
import { amount } from './amount.ts';
import { showPath, type Viewpoint } from './show-path.ts';
import { changesIn, costOf, fitItems, type Ink, type Item, itemOf, quoteName, shorten } from './summary-lines.ts';

export const MOST_BYTES = 1024;
/** Of which refusals take so many when there are changes to tell as well. */
const ROOM_FOR_REFUSALS = 300;

/** Directories of one tool line that are named. */
const MOST_DIRECTORIES = 3;

/** In git's directory: where names stand is told by these. */
const GIT_NAMES = /^\/(?:HEAD|packed-refs|refs(?:\/.*)?)$/s;

const KINDS: readonly ChangeKind[] = ['deleted', 'modified', 'renamed', 'metadata', 'added'];

const PLAIN: Ink = { bold: same, dim: same, red: same, yellow: same };

type Counts = Readonly<Record<ChangeKind, number>>;

/** The summary with its line ends; empty when there is nothing to tell. */
export function renderSummary(summary: RunSummary, from: Viewpoint, ink: Ink = PLAIN): string {
  const { counts, unstored } = summary;
  const trouble = unstored === undefined ? [] : [`${ink.bold('yolofs:')} ${shorten(unstored, 240)}`];
  const total = totalOf(counts);
  if (total === 0 && summary.refused.length === 0) return text(trouble);
  const isRefused = summary.refused.some((note) => !wentThrough(note));
  const hasFailed = summary.refused.every(({ outcome }) => outcome === 'failed');
  const isStopped = hasFailed ? 'not read' : isRefused ? 'refused by rules' : 'asked about by rules';
  const title = total > 0 ? renderCounts(counts) : isStopped;
  const head = [...trouble, `${ink.bold('yolofs:')} ${title}`];
  if (total === 0) return text([...head, ...refusals(summary.refused, MOST_BYTES - costOf(head), { from, ink })]);
  const tail = [ink.dim(wayBack(summary))];
  const free = MOST_BYTES - costOf([...head, ...tail]);
  const reserved = Math.min(ROOM_FOR_REFUSALS, costOf(refusals(summary.refused, MOST_BYTES, { from, ink })));
  const changed = changeLines(summary, free - reserved, { from, ink });
  // What the changes leave is theirs.
  const refused = refusals(summary.refused, Math.max(reserved, free - costOf(changed)), { from, ink });
  return text([...head, ...changed, ...refused, ...tail]);
}

/**
 * The same in one line, for a call whose hook tells the rest: nobody reads it twice, and if that hook never comes, the reader
 * knows that there is something, and how to go back.
 */
export function renderBrief(summary: RunSummary): string {
  const { counts, unstored, refused, snapshot, generation, before } = summary;
  const trouble = unstored === undefined ? [] : [`yolofs: ${shorten(unstored, 240)}`];
  const stopped = refused.filter((note) => !wentThrough(note)).length;
  const refusals = stopped === 0 ? [] : [`${stopped} refused by rules`];
  if (totalOf(counts) === 0) return text([...trouble, ...refusals.map((one) => `yolofs: ${one}`)]);
  const where = snapshot ? `snapshot ${generation}` : `generation ${generation}`;
  const back = `${where}, 'yolofs travel ${before}' goes back to before`;
  return text([...trouble, `yolofs: ${[renderCounts(counts), ...refusals, back].join('; ')}`]);
}

/** Counts as a phrase, e.g. `1 deleted, 2 added`. */
function renderCounts(counts: Counts): string {
  return KINDS.filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind]} ${kind}`)
    .join(', ');
}

interface Look {
  readonly from: Viewpoint;
  readonly ink: Ink;
}

/** What tools write for themselves is one line each, the last. */
function changeLines({ counts, changes }: RunSummary, room: number, look: Look): string[] {
  const left = { ...counts };
  const others: ReportedChange[] = [];
  const byTool: Record<Tool, ReportedChange[]> = { git: [], caches: [] };
  for (const change of changes) {
    const tool = toolOf(change, look.from);
    if (tool !== undefined) left[change.change] -= changesIn(change);
    (tool === undefined ? others : byTool[tool]).push(change);
  }
  const tools = [...toolLine('git', byTool.git, look), ...toolLine('caches', byTool.caches, look)];
  return [...namedLines({ counts: left, changes: others }, room - costOf(tools), look), ...tools];
}

type Changes = Pick<RunSummary, 'counts' | 'changes'>;

function namedLines({ counts, changes }: Changes, room: number, { from, ink }: Look): string[] {
  const total = totalOf(counts);
  const itemsWith = (naming: boolean): Item[] => changes.map((change) => itemOf(change, from, naming));
  // What is said of the rest is shorter than this, or as long.
  const roomBesideRest = room - costOf([leftLine(counts)]);
  // Further names of files must not take the room of others that are destroyed.
  const items = itemsWith(fitItems(itemsWith(true), roomBesideRest, ink).namesLost);
  const all = fitItems(items, room, ink);
  if (all.told === total) return all.lines;
  const some = fitItems(items, roomBesideRest, ink);
  const left = { ...counts };
  for (const [kind, told] of some.byKind) left[kind] -= told;
  return [...some.lines, ink.dim(leftLine(left))];
}

type Tool = 'git' | 'caches';

/** Which one has written it for itself; what is gone from its place is told by its name, unless it was rotated. */
function toolOf({ change, path, ofCaches }: ReportedChange, { project }: Viewpoint): Tool | undefined {
  if (ofCaches) return 'caches';
  if (change === 'deleted' || change === 'renamed') return undefined;
  if (cacheDirectoryOf(path, project) !== undefined) return 'caches';
  const directory = gitDirectoryOf(path);
  return directory === undefined || GIT_NAMES.test(path.slice(directory.length)) ? undefined : 'git';
}

const DIRECTORY_OF: Readonly<Record<Tool, (path: BytePath, project: BytePath) => BytePath | undefined>> = {
  git: gitDirectoryOf,
  caches: cacheDirectoryOf,
};

function toolLine(tool: Tool, changes: readonly ReportedChange[], { from, ink }: Look): string[] {
  if (changes.length === 0) return [];
  const directories = new Set(changes.map(({ path }) => DIRECTORY_OF[tool](path, from.project) ?? path));
  const named = [...directories]
    .slice(0, MOST_DIRECTORIES)
    .map((path) => quoteName(shorten(showPath(path, from, 'directory'), 60)));
  const more = directories.size - named.length;
  const count = changes.reduce((sum, change) => sum + changesIn(change), 0);
  const where = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [ink.dim(`  ${tool.padEnd(8)} ${amount(count, 'change')} in ${where}`)];
}

function leftLine(left: Counts): string {
  return `  … and ${totalOf(left)} more: ${renderCounts(left)}`;
}

/** "Before" is where a travel goes; what ran beside this command is after it, too. */
function wayBack({ generation, snapshot, before, beside }: RunSummary): string {
  const where = snapshot ? `snapshot ${generation}` : `generation ${generation}, no snapshot`;
  const too = beside ? ' (before what ran beside it, too)' : '';
  const back = `'yolofs travel ${before}' goes back to before${too}, 'yolofs status' lists`;
  return `${where}; staged only: ${back}; a person decides: 'yolofs commit' applies, 'yolofs abort' discards`;
}

/** What rules refused or asked about, within `room` bytes. */
function refusals(notes: readonly GateNote[], room: number, { from, ink }: Look): string[] {
  if (notes.length === 0) return [];
  const isRefused = notes.some((note) => !wentThrough(note) && note.outcome !== 'failed');
  const hint = isRefused
    ? [ink.dim("  to allow one, outside the view: 'yolofs rule set PATH allow', or answer in 'yolofs watch'")]
    : [];
  const more = (left: number): string => `  … and ${left} more refused or asked: 'yolofs audit' lists`;
  const all = fitRefusals(notes, room - costOf(hint), { from, ink });
  if (all.left === 0) return [...all.lines, ...hint];
  const some = fitRefusals(notes, room - costOf([...hint, more(notes.length)]), { from, ink });
  return [...some.lines, more(some.left), ...hint];
}

/** As many as `room` bytes hold, and how many are left. */
function fitRefusals(
  notes: readonly GateNote[],
  room: number,
  { from, ink }: Look,
): { readonly lines: readonly string[]; readonly left: number } {
  let free = room;
  const groups = groupsOf(notes).map((all) => ({ all, told: 0, line: '' }));
  // One of each kind before the second of any: the cause may be the last of them.
  for (let open = groups; open.length > 0; ) {
    open = open.filter((group) => {
      const line = refusalLine(group.all.slice(0, group.told + 1), { from, ink });
      const cost = costOf([line]) - (group.told === 0 ? 0 : costOf([group.line]));
      if (cost > free) return false;
      free -= cost;
      group.told += 1;
      group.line = line;
      return group.told < group.all.length;
    });
  }
  const left = notes.length - groups.reduce((sum, { told }) => sum + told, 0);
  return { lines: groups.flatMap(({ told, line }) => (told === 0 ? [] : [line])), left };
}

/** What one rule said to the same kind of access, on one line; what did not go through is first. */
function groupsOf(notes: readonly GateNote[]): readonly (readonly GateNote[])[] {
  const sorted = [...notes].sort((a, b) => Number(wentThrough(a)) - Number(wentThrough(b)));
  return [...grouped(sorted, (note) => [note.outcome, note.access, note.state, note.pattern].join('\0')).values()];
}

function refusalLine(group: readonly GateNote[], { from, ink }: Look): string {
  const [{ outcome, access, state, pattern }] = group as [GateNote];
  const paths = group.map(({ path, times }) => {
    const often = times > 1 ? ` (${times} times)` : '';
    return `${quoteName(shorten(showPath(path, from), 80))}${often}`;
  });
  const what = `${outcomeWord(outcome).padEnd(8)} ${access} ${paths.join(', ')}`;
  const why = outcome === 'failed' ? shorten(label(pattern), 80) : `'${shorten(label(pattern), 30)}' is ${state}`;
  return `  ${ink.yellow(what)}  ${why}`;
}

function totalOf(counts: Counts): number {
  return KINDS.reduce((sum, kind) => sum + counts[kind], 0);
}

function text(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function same(plain: string): string {
  return plain;
}

/** The snapshot that was taken after the command, for `CallState`. */
export function snapshotIn({ snapshot, generation }: Pick<RunSummary, 'snapshot' | 'generation'>): {
  generation?: number;
} {
  return snapshot ? { generation } : {};
}

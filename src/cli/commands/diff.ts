/** `yolofs diff`: what is staged, or what a range of snapshots changed, line by line in git's form. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { PathChange } from '../../history/changes.ts';
import { netChanges } from '../../history/changes.ts';
import { type DiffStat, diffStats, renderDiff } from '../../history/diff.ts';
import type { Layout } from '../../history/layout.ts';
import { rangeChanges } from '../../history/range-changes.ts';
import { parseRange } from '../../history/ranges.ts';
import type { Body } from '../../history/record.ts';
import { pairRenames } from '../../history/renames.ts';
import type { Segment } from '../../history/segments.ts';
import { type BytePath, isWithin, label, toBytePath } from '../../sys/bytes.ts';
import { UserError } from '../../sys/user-error.ts';
import { diffPiece, statRow, statTotal } from '../diff-text.ts';
import { jsonItems, writePieces } from '../output.ts';
import { type Reading, readSession, timelineOf } from '../read-session.ts';
import { sessionOf } from '../session.ts';
import { viewpointOf } from '../show-path.ts';
import { paintFor } from '../terminal.ts';

interface Options {
  readonly stat?: true;
  readonly json?: true;
}

/** What the words after `diff` ask for. */
interface Question {
  readonly range: string | undefined;
  /** Nothing = everything. */
  readonly paths: readonly BytePath[];
}

export function define(command: Command): void {
  command
    .usage('[options] [RANGE] [-- PATH…]')
    .argument('[range]', 'N, A..B, A.., ..B or all (default: everything staged, against the real files)')
    .argument('[path...]', 'only these and what is below them')
    .option('--stat', 'only how much each change adds and removes')
    .option('--json', 'the same as JSON')
    .action(diff);
}

async function diff(
  range: string | undefined,
  paths: readonly string[],
  options: Options,
  command: Command,
): Promise<void> {
  const session = sessionOf(command);
  const question = questionOf([...(range === undefined ? [] : [range]), ...paths]);
  await readSession(session, async (reading) => {
    if (reading === undefined) {
      if (question.range !== undefined) throw new UserError('nothing was ever staged in this session');
      return writePieces(options.json ? ['[]\n'] : []);
    }
    const changes = selectPaths(changesOf(reading, question.range), question.paths);
    await writePieces(piecesOf(changes, { reading, session, options }));
  });
}

/** Without `--`, a first word that looks like a range is one; after `--` there are only paths. */
function questionOf(words: readonly string[]): Question {
  const dashes = process.argv.indexOf('--');
  const certain = dashes < 0 ? 0 : process.argv.length - dashes - 1;
  const [first = ''] = words.slice(0, words.length - certain);
  const range = /^(?:all|\d+|\d*\.\.\d*)$/.test(first) ? first : undefined;
  const paths = range === undefined ? words : words.slice(1);
  return { range, paths: paths.map((path) => toBytePath(resolve(path))) };
}

/** Files moved without the view's knowing are found too; what lies in a moved directory is listed by itself. */
function changesOf(reading: Reading, range: string | undefined): Iterable<PathChange> {
  if (range === undefined) return pairRenames(() => netChanges({ ...reading, expand: true }), reading);
  const parsed = parseRange(range, timelineOf(reading));
  if ('error' in parsed) throw new UserError(parsed.error, "'yolofs log' lists the generations");
  if (parsed.between === undefined) throw new UserError(`a travel lies between the ends of ${range}`);
  const changes = rangeChanges(recordsOf(reading, parsed.between), reading);
  return pairRenames(() => changes, reading);
}

function* recordsOf({ session: { journal } }: Reading, segments: readonly Segment[]): Generator<Body, void> {
  for (const { start, end } of segments) {
    for (const { record } of journal.scan({ from: start, to: end })) yield record.body;
  }
}

function* selectPaths(changes: Iterable<PathChange>, paths: readonly BytePath[]): Generator<PathChange, void> {
  for (const change of changes) {
    const { path, from = path } = change;
    if (paths.length === 0 || paths.some((wanted) => isWithin(path, wanted) || isWithin(from, wanted))) yield change;
  }
}

interface Rendering {
  readonly reading: Reading;
  readonly session: Layout;
  readonly options: Options;
}

function* piecesOf(changes: Iterable<PathChange>, { reading, session, options }: Rendering): Generator<string, void> {
  const from = viewpointOf(session.project);
  const paint = paintFor(process.stdout);
  const context = { base: reading.base, store: reading.store, project: from.project };
  if (options.json) return yield* jsonItems(printable(diffStats(changes, context)));
  if (!options.stat) {
    for (const piece of renderDiff(changes, context)) yield diffPiece(piece, paint, process.stdout.isTTY === true);
    return;
  }
  const total = { files: 0, added: 0, removed: 0 };
  for (const row of diffStats(changes, context)) {
    total.files += 1;
    total.added += row.added;
    total.removed += row.removed;
    yield statRow(row, from, paint);
  }
  if (total.files > 0) yield statTotal(total);
}

function* printable(rows: Iterable<DiffStat>): Generator<object, void> {
  for (const { path, from, ...row } of rows) {
    yield { path: label(path), ...(from === undefined ? {} : { from: label(from) }), ...row };
  }
}

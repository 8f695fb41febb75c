/** `yolofs diff`: what is staged, or what lies between two generations, line by line in git's form. */
import type { Command } from 'commander';
import { viewpointOf } from '../../agents/show-path.ts';
import type { PathChange } from '../../history/changes.ts';
import { Facts } from '../../history/compare/facts.ts';
import { pairRenames } from '../../history/compare/renames.ts';
import { type DiffOptions, type DiffStat, diffStats, renderDiff } from '../../history/diff.ts';
import type { Layout } from '../../history/layout.ts';
import type { Range } from '../../history/ranges.ts';
import { sectionsOf } from '../../history/text/sections.ts';
import { type BytePath, label } from '../../sys/bytes.ts';
import { SELF } from '../caller.ts';
import { visibleTo } from '../look/guest-sight.ts';
import { isAsked, questionOf, RANGE_HELP, unlessInDoubt } from '../look/range-words.ts';
import { changesIn, type Reading, readSession, timelineOf } from '../look/read-session.ts';
import { DIFF } from '../schemas/listings.ts';
import { jsonOption } from '../schemas/schema.ts';
import { sessionOf } from '../session.ts';
import { diffPiece, statRow, statTotal } from '../text/diff-text.ts';
import { jsonItems, writePieces } from '../text/output.ts';
import { paintFor } from '../text/terminal.ts';
import { UsageError } from '../usage-error.ts';

interface Options {
  readonly stat?: true;
  readonly json?: true;
  readonly hunks?: true;
}

export function define(command: Command): void {
  jsonOption(command, 'the same as JSON', DIFF)
    .usage('[options] [RANGE] [-- PATH…]')
    .argument('[range]', RANGE_HELP)
    .argument('[path...]', 'only these and what is below them')
    .option('--stat', 'only how much each change adds and removes')
    .option('--hunks', "with --json: each hunk and section of what is staged, with the key that 'commit --hunk' takes")
    .action(diff);
}

async function diff(
  range: string | undefined,
  paths: readonly string[],
  options: Options,
  command: Command,
): Promise<void> {
  const session = sessionOf(command);
  const words = [...(range === undefined ? [] : [range]), ...paths];
  await readSession(session, async (reading) => {
    const question = questionOf(words, timelineOf(reading));
    if (options.hunks && (!options.json || question.range !== undefined))
      throw new UsageError('--hunks goes with --json, and without a range');
    if (reading === undefined) return writePieces(options.json ? ['[]\n'] : []);
    const changes = unlessInDoubt(
      selectPaths(changesOf(reading, question.range, options.hunks), question.paths),
      question,
    );
    const shown = await visibleTo(reading, { changes, staged: changesIn(reading, undefined)() });
    await writePieces(piecesOf(shown, { reading, session, options }));
  });
}

/** Files moved without the view's knowing are found too, unless that is not wanted; what lies in a moved directory is listed by itself. */
function changesOf(reading: Reading, range: Range | undefined, asStaged = false): Iterable<PathChange> {
  const changes = changesIn({ ...reading, expand: true }, range);
  return asStaged ? changes() : pairRenames(changes, reading);
}

function* selectPaths(changes: Iterable<PathChange>, paths: readonly BytePath[]): Generator<PathChange, void> {
  for (const change of changes) if (isAsked(paths, change.path, change.from)) yield change;
}

interface Rendering {
  readonly reading: Reading;
  readonly session: Layout;
  readonly options: Options;
}

function* piecesOf(changes: Iterable<PathChange>, { reading, session, options }: Rendering): Generator<string, void> {
  const from = viewpointOf(session.project, SELF.cwd);
  const paint = paintFor(process.stdout);
  const context = { base: reading.base, store: reading.store, project: from.project };
  if (options.hunks) return yield* jsonItems(hunkRows(changes, context));
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

/** One row a change: how much it is, and what of it can be decided alone. */
function* hunkRows(changes: Iterable<PathChange>, context: DiffOptions): Generator<object, void> {
  const facts = new Facts(context.base, context.store);
  for (const change of changes) {
    const { sections, text } = sectionsOf(change, facts);
    for (const row of printable(diffStats([change], context))) {
      const hunks = text?.hunks.map(({ blocks: _, ...hunk }) => hunk);
      yield { ...row, ...(hunks === undefined ? {} : { hunks }), sections: Object.fromEntries(sections) };
    }
  }
}

function* printable(rows: Iterable<DiffStat>): Generator<object, void> {
  for (const { path, from, ...row } of rows) {
    yield { path: label(path), ...(from === undefined ? {} : { from: label(from) }), ...row };
  }
}

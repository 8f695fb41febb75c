/** What `diff` prints, in each of its forms. */
import { showPath, type Viewpoint, viewpointOf } from '../../agents/show-path.ts';
import type { PathChange } from '../../history/diff/changes.ts';
import { type DiffOptions, type DiffStat, diffStat, diffStats, renderDiff } from '../../history/diff/diff.ts';
import { Facts } from '../../history/diff/facts.ts';
import { sectionsOf } from '../../history/diff/text/sections.ts';
import type { Layout } from '../../history/layout.ts';
import type { Surroundings } from '../../review/folds.ts';
import { Ignored } from '../../review/git/ignored.ts';
import { kindOf, Sorting } from '../../review/review.ts';
import { isWithin, label } from '../../sys/bytes.ts';
import { SELF } from '../caller.ts';
import type { Reading } from '../look/read-session.ts';
import { diffPiece, statRow, statTotal } from '../text/diff-text.ts';
import { jsonItems } from '../text/output.ts';
import { type Paint, paintBy } from '../text/terminal.ts';
import { foldedLines } from './folded-text.ts';
import { homeOf } from './review-in.ts';

export interface DiffForm {
  readonly stat?: true;
  readonly json?: true;
  readonly hunks?: true;
  readonly nameOnly?: true;
  readonly color?: 'always' | 'never' | 'auto' | true;
  readonly tool?: string | true;
}

interface Rendering {
  readonly reading: Reading;
  readonly session: Layout;
  readonly options: DiffForm;
  /** Whether paths were asked for: then nothing there is folded. */
  readonly ofPaths?: boolean;
}

export function* piecesOf(
  changes: Iterable<PathChange>,
  { reading, session, options, ofPaths = false }: Rendering,
): Generator<string, void> {
  const from = viewpointOf(session.project, SELF.cwd);
  const paint = paintBy(options.color === true ? 'always' : options.color, process.stdout);
  const isShown = process.stdout.isTTY === true || options.color === true || options.color === 'always';
  const context = { base: reading.base, store: reading.store, project: from.project };
  if (options.hunks) return yield* jsonItems(hunkRows(changes, context));
  if (options.json) return yield* jsonItems(statRows(changes, context));
  const around = { ...context, home: homeOf() };
  if (options.stat) return yield* statLines(changes, { around, all: ofPaths, from, paint });
  const ordered = inReviewOrder(changes, around);
  if (options.nameOnly) {
    for (const { path, type } of ordered) if (type !== 'directory') yield `${showPath(path, from)}\n`;
    return;
  }
  for (const piece of renderDiff(ordered, context)) yield diffPiece(piece, paint, isShown);
}

interface Figures {
  readonly around: DiffOptions & Surroundings;
  /** Fold nothing. */
  readonly all: boolean;
  readonly from: Viewpoint;
  readonly paint: Paint;
}

/** A row for each change, a line for each kind of what `status` folds, and what the rows come to. */
function* statLines(
  changes: Iterable<PathChange>,
  { around, all, from, paint }: Figures,
): Generator<string, void, undefined> {
  const sorting = new Sorting({ ...around, all });
  const [project, outside]: [PathChange[], PathChange[]] = [[], []];
  for (const change of changes) {
    const where = sorting.add({ change });
    if (where === 'project') project.push(change);
    else if (where === 'outside') outside.push(change);
  }
  const total = { files: 0, added: 0, removed: 0 };
  for (const row of diffStats([...project, ...outside], around)) {
    total.files += 1;
    total.added += row.added;
    total.removed += row.removed;
    yield statRow(row, from, paint);
  }
  for (const line of foldedLines(sorting.result().folded, from, paint)) yield `${line}\n`;
  if (total.files > 0) yield statTotal(total);
}

/** The project's, then those outside of it; what `status` folds is the last. */
function* inReviewOrder(
  changes: Iterable<PathChange>,
  options: DiffOptions & Surroundings,
): Generator<PathChange, void, undefined> {
  const ignored = new Ignored(new Facts(options.base, options.store), options.project);
  const [project, outside, folded]: [PathChange[], PathChange[], PathChange[]] = [[], [], []];
  for (const change of changes) {
    const isFolded = kindOf(change, options, ignored) !== undefined;
    (isFolded ? folded : isWithin(change.path, options.project) ? project : outside).push(change);
  }
  yield* project;
  yield* outside;
  yield* folded;
}

/** One row a change: how much it is, and what of it can be decided alone. */
function* hunkRows(changes: Iterable<PathChange>, { base, store, project }: DiffOptions): Generator<object, void> {
  const facts = new Facts(base, store);
  for (const change of changes) {
    const { sections, text } = sectionsOf(change, facts);
    const hunks = text?.hunks.map(({ blocks: _, ...hunk }) => hunk);
    const row = printable(diffStat(change, { facts, project }));
    yield { ...row, ...(hunks === undefined ? {} : { hunks }), sections: Object.fromEntries(sections) };
  }
}

function* statRows(changes: Iterable<PathChange>, context: DiffOptions): Generator<object, void> {
  for (const row of diffStats(changes, context)) yield printable(row);
}

function printable({ path, from, ...row }: DiffStat): object {
  return { path: label(path), ...(from === undefined ? {} : { from: label(from) }), ...row };
}

/** `yolofs diff`: what is staged, or what lies between two generations, line by line in git's form. */
import { type Command, Option } from 'commander';
import type { PathChange } from '../../history/diff/changes.ts';
import { pairRenames } from '../../history/diff/text/renames.ts';
import type { Layout } from '../../history/layout.ts';
import type { Range } from '../../history/timeline/ranges.ts';
import type { BytePath } from '../../sys/bytes.ts';
import { visibleTo } from '../look/guest-sight.ts';
import { isAsked, questionOf, RANGE_HELP, unlessInDoubt } from '../look/range-words.ts';
import { changesIn, type Reading, readSession, timelineOf } from '../look/read-session.ts';
import { type DiffForm, piecesOf } from '../review/diff-pieces.ts';
import { showInTool } from '../review/difftool.ts';
import { writePaged } from '../review/pager.ts';
import { DIFF } from '../schemas/listings.ts';
import { jsonOption } from '../schemas/schema.ts';
import { sessionOf } from '../session.ts';
import { writePieces } from '../text/output.ts';
import { UsageError } from '../usage-error.ts';

export function define(command: Command): void {
  jsonOption(command, 'the same as JSON', DIFF)
    .usage('[options] [RANGE] [-- PATH…]')
    .argument('[range]', RANGE_HELP)
    .argument('[path...]', 'only these and what is below them')
    .option('--stat', 'only how much each change adds and removes; what status folds is folded')
    .option('--name-only', 'only the paths of files')
    .addOption(
      new Option('--color [when]', 'always, never, or auto: on a terminal').choices(['always', 'never', 'auto']),
    )
    .option('--tool [name]', "show each file in your own 'git difftool', that of your own configuration or NAME")
    .option('--hunks', "with --json: each hunk and section of what is staged, with the key that 'commit --hunk' takes")
    .action(diff);
}

async function diff(
  range: string | undefined,
  paths: readonly string[],
  options: DiffForm,
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
    if (options.tool !== undefined) return showInTool(shown, reading, options.tool === true ? undefined : options.tool);
    const pieces = piecesOf(shown, { reading, session, options, ofPaths: question.paths.length > 0 });
    await (options.json ? writePieces(pieces) : writePaged(pieces));
  });
}

/** All that is staged, as `diff` shows it. */
export function showDiff(session: Layout): Promise<void> {
  return readSession(session, async (reading) => {
    if (reading !== undefined)
      await writePaged(piecesOf(changesOf(reading, undefined), { reading, session, options: {} }));
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

/** `yolofs commit`: applies what is staged, all of it or at paths, to the real files. */

import { type Command, InvalidArgumentError } from 'commander';
import { amount } from '../../agents/amount.ts';
import { viewpointOf } from '../../agents/show-path.ts';
import type { Replies, Request } from '../../daemon/protocol.ts';
import type { Layout } from '../../history/layout.ts';
import { label } from '../../sys/bytes.ts';
import { withDaemon } from '../connection.ts';
import { HUNK_HELP, type HunkOptions, hunkWishes, LINES_HELP } from '../look/hunk-words.ts';
import { alongText, toPaths } from '../look/path-words.ts';
import { requirePerson, requireYes } from '../questions/ask.ts';
import { PLAN } from '../schemas/listings.ts';
import { jsonOption } from '../schemas/schema.ts';
import { sessionOf } from '../session.ts';
import { noticeLines, planLines, printableNotice } from '../text/notice-text.ts';
import { withEnds, writePieces } from '../text/output.ts';
import { progressOn } from '../text/progress.ts';
import { paintFor } from '../text/terminal.ts';

interface Options extends HunkOptions {
  readonly ours?: readonly string[];
  readonly theirs?: readonly string[];
  readonly merge?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly reviewed?: number;
  readonly json?: true;
}

/** What a commit is asked for; without paths, all that is staged. */
type Ask = Omit<Extract<Request, { op: 'commit' }>, 'op' | 'dryRun'>;

/** What a commit that nobody agrees to comes to. */
const KEPT = 'nothing was written';

export function define(command: Command): void {
  jsonOption(command, 'list as JSON (with --dry-run)', PLAN)
    .argument('[path...]', 'only these and what is below them')
    .option(
      '--ours <path>',
      "where somebody changed the real files, too: take the view's version (repeatable)",
      collect,
    )
    .option('--theirs <path>', 'take the real version, give up what is staged there (repeatable)', collect)
    .option('--merge', 'put changes of the same text together, line by line, where they do not touch')
    .option('--hunk <key...>', HUNK_HELP)
    .option('--lines <key:lines>', LINES_HELP, collect)
    .option('--dry-run', 'only list what would be done')
    .option('--yes', 'do not ask')
    .option(
      '--reviewed <generation>',
      'only if nothing was staged since (--dry-run --json tells its number)',
      toGeneration,
    )
    .action(commit);
}

async function commit(paths: readonly string[], options: Options, command: Command): Promise<void> {
  const session = sessionOf(command);
  const ask = {
    ...{
      hunks: hunkWishes(options, paths),
      paths: toPaths(paths),
      ours: toPaths(options.ours ?? []),
      theirs: toPaths(options.theirs ?? []),
    },
    merge: options.merge === true,
  };
  if (options.dryRun) return listSteps(session, await plan(session, ask), options.json === true);
  const reviewed = options.yes ? options.reviewed : await agreedTo(session, ask, options.reviewed);
  await apply(session, { ...ask, ...(reviewed === undefined ? {} : { reviewed }) });
}

function toGeneration(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It has to be the number of a generation.');
}

/** Of an option that may be given again. */
export function collect(path: string, before: readonly string[] = []): string[] {
  return [...before, path];
}

/** Applies what is staged, all of it without paths, with progress on a terminal, and says how much it was. */
export async function apply(session: Layout, ask: Ask = {}): Promise<void> {
  const progress = progressOn(process.stderr);
  const work = withDaemon(session, (daemon) => daemon.request({ op: 'commit', dryRun: false, ...ask }, progress.show));
  const done = await work.finally(progress.clear);
  const { changes, along, discarded } = done;
  tellApplied(done);
  process.stderr.write(changes === 0 ? 'nothing to commit\n' : `committed ${amount(changes, 'change')}\n`);
  if (discarded > 0)
    process.stderr.write(`discarded ${amount(discarded, 'change')}: 'yolofs undo' takes that back first\n`);
  if (changes > 0) process.stderr.write(alongText(along));
}

/** What became of conflicts. */
export function tellApplied({ merged, yielded }: Pick<Replies['commit'], 'merged' | 'yielded'>): void {
  for (const path of merged) process.stderr.write(`merged ${label(path)}\n`);
  if (yielded > 0)
    process.stderr.write(`left as the real files have it: ${amount(yielded, 'file')} that tools write by themselves\n`);
}

async function listSteps(session: Layout, done: Replies['commit'], asJson: boolean): Promise<void> {
  const { steps, changes, along, generation, notices = [] } = done;
  if (asJson) {
    const told = notices.map(printableNotice);
    await writePieces([`${JSON.stringify({ notices: told, steps, changes, along: along.map(label), generation })}\n`]);
  } else {
    const first = noticeLines(notices, viewpointOf(session.project), paintFor(process.stdout), true);
    await writePieces(withEnds([...first, ...(first.length === 0 ? [] : ['']), ...steps]));
  }
  process.stderr.write(asJson ? '' : alongText(along));
}

/** Shows what would be done; the generation that the person agreed to. Throws a UserError when they did not. */
async function agreedTo(session: Layout, ask: Ask, reviewed?: number): Promise<number> {
  requirePerson(KEPT);
  const shown = await plan(session, ask);
  const { steps, along, generation } = shown;
  // The commit refuses it, and says what there is now.
  if (reviewed !== undefined && reviewed !== generation) return reviewed;
  if (steps.length === 0) return generation;
  const lines = planLines(shown, viewpointOf(session.project), paintFor(process.stderr));
  process.stderr.write(`${lines.join('\n')}\n${alongText(along)}`);
  await requireYes('Apply this to the real files?', KEPT);
  return generation;
}

function plan(session: Layout, ask: Ask): Promise<Replies['commit']> {
  return withDaemon(session, (daemon) => daemon.request({ op: 'commit', dryRun: true, ...ask }));
}

/** `yolofs commit`: applies what is staged, all of it or at paths, to the real files. */
import type { Command } from 'commander';
import type { Replies } from '../../daemon/protocol.ts';
import type { Layout } from '../../history/layout.ts';
import { type BytePath, label } from '../../sys/bytes.ts';
import { UserError } from '../../sys/user-error.ts';
import { canAsk, confirm } from '../ask.ts';
import { withDaemon } from '../connection.ts';
import { alongText, toPaths } from '../path-words.ts';
import { progressOn } from '../progress.ts';
import { sessionOf } from '../session.ts';

interface Options {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

const STEPS_SHOWN = 20;

export function define(command: Command): void {
  command
    .argument('[path...]', 'only these and what is below them')
    .option('--dry-run', 'only list what would be done')
    .option('--yes', 'do not ask')
    .option('--json', 'list as JSON (with --dry-run)')
    .action(commit);
}

async function commit(paths: readonly string[], options: Options, command: Command): Promise<void> {
  const session = sessionOf(command);
  const chosen = toPaths(paths);
  if (options.dryRun) return listSteps(await plan(session, chosen), options.json === true);
  if (!options.yes && canAsk() && !(await isWanted(session, chosen))) {
    throw new UserError('not confirmed: nothing was written');
  }
  await apply(session, chosen);
}

/** Applies what is staged, all of it without paths, with progress on a terminal, and says how much it was. */
export async function apply(session: Layout, paths: readonly BytePath[] = []): Promise<void> {
  const progress = progressOn(process.stderr);
  const work = withDaemon(session, (daemon) => daemon.request({ op: 'commit', dryRun: false, paths }, progress.show));
  const { changes, along } = await work.finally(progress.clear);
  process.stderr.write(
    changes === 0 ? 'nothing to commit\n' : `committed ${changes} ${changes === 1 ? 'change' : 'changes'}\n`,
  );
  if (changes > 0) process.stderr.write(alongText(along));
}

function listSteps({ steps, changes, along }: Replies['commit'], asJson: boolean): void {
  if (asJson) process.stdout.write(`${JSON.stringify({ steps, changes, along: along.map(label) })}\n`);
  else for (const step of steps) process.stdout.write(`${step}\n`);
  process.stderr.write(asJson ? '' : alongText(along));
}

async function isWanted(session: Layout, paths: readonly BytePath[]): Promise<boolean> {
  const { steps, along } = await plan(session, paths);
  if (steps.length === 0) return true;
  const more = steps.length > STEPS_SHOWN ? `  … and ${steps.length - STEPS_SHOWN} more\n` : '';
  process.stderr.write(
    `${steps
      .slice(0, STEPS_SHOWN)
      .map((step) => `  ${step}\n`)
      .join('')}${more}${alongText(along)}`,
  );
  return confirm('Apply this to the real files?');
}

function plan(session: Layout, paths: readonly BytePath[]): Promise<Replies['commit']> {
  return withDaemon(session, (daemon) => daemon.request({ op: 'commit', dryRun: true, paths }));
}

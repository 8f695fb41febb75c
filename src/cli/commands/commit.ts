/** `yolofs commit`: applies everything that is staged to the real files. */
import type { Command } from 'commander';
import type { Layout } from '../../history/layout.ts';
import { UserError } from '../../sys/user-error.ts';
import { canAsk, confirm } from '../ask.ts';
import { withDaemon } from '../connection.ts';
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
    .argument('[path...]', 'only these (not possible yet)')
    .option('--dry-run', 'only list what would be done')
    .option('--yes', 'do not ask')
    .option('--json', 'list as JSON (with --dry-run)')
    .action(commit);
}

async function commit(paths: readonly string[], options: Options, command: Command): Promise<void> {
  if (paths.length > 0)
    throw new UserError('single paths cannot be selected yet', 'without paths it applies everything');
  const session = sessionOf(command);
  if (options.dryRun) return listSteps(session, options.json === true);
  if (!options.yes && canAsk() && !(await isWanted(session))) {
    throw new UserError('not confirmed: nothing was written');
  }
  await apply(session);
}

/** Applies all that is staged, with progress on a terminal, and says how much it was. */
export async function apply(session: Layout): Promise<void> {
  const progress = progressOn(process.stderr);
  const work = withDaemon(session, (daemon) => daemon.request({ op: 'commit', dryRun: false }, progress.show));
  const { changes } = await work.finally(progress.clear);
  process.stderr.write(
    changes === 0 ? 'nothing to commit\n' : `committed ${changes} ${changes === 1 ? 'change' : 'changes'}\n`,
  );
}

async function listSteps(session: Layout, asJson: boolean): Promise<void> {
  const { steps, changes } = await plan(session);
  if (asJson) process.stdout.write(`${JSON.stringify({ steps, changes })}\n`);
  else for (const step of steps) process.stdout.write(`${step}\n`);
}

async function isWanted(session: Layout): Promise<boolean> {
  const { steps } = await plan(session);
  if (steps.length === 0) return true;
  const more = steps.length > STEPS_SHOWN ? `  … and ${steps.length - STEPS_SHOWN} more\n` : '';
  process.stderr.write(
    `${steps
      .slice(0, STEPS_SHOWN)
      .map((step) => `  ${step}\n`)
      .join('')}${more}`,
  );
  return confirm('Apply this to the real files?');
}

function plan(session: Layout): Promise<{ steps: readonly string[]; changes: number }> {
  return withDaemon(session, (daemon) => daemon.request({ op: 'commit', dryRun: true }));
}

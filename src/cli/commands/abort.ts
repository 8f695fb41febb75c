/** `yolofs abort`: throws away everything that is staged. */
import type { Command } from 'commander';
import type { Layout } from '../../history/layout.ts';
import { UserError } from '../../sys/user-error.ts';
import { canAsk, confirm } from '../ask.ts';
import { withDaemon } from '../connection.ts';
import { sessionOf } from '../session.ts';

export function define(command: Command): void {
  command.argument('[path...]', 'only these (not possible yet)').option('--yes', 'do not ask').action(abort);
}

async function abort(paths: readonly string[], options: { yes?: true }, command: Command): Promise<void> {
  if (paths.length > 0)
    throw new UserError('single paths cannot be selected yet', 'without paths it discards everything');
  const session = sessionOf(command);
  if (!options.yes && canAsk() && !(await confirm('Discard everything that is staged?'))) {
    throw new UserError('not confirmed: nothing was discarded');
  }
  await discard(session);
}

/** Discards all that is staged, and says how much it was. */
export async function discard(session: Layout): Promise<void> {
  const { changes } = await withDaemon(session, (daemon) => daemon.request({ op: 'abort' }));
  process.stderr.write(
    changes === 0 ? 'nothing was staged\n' : `discarded ${changes} staged ${changes === 1 ? 'change' : 'changes'}\n`,
  );
}

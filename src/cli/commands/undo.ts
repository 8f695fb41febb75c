/** `yolofs undo`: takes the last commit back; what it had applied is staged again. */
import type { Command } from 'commander';
import { withDaemon } from '../connection.ts';
import { progressOn } from '../progress.ts';
import { sessionOf } from '../session.ts';

export function define(command: Command): void {
  command.option('--json', 'answer as JSON').action(undo);
}

async function undo(options: { json?: true }, command: Command): Promise<void> {
  const progress = progressOn(process.stderr);
  const work = withDaemon(sessionOf(command), (daemon) => daemon.request({ op: 'undo' }, progress.show));
  const { commit, changes } = await work.finally(progress.clear);
  if (options.json) process.stdout.write(`${JSON.stringify({ commit, changes })}\n`);
  const what = `${changes} ${changes === 1 ? 'change is' : 'changes are'} staged again`;
  process.stderr.write(`took commit ${commit} back: ${what}\n`);
}

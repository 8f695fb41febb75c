/** `yolofs stop`: ends the session's daemon, and with it everything that still runs in the view. */
import type { Command } from 'commander';
import { stopDaemon } from '../connection.ts';
import { sessionOf } from '../session.ts';
import { listed } from '../text/output.ts';

export function define(command: Command): void {
  command.action(stop);
}

async function stop(_options: unknown, command: Command): Promise<void> {
  const stopped = await stopDaemon(sessionOf(command));
  if (stopped === undefined) process.stderr.write('no daemon was running\n');
  else if (stopped.running.length > 0) process.stderr.write(`ended what ran in the view: ${listed(stopped.running)}\n`);
}

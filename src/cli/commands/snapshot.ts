/** `yolofs snapshot`: a name for the present state. */
import type { Command } from 'commander';
import { toBytes } from '../../sys/bytes.ts';
import { withDaemon } from '../connection.ts';
import { sessionOf } from '../session.ts';

export function define(command: Command): void {
  command
    .argument('[name]', 'what to call it', '')
    .option('--if-changed', 'only if something has changed since the last one')
    .action(snapshot);
}

async function snapshot(name: string, options: { ifChanged?: true }, command: Command): Promise<void> {
  const request = { op: 'snapshot', name: toBytes(name), ifChanged: options.ifChanged === true } as const;
  const { taken, generation } = await withDaemon(sessionOf(command), (daemon) => daemon.request(request));
  if (taken) process.stdout.write(`snapshot ${generation}\n`);
  else process.stderr.write(`nothing changed since generation ${generation}\n`);
}

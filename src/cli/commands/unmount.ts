/** `yolofs unmount`: takes the view away from where `yolofs mount` has put it. */
import type { Command } from 'commander';
import { sourceOf } from '../../daemon/outside/source.ts';
import { mountsNamed, unmountFromHost } from '../../sandbox/unmount.ts';
import { UserError } from '../../sys/user-error.ts';
import { withLiveDaemon } from '../connection.ts';
import { sessionOf } from '../session.ts';

export function define(command: Command): void {
  command.action(unmount);
}

async function unmount(_options: unknown, command: Command): Promise<void> {
  const session = sessionOf(command);
  const done = await withLiveDaemon(session, (daemon) => daemon.request({ op: 'unmount' }));
  if (done !== undefined) return;
  // A daemon that was killed together with what watches over its mount.
  const left = mountsNamed(sourceOf(session));
  for (const dir of left) unmountFromHost(dir, true);
  if (left.length === 0) throw new UserError('the view is not mounted on this host');
}

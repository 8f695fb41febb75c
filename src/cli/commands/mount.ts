/** `yolofs mount`: the view at a directory of the host, for the person's own programs (daemon/outside). */
import { basename, dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Layout } from '../../history/layout.ts';
import { inspect } from '../../sys/files/plain-directory.ts';
import { makeDirectory, realPath } from '../../sys/files/text-files.ts';
import { UserError } from '../../sys/user-error.ts';
import { withDaemon } from '../connection.ts';
import { madeSessionOf } from '../session.ts';

export function define(command: Command): void {
  command
    .argument('[dir]', 'an empty directory of yours; else one below $XDG_RUNTIME_DIR is made')
    .option('--write', 'what is written there is staged')
    .action(mount);
}

async function mount(dir: string | undefined, options: { write?: true }, command: Command): Promise<void> {
  const session = madeSessionOf(command);
  const at = dir === undefined ? runtimeDirectory(session) : placeOf(dir);
  const request = {
    op: 'mount',
    dir: at,
    write: options.write === true,
    temporary: dir === undefined,
  } as const;
  await withDaemon(session, (daemon) => daemon.request(request));
  process.stdout.write(`${at}\n`);
}

/** Its last name is not resolved: a symlink is refused. */
function placeOf(dir: string): string {
  const asked = resolve(dir);
  const parent = realPath(dirname(asked));
  if (parent === undefined) throw new UserError(`there is no directory ${dirname(asked)}`);
  return resolve(parent, basename(asked));
}

/** One of the person's that is gone when they have logged out, and hidden in every view (staging/watch/mount-watch.ts). */
function runtimeDirectory({ project, entry }: Layout): string {
  const base = realPath(process.env.XDG_RUNTIME_DIR || '/nonexistent');
  if (base === undefined || inspect(base)?.owner !== process.geteuid?.()) {
    throw new UserError('$XDG_RUNTIME_DIR is no directory of yours', "name an empty one: 'yolofs mount DIR'");
  }
  const dirs = [`${base}/yolofs`, `${base}/yolofs/${basename(project) || 'root'}-${basename(entry)}`];
  for (const dir of dirs) if (inspect(dir) === undefined) makeDirectory(dir, 0o700);
  return dirs[1] ?? base;
}

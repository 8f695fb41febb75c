/** `yolofs export`: what is staged in the project, a commit or a patch a snapshot, for elsewhere. */
import type { Command } from 'commander';
import { amount } from '../../agents/amount.ts';
import { RANGE_HELP } from '../look/range-words.ts';
import { exportBundle } from '../review/bundle/write-bundle.ts';
import { exportBranch, exportPatch } from '../review/export.ts';
import { sessionOf } from '../session.ts';
import { UsageError } from '../usage-error.ts';

interface Options {
  readonly patch?: true;
  readonly git?: string;
  readonly bundle?: string;
}

export function define(command: Command): void {
  command
    .argument('[range]', RANGE_HELP)
    .option('--patch', "patches on stdout, as 'git am' takes them")
    .option('--git <branch>', "a new branch of the project's repository; its hooks and settings are not run")
    .option('--bundle <file>', "a file that 'yolofs review FILE' shows elsewhere, without secrets")
    .action(exportStaged);
}

async function exportStaged(
  range: string | undefined,
  { patch, git, bundle }: Options,
  command: Command,
): Promise<void> {
  if ([patch, git, bundle].filter((one) => one !== undefined).length !== 1)
    throw new UsageError('either --patch, --git BRANCH or --bundle FILE');
  const session = sessionOf(command);
  if (bundle !== undefined) {
    const { files, omitted } = await exportBundle(session, range, bundle);
    const left =
      omitted === 0
        ? ''
        : `; ${amount(omitted, 'file')} left out: rules keep them from being read, or they hold a secret`;
    process.stderr.write(`${bundle} has ${amount(files.length, 'file')}${left}\n`);
    return;
  }
  if (git === undefined) return exportPatch(session, range);
  const { commits, hash } = await exportBranch(session, range, git);
  if (hash === undefined) process.stderr.write('nothing is staged in the project\n');
  else process.stderr.write(`branch ${git} has ${amount(commits, 'commit')}, up to ${hash.slice(0, 7)}\n`);
}

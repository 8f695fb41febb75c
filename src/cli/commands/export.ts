/** `yolofs export`: what is staged in the project, a commit or a patch a snapshot, for elsewhere. */
import type { Command } from 'commander';
import { amount } from '../../agents/amount.ts';
import { RANGE_HELP } from '../look/range-words.ts';
import { exportBranch, exportPatch } from '../review/export.ts';
import { sessionOf } from '../session.ts';
import { UsageError } from '../usage-error.ts';

interface Options {
  readonly patch?: true;
  readonly git?: string;
}

export function define(command: Command): void {
  command
    .argument('[range]', RANGE_HELP)
    .option('--patch', "patches on stdout, as 'git am' takes them")
    .option('--git <branch>', "a new branch of the project's repository; its hooks and settings are not run")
    .action(exportStaged);
}

async function exportStaged(range: string | undefined, { patch, git }: Options, command: Command): Promise<void> {
  if ((patch === true) === (git !== undefined)) throw new UsageError('either --patch or --git BRANCH');
  const session = sessionOf(command);
  if (git === undefined) return exportPatch(session, range);
  const { commits, hash } = await exportBranch(session, range, git);
  if (hash === undefined) process.stderr.write('nothing is staged in the project\n');
  else process.stderr.write(`branch ${git} has ${amount(commits, 'commit')}, up to ${hash.slice(0, 7)}\n`);
}

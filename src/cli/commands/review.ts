/** `yolofs review`: the review page; `-t` on the full screen of the terminal, `-p` one hunk after the other. */
import type { Command } from 'commander';
import type { Layout } from '../../history/layout.ts';
import { isMade } from '../../history/registry/find.ts';
import { pickHunks } from '../review/pick-hunks.ts';
import { sessionOf } from '../session.ts';
import { UsageError } from '../usage-error.ts';

const REST = "the rest is staged: 'yolofs status' lists it, 'yolofs review -t' goes on\n";

export function define(command: Command): void {
  command
    .argument('[bundle]', "a file that 'yolofs export --bundle' made: it is shown")
    .option('-t, --terminal', 'on the full screen of the terminal: ? shows the keys')
    .option('-p, --patch', 'decide one hunk after the other, as in git add -p')
    .option('--no-open', 'only print the address of the page')
    .action(review);
}

interface Options {
  readonly terminal?: true;
  readonly patch?: true;
  readonly open: boolean;
}

async function review(bundle: string | undefined, { terminal, patch, open }: Options, command: Command): Promise<void> {
  if (bundle !== undefined) {
    const { showBundle } = await import('../review/bundle/show-bundle.ts');
    return showBundle(bundle);
  }
  const session: Layout = sessionOf(command);
  if (terminal && patch) throw new UsageError('either -t or -p');
  if (terminal) {
    const { reviewOnScreen } = await import('../review/screen/run-screen.ts');
    const { isLeft } = await reviewOnScreen(session);
    if (isLeft) process.stderr.write(REST);
  } else if (patch) await pickHunks(session);
  else if (!isMade(session)) process.stderr.write('nothing is staged\n');
  else {
    const { openPage } = await import('../review/open-page.ts');
    await openPage(session, open);
  }
}

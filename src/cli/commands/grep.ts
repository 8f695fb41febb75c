/**
 * `yolofs grep`: GNU grep in the view. It runs there, as the program it replaces would: what it may read is decided where
 * that is decided for all programs, and its search costs the session nothing. In the view hot-grep.ts carries it out without all this.
 */
import type { Command } from 'commander';
import { isInsideView } from '../../sandbox/inside.ts';
import { grepWords, search } from '../look/search.ts';
import { ownProgram } from '../own-program.ts';
import { madeSessionOf } from '../session.ts';

export function define(command: Command): void {
  command
    .usage('[options] PATTERNS [FILE]…')
    .argument('[word...]', "GNU grep's command line")
    .helpOption(false)
    .allowUnknownOption()
    .option('--stat', 'say on stderr how many files were meant, read and matched')
    .action(grep);
}

async function grep(_words: readonly string[], _options: unknown, command: Command): Promise<void> {
  const asked = grepWords(process.argv.slice(2), command.name());
  if (isInsideView()) {
    process.exitCode = await search(asked);
    return;
  }
  const { words, isCounted } = asked;
  const program = [...ownProgram(), command.name(), ...(isCounted ? ['--stat'] : []), ...words];
  const text = ['yolofs', command.name(), ...words].join(' ');
  const { runInView } = await import('../run/launch.ts');
  const { code } = await runInView(madeSessionOf(command), { program, text, snapshot: undefined });
  process.exitCode = code;
}

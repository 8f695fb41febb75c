/**
 * `yolofs grep`: GNU grep in the view. It runs there, as the program it replaces would: what it may read is decided where
 * that is decided for all programs, and its search costs the session nothing.
 */
import type { Command } from 'commander';
import { runGrep, type Statistics } from '../../sources/grep/grep.ts';
import { bytesOfWord } from '../../sys/process/word-bytes.ts';
import { ViewFiles } from '../look/view-files.ts';
import { ownProgram } from '../own-program.ts';
import { isInsideView, madeSessionOf } from '../session.ts';

export function define(command: Command): void {
  command
    .usage('[options] PATTERNS [FILE]…')
    .argument('[word...]', "GNU grep's command line")
    .helpOption(false)
    .allowUnknownOption()
    .option('--stat', 'say on stderr how many files were meant, read and matched')
    .action(grep);
}

async function grep(_words: readonly string[], options: { stat?: true }, command: Command): Promise<void> {
  const words = wordsAfter(process.argv.slice(2), command.name());
  process.exitCode = isInsideView() ? await search(words, options) : await searchInView(words, options, command);
}

/** What stands after the command's name, as it stands there, but for options that are not grep's. */
function wordsAfter(argv: readonly string[], name: string): string[] {
  const at = argv.findIndex((word, i) => word === name && argv[i - 1] !== '--session');
  const words = argv.slice(at + 1);
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const isOwn = (word: string, i: number): boolean =>
    i < end && (word === '--stat' || word.startsWith('--session') || words[i - 1] === '--session');
  return argv[0] === 'help' ? ['--help'] : words.filter((word, i) => !isOwn(word, i));
}

async function searchInView(words: readonly string[], { stat }: { stat?: true }, command: Command): Promise<number> {
  const program = [...ownProgram(), command.name(), ...(stat ? ['--stat'] : []), ...words];
  const text = ['yolofs', command.name(), ...words].join(' ');
  const { runInView } = await import('../run/launch.ts');
  const { code } = await runInView(madeSessionOf(command), { program, text, snapshot: undefined });
  return code;
}

async function search(words: readonly string[], { stat }: { stat?: true }): Promise<number> {
  const statistics: Statistics = { files: 0, read: 0, matched: 0 };
  const code = await runGrep(words.map(bytesOfWord), new ViewFiles(stat === true), SINK, statistics);
  const { files, read, matched } = statistics;
  if (stat) process.stderr.write(`grep: ${files} files, ${read} read, ${matched} matched\n`);
  return code;
}

const SINK = {
  out: (bytes: Uint8Array): void => void process.stdout.write(bytes),
  err: (line: string): void => void process.stderr.write(Buffer.from(`${line}\n`, 'latin1')),
  drained: (): Promise<void> =>
    process.stdout.writableNeedDrain
      ? new Promise((resolve) => void process.stdout.once('drain', resolve))
      : Promise.resolve(),
};

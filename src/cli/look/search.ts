/** `yolofs grep` where it runs in the view. */
import { runGrep } from '../../sources/grep/grep.ts';
import type { Statistics } from '../../sources/grep/step-search.ts';
import { bytesOfWord } from '../../sys/process/word-bytes.ts';
import { ViewFiles } from './view-files.ts';

/** A command line of it. */
export interface GrepWords {
  /** GNU grep's. */
  readonly words: readonly string[];
  /** It is to be told how much was searched. */
  readonly isCounted: boolean;
}

/** What stands after the command's name, as it stands there, but for options that are not grep's. */
export function grepWords(argv: readonly string[], name: string): GrepWords {
  const at = argv.findIndex((word, i) => word === name && argv[i - 1] !== '--session');
  const words = argv.slice(at + 1);
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const isCounted = words.slice(0, end).includes('--stat');
  if (argv[0] === 'help') return { words: ['--help'], isCounted };
  const isOwn = (word: string, i: number): boolean =>
    i < end && (word === '--stat' || word.startsWith('--session') || words[i - 1] === '--session');
  return { words: words.filter((word, i) => !isOwn(word, i)), isCounted };
}

/** Searches what this process can reach; resolves to the exit code. */
export async function search({ words, isCounted }: GrepWords): Promise<number> {
  const statistics: Statistics | undefined = isCounted ? { files: 0, read: 0, matched: 0 } : undefined;
  const code = await runGrep(words.map(bytesOfWord), new ViewFiles(), SINK, statistics);
  if (statistics === undefined) return code;
  const { files, read, matched } = statistics;
  process.stderr.write(`grep: ${files} files, ${read} read, ${matched} matched\n`);
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

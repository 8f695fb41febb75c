/**
 * A shell command as `yolofs run` of itself, and back. The command becomes ONE single-quoted argument. A prefix would not
 * do: in `a && b > c` the shell outside of the view would run `b` and open `c`.
 */
import { isCommandFile, writeCommandFile } from './command-file.ts';
import { quoteWord, unquoteWord } from './shell-quote.ts';

/** Linux takes 128 KiB in one argument, and the agent's shell quotes the text once more. */
const LONGEST_INLINE = 100 * 1024;

export interface WrapOptions {
  /** Words that start this program from any directory: an absolute path, or an interpreter and a path. */
  readonly program: readonly string[];
  /** The project of the session to name; undefined where `yolofs run` finds it by itself. */
  readonly session?: string;
}

/** `command`, to be run in the view. Long ones travel in a file. */
export function wrapCommand(command: string, options: WrapOptions): string {
  const prefix = runPrefix(options);
  const quoted = quoteWord(command);
  if (Buffer.byteLength(quoted) <= LONGEST_INLINE) return `${prefix}-c ${quoted}`;
  return `${prefix}--command-file ${quoteWord(writeCommandFile(command))}`;
}

/**
 * Whether the whole text is exactly what `wrapCommand` makes. It does not matter who wrote it: such a text runs its
 * command in the view and nothing outside of it. A mere prefix proves nothing and is wrapped like any command.
 */
export function isWrapped(command: string, options: WrapOptions): boolean {
  const prefix = runPrefix(options);
  const [inline, inFile] = [`${prefix}-c `, `${prefix}--command-file `];
  if (command.startsWith(inline)) return unquoteWord(command.slice(inline.length)) !== undefined;
  if (!command.startsWith(inFile)) return false;
  const path = unquoteWord(command.slice(inFile.length));
  return path !== undefined && isCommandFile(path);
}

function runPrefix({ program, session }: WrapOptions): string {
  const named = session === undefined ? '' : `--session ${quoteWord(session)} `;
  return `${program.map(quoteWord).join(' ')} run ${named}`;
}

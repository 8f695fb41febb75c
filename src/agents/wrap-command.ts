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
  /** The id under which the run leaves what it came to (calls.ts). */
  readonly call?: string;
}

/** `command`, to be run in the view. Long ones travel in a file. */
export function wrapCommand(command: string, options: WrapOptions): string {
  const prefix = runPrefix(options);
  const quoted = quoteWord(command);
  if (Buffer.byteLength(quoted) <= LONGEST_INLINE) return `${prefix}-c ${quoted}`;
  return `${prefix}--command-file ${quoteWord(writeCommandFile(command))}`;
}

/**
 * What `wrapCommand` has made the whole text of, with the same program and session and perhaps another call; undefined for
 * every other text. It does not matter who wrote it: such a text runs its command in the view and nothing outside of it.
 * A mere prefix proves nothing, and such a text is to be wrapped like any command.
 */
export function unwrapCommand(text: string, { program, session }: WrapOptions): { readonly call?: string } | undefined {
  const prefix = runPrefix({ program, ...(session === undefined ? {} : { session }) });
  if (!text.startsWith(prefix)) return undefined;
  const [, call, kind, word = ''] =
    /^(?:--call '([^']*)' )?(-c|--command-file) (.*)$/s.exec(text.slice(prefix.length)) ?? [];
  const inner = unquoteWord(word);
  if (inner === undefined || (kind === '--command-file' && !isCommandFile(inner))) return undefined;
  return call === undefined ? {} : { call };
}

function runPrefix({ program, session, call }: WrapOptions): string {
  const named = session === undefined ? '' : `--session ${quoteWord(session)} `;
  const noted = call === undefined ? '' : `--call ${quoteWord(call)} `;
  return `${program.map(quoteWord).join(' ')} run ${named}${noted}`;
}

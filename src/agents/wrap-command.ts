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
  /** With `call`: no hook can be relied on to tell the model, so the run prints its whole summary. */
  readonly tellsAll?: boolean;
  /** Has the agent's shell go where the command ended: the file in which the run of a call leaves that. */
  readonly directoryFile?: ((call: string) => string) | undefined;
  /** The hook's environment; this process's by default. */
  readonly env?: NodeJS.ProcessEnv;
}

/** `command`, to be run in the view. Long ones travel in a file. */
export function wrapCommand(command: string, options: WrapOptions): string {
  const quoted = quoteWord(command);
  const isLong = Buffer.byteLength(quoted) > LONGEST_INLINE;
  const work = isLong ? `--command-file ${quoteWord(writeCommandFile(command, options.env))}` : `-c ${quoted}`;
  return `${runPrefix(options)}${work}${goThere(options)}`;
}

/** Only what ended well leaves a directory, as in the shells of agents. The exit code stays. */
function goThere({ call, directoryFile }: WrapOptions): string {
  if (call === undefined || directoryFile === undefined) return '';
  const file = quoteWord(directoryFile(call));
  return ` && { [ ! -s ${file} ] || cd -- "$(cat ${file})"; }`;
}

/**
 * What `wrapCommand` has made the whole text of, with the same program and session and perhaps another call; undefined for
 * every other text. It does not matter who wrote it: such a text runs its command in the view and nothing outside of it.
 * A mere prefix proves nothing, and such a text is to be wrapped like any command.
 */
export function unwrapCommand(text: string, options: WrapOptions): { readonly call?: string } | undefined {
  const { program, session, directoryFile } = options;
  const prefix = runPrefix({ program, ...(session === undefined ? {} : { session }) });
  if (!text.startsWith(prefix)) return undefined;
  const [, call, keeps, kind, rest = ''] = WRAPPED.exec(text.slice(prefix.length)) ?? [];
  const tail = keeps && call !== undefined && directoryFile ? goThere({ program, call, directoryFile }) : '';
  if (!rest.endsWith(tail)) return undefined;
  const inner = unquoteWord(rest.slice(0, rest.length - tail.length));
  if (inner === undefined || (kind === '--command-file' && !isCommandFile(inner))) return undefined;
  return call === undefined ? {} : { call };
}

const WRAPPED = /^(?:--call '([^']*)' (?:--tell )?(--keep-directory )?)?(-c|--command-file) (.*)$/s;

function runPrefix({ program, session, call, tellsAll, directoryFile }: WrapOptions): string {
  const named = session === undefined ? '' : `--session ${quoteWord(session)} `;
  const keeps = directoryFile === undefined ? '' : '--keep-directory ';
  const noted = call === undefined ? '' : `--call ${quoteWord(call)} ${tellsAll ? '--tell ' : ''}${keeps}`;
  return `${program.map(quoteWord).join(' ')} run ${named}${noted}`;
}

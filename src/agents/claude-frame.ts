/**
 * What Claude Code (2.1) hands to `$CLAUDE_CODE_SHELL_PREFIX` as the one argument: for its Bash tool the frame
 *
 *     source …/shell-snapshots/snapshot-bash-….sh 2>/dev/null || true && … && eval 'COMMAND' < /dev/null && pwd -P >| FILE
 *
 * and for hooks, the status line and MCP servers just their own text. The model writes COMMAND and nothing else, so a frame is
 * told by what stands before and after it.
 */

/** The name under which this program is such a prefix. */
export const SHELL_PREFIX_NAME = 'yolofs-shell';

export interface ClaudeFrame {
  readonly shell: 'bash' | 'zsh';
  /** As the model wrote it; undefined when it cannot be made out. */
  readonly command: string | undefined;
  /** Where Claude Code looks for the directory that the command ended in; undefined where it does not. */
  readonly cwdFile: string | undefined;
}

const BEGIN = /^source \S*\/shell-snapshots\/snapshot-(bash|zsh)-/;
const END = / && pwd -P >\| (\/\S+-cwd)$/;
/** A word of single-quoted pieces, with quotes between them in double quotes or behind a backslash; or a plain one. */
const EVAL = /(?:^|[\s&])eval ((?:'[^']*'|"'"|\\')+|[\w./:=@%+,-]+)(?=\s|$)/;

/** The frame of the Bash tool; undefined for everything else. Either end of it is enough. */
export function parseFrame(text: string): ClaudeFrame | undefined {
  const begin = BEGIN.exec(text);
  const end = END.exec(text);
  if (begin === null && end === null) return undefined;
  const word = EVAL.exec(text)?.[1];
  return { shell: begin?.[1] === 'zsh' ? 'zsh' : 'bash', command: word && unquote(word), cwdFile: end?.[1] };
}

function unquote(word: string): string {
  return word.replace(/'([^']*)'|"'"|\\'/g, (_piece, inner: string | undefined) => inner ?? "'");
}

/** Shell text as a program: through the view's bash, or sh where there is none. */

/** Linux takes 128 KiB in one argument; UTF-8 needs at most three bytes for a code unit. */
const LONGEST_PIECE = 40_000;

const CHOOSE_SHELL = 'if command -v bash >/dev/null 2>&1; then exec bash -c "$@"; else exec sh -c "$@"; fi';
// The pieces become one text again; what puts them together leaves no trace in the shell that runs it.
const JOIN_PIECES = 'saved=$IFS; IFS=; eval "IFS=\\$saved; unset saved; set --; $*"';

/** The words that run `text` as `bash -c` does, of any length that Linux takes in all arguments together. */
export function shellProgram(text: string): readonly string[] {
  const pieces = split(text);
  const rest = pieces.length === 1 ? pieces : [JOIN_PIECES, 'bash', ...pieces];
  return ['sh', '-c', CHOOSE_SHELL, 'sh', ...rest];
}

/** Cuts into pieces of at most LONGEST_PIECE code units, never between the halves of a character. */
function split(text: string): string[] {
  if (Buffer.byteLength(text) < 3 * LONGEST_PIECE) return [text];
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + LONGEST_PIECE;
    const halves = /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? 1 : 0;
    pieces.push(text.slice(at, end - halves));
    at = end - halves;
  }
  return pieces;
}

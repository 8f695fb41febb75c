/** What a stream to a person can show: colour on a terminal only, and never with $NO_COLOR. */

export interface Paint {
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
  bold(text: string): string;
  dim(text: string): string;
}

const PLAIN: Paint = { red: same, green: same, yellow: same, cyan: same, bold: same, dim: same };

const COLOURED: Paint = {
  red: (text) => `\x1b[31m${text}\x1b[39m`,
  green: (text) => `\x1b[32m${text}\x1b[39m`,
  yellow: (text) => `\x1b[33m${text}\x1b[39m`,
  cyan: (text) => `\x1b[36m${text}\x1b[39m`,
  bold: (text) => `\x1b[1m${text}\x1b[22m`,
  dim: (text) => `\x1b[2m${text}\x1b[22m`,
};

/** The colours of a stream; on anything but a capable terminal they add nothing. */
export function paintFor(stream: { readonly isTTY?: boolean }, env = process.env): Paint {
  const wanted = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  return wanted ? COLOURED : PLAIN;
}

/** `--color`: `always` and `never` leave no choice to the stream. */
export function paintBy(choice: string | undefined, stream: { readonly isTTY?: boolean }): Paint {
  if (choice === 'always') return COLOURED;
  return choice === 'never' ? PLAIN : paintFor(stream);
}

function same(text: string): string {
  return text;
}

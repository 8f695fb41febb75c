/**
 * Lines that are known to have the text that is looked for (`../searching/excerpts.ts`), where that alone makes a line match: they are
 * printed as they are, and nothing is looked for in them.
 */
import { isUtf8 } from 'node:buffer';
import type { Options } from './command-line/options.ts';
import type { Matcher } from './pattern/matcher.ts';
import type { Printer } from './printer.ts';

const NEWLINE = 10;

/** Whether a file's selected lines, one after the other, are all that is printed of it. */
export function arePrintedWhole({
  options,
  matcher,
}: {
  readonly options: Options;
  readonly matcher: Matcher;
}): boolean {
  const { onlyMatching, byteOffsets, initialTab, count, quiet, list, most, invert, hasContext } = options;
  const isMore = byteOffsets || initialTab || hasContext;
  const isLess = onlyMatching || count || quiet || list !== 'none' || most !== Number.POSITIVE_INFINITY;
  return matcher.isText && !invert && !isMore && !isLess && options.lineEnd === NEWLINE;
}

/** Returns how many there are; undefined: each has to be looked at, as some are no text, and none is printed. */
export function printLines(lines: Uint8Array, name: string, printer: Printer): number | undefined {
  if (!isUtf8(lines)) return undefined;
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.length);
  return printer.lines(name, bytes.toString('latin1'));
}

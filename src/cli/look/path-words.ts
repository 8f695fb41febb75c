/** Paths that a person chooses, and what chooses itself with them. */
import { resolve } from 'node:path';
import { type BytePath, label, toBytePath } from '../../sys/bytes.ts';

/** More than that nobody reads. */
const SHOWN = 10;

/** Paths of the command line, seen from the present directory. */
export function toPaths(words: readonly string[]): BytePath[] {
  return words.map((word) => toBytePath(resolve(word)));
}

/** Says what came along although nobody chose it; nothing if nothing did. */
export function alongText(along: readonly BytePath[]): string {
  if (along.length === 0) return '';
  const more = along.length > SHOWN ? `  … and ${along.length - SHOWN} more\n` : '';
  const lines = along.slice(0, SHOWN).map((path) => `  ${label(path)}\n`);
  return `along with these, which belong to it:\n${lines.join('')}${more}`;
}

/** Paths that a person chooses, and what chooses itself with them. */
import { resolve } from 'node:path';
import { type BytePath, label, toBytes } from '../../sys/bytes.ts';
import { bytesOfWord } from '../../sys/process/word-bytes.ts';
import { SELF } from '../caller.ts';
import { UsageError } from '../usage-error.ts';

/** More than that nobody reads. */
const SHOWN = 10;

/** Paths of the command line, seen from the present directory. Throws a UsageError as `notEmpty` does, a UserError as `bytesOfWord`. */
export function toPaths(words: readonly string[]): BytePath[] {
  return words.map((word) => resolve(toBytes(SELF.cwd), bytesOfWord(notEmpty(word))) as BytePath);
}

/**
 * The word for a path. Throws a UsageError for an empty one, a variable without a value by all likelihood: it would mean the
 * present directory, and a commit, an abort or a rule of all that is in it.
 */
export function notEmpty(word: string): string {
  if (word === '') throw new UsageError('a path is empty');
  return word;
}

/** Says what came along although nobody chose it; nothing if nothing did. */
export function alongText(along: readonly BytePath[]): string {
  if (along.length === 0) return '';
  const more = along.length > SHOWN ? `  … and ${along.length - SHOWN} more\n` : '';
  const lines = along.slice(0, SHOWN).map((path) => `  ${label(path)}\n`);
  return `along with these, which belong to it:\n${lines.join('')}${more}`;
}

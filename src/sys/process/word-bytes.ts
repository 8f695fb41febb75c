/** The words of the command line as they were given: node makes U+FFFD of what is not UTF-8. */
import { toBytes } from '../bytes.ts';
import { UserError } from '../user-error.ts';
import { readProc } from './process.ts';

/** A word of this process's command line in bytes. Throws a UserError when node knows two words as this one. */
export function bytesOfWord(word: string): string {
  if (!word.includes('\ufffd')) return toBytes(word);
  const given = (readProc(process.pid, 'cmdline') ?? '').split('\0');
  const [bytes, other] = new Set(given.filter((raw) => Buffer.from(raw, 'latin1').toString() === word));
  if (other !== undefined)
    throw new UserError(`${word} stands for several words that are not UTF-8`, 'give one at a time');
  return bytes ?? toBytes(word);
}

/** Whether node has made another word of one that it could not read. */
export function isDistorted(word: string): boolean {
  return word.includes('\ufffd') && bytesOfWord(word) !== toBytes(word);
}

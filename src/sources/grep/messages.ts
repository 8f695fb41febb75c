/** Errors in the words of the C library, as grep prints them. */
import { type Errno, errnoMeaning } from '../../sys/errno.ts';

/** `No such file or directory`. */
export function errnoText(errno: Errno): string {
  const text = errnoMeaning(errno);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

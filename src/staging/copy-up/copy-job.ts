/** One large copy (copy-ups.ts). */

import type { Errno } from '../../sys/errno.ts';
import { close } from '../../sys/libc.ts';
import { copyContent } from '../copy-content.ts';
import type { CopyJob } from './copy-ups.ts';

/** Makes it, and closes the descriptors that were given for it. */
export function carryOut({ from, to, size }: CopyJob): Errno {
  const error = copyContent(from, to, size);
  close(from);
  close(to);
  return error;
}

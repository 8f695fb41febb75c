/** Has the kernel send what it holds of files in the view, by whichever mount they were written. */
import type { Holder } from '../../sandbox/holder.ts';
import { EINTR, SystemError } from '../../sys/errno.ts';
import { failed, syncfsAsync } from '../../sys/libc.ts';
import { log } from '../../sys/log.ts';

/** Resolves to 0 or the first failure, negative. */
export async function writeBack(holder: Holder): Promise<number> {
  const result = await writeBackOnce(holder);
  // Told of a process that was killed: a request of its own (for the times of a file) was withdrawn. What it wrote is not
  // lost, as the kernel sends that by itself; now that this is told, the next answer is about that.
  return failed(result) === EINTR ? writeBackOnce(holder) : result;
}

async function writeBackOnce({ roots }: Holder): Promise<number> {
  const fds = roots.second === undefined ? [roots.first] : [roots.first, roots.second];
  const results = await Promise.all(fds.map((fd) => syncfsAsync(fd)));
  return results.find((result) => failed(result) !== undefined) ?? 0;
}

/**
 * The same. A failure is the files' own, unless they are to be committed (`strict`, which rejects with a SystemError); what
 * went wrong is returned, as many a program does not look at what close(2) says.
 */
export async function storeAll(holder: Holder, mode: 'tolerant' | 'strict'): Promise<string | undefined> {
  const errno = failed(await writeBack(holder));
  if (errno === undefined) return undefined;
  const error = new SystemError('cannot store all that was written in the view', errno);
  if (mode === 'strict') throw error;
  log(error.message);
  return error.message;
}

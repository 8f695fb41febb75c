/** Has the kernel send what it holds of files in the view, by whichever mount they were written. */
import type { Holder } from '../sandbox/holder.ts';
import { failed, syncfsAsync } from '../sys/libc.ts';

/** Resolves to 0 or the first failure, negative. */
export async function writeBack({ roots }: Holder): Promise<number> {
  const fds = roots.second === undefined ? [roots.first] : [roots.first, roots.second];
  const results = await Promise.all(fds.map((fd) => syncfsAsync(fd)));
  return results.find((result) => failed(result) !== undefined) ?? 0;
}

/**
 * Has somebody in the view walk to directories: the kernel learns the way to one that moved only then, and a process that
 * works in it cannot name its place before. The daemon itself must not look below its mount.
 */
import { enterArgv } from '../../sandbox/enter.ts';
import type { Holder } from '../../sandbox/holder.ts';
import type { BytePath } from '../../sys/bytes.ts';
import { PLAIN_ENVIRONMENT, processesBeside, startProcess } from '../../sys/process/process.ts';

/** What fits into one command line in any case. */
const MOST_BYTES = 64 * 1024;
const TIMEOUT_MS = 5000;
const WALK = `for path; do test -d "$(printf '%b/.' "$path")"; done`;

/** Walks to each of `paths` in turn, to as many as one command can take. Rejects when that cannot be started. */
export async function walkTo({ pid, anchor, cage }: Holder, paths: readonly BytePath[]): Promise<void> {
  if (paths.length === 0 || !hasProcesses(pid, anchor)) return;
  const words = ['/bin/sh', '-c', WALK, 'sh', ...few(paths.map(toOctal))];
  const argv = enterArgv({ holder: pid, anchor, cage }, '/', words);
  const child = startProcess({ argv, env: PLAIN_ENVIRONMENT, stdio: ['ignore', 'ignore', 'ignore'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  await new Promise((resolve) => {
    child.once('exit', resolve);
  });
  clearTimeout(timer);
}

/** Whether anything runs in the view besides what keeps it alive. */
function hasProcesses(holder: number, anchor: number): boolean {
  return processesBeside(holder).some((pid) => pid !== holder && pid !== anchor);
}

function few(words: readonly string[]): string[] {
  let bytes = 0;
  return words.filter((word) => {
    bytes += word.length + 1;
    return bytes <= MOST_BYTES;
  });
}

/** For `printf %b`: names are bytes, and a command line is text. */
function toOctal(path: BytePath): string {
  return path.replace(/[^\w./-]/g, (byte) => `\\0${byte.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

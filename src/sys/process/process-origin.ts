/**
 * Who a process is and whose child, asked in ways that never wait for that process: for the thread that serves a view, on
 * which the process itself may be waiting.
 */
import { close, pidfdOpen, pidInfo } from '../libc.ts';
import { type ProcessStat, readProc } from './process.ts';

export type ProcessOrigin = Pick<ProcessStat, 'parent' | 'name'>;

/** Name and parent of a process or a thread; undefined when it is gone. */
export function processOrigin(pid: number): ProcessOrigin | undefined {
  const parent = parentOf(pid);
  if (parent === undefined) return originFromStatus(readProc(pid, 'status'));
  const name = readProc(pid, 'comm');
  return name === undefined ? undefined : { parent, name: name.replace(/\n$/, '') };
}

/** Undefined when it is gone, and before Linux 6.13. */
function parentOf(pid: number): number | undefined {
  const fd = pidfdOpen(pid, { thread: true });
  if (fd < 0) return undefined;
  const info = pidInfo(fd);
  close(fd);
  return typeof info === 'number' ? undefined : info.parent;
}

/**
 * What /proc/PID/status says. Unlike `stat` and every link there, the kernel gives it also while an execve(2) is under way. It
 * holds on to the memory of the process for that moment, though: should the process end in it, its last pages would be written
 * back by this thread, to itself.
 */
export function originFromStatus(text: string | undefined): ProcessOrigin | undefined {
  const [, name, parent] = /^Name:\t(.*)\n(?:.*\n)*?PPid:\t(\d+)/.exec(text ?? '') ?? [];
  if (name === undefined) return undefined;
  return { name: name.replaceAll(/\\([n\\])/g, (_, which) => (which === 'n' ? '\n' : '\\')), parent: Number(parent) };
}

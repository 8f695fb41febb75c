/**
 * just-bash's commands call every error of a file system "No such file or directory". What really happened is noted here for the
 * command that is being carried out, and told in its output.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { describeErrno, EACCES, EIO, ENOENT, type Errno, errnoName } from '../../sys/errno.ts';
import type { SourceFault } from '../source.ts';

/** An error as just-bash wants it: it looks at the code in the message, others at `code`. */
export class FileError extends Error {
  readonly code: string;
  readonly errno: Errno;

  constructor(errno: Errno, call: string, path: string) {
    super(`${errnoName(errno)}: ${describeErrno(errno)}, ${call} '${path}'`);
    this.code = errnoName(errno);
    this.errno = errno;
  }
}

export interface Fault extends SourceFault {
  readonly path: string;
}

const sinks = new AsyncLocalStorage<Map<string, Fault>>();

/** Carries something out; returns its result and the faults of file systems meanwhile, one a path. */
export async function collectFaults<T>(run: () => Promise<T>): Promise<{ result: T; faults: readonly Fault[] }> {
  const sink = new Map<string, Fault>();
  const result = await sinks.run(sink, run);
  return { result, faults: [...sink.values()] };
}

/** The error for a fault at a path, which is noted. */
export function faultAt(path: string, fault: SourceFault, call: string): FileError {
  if (fault.errno !== ENOENT) sinks.getStore()?.set(path, { path, errno: fault.errno, cause: fault.cause });
  return new FileError(fault.errno, call, path);
}

const MEANINGS: ReadonlyMap<Errno, string> = new Map([
  [EIO, 'Input/output error'],
  [EACCES, 'Permission denied'],
]);

/** As strerror(3) says it. */
function strerror(errno: Errno): string {
  const text = MEANINGS.get(errno) ?? describeErrno(errno);
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Puts what happened in the place of "No such file or directory"; what was not said at all is said at the end. */
export function tellFaults(stderr: string, faults: readonly Fault[]): string {
  let told = stderr;
  for (const { path, errno, cause } of faults) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const lines = told.split('\n');
    const at = lines.findIndex((line) => line.includes(name) && line.endsWith(': No such file or directory'));
    if (at >= 0) lines[at] = (lines[at] ?? '').replace(/No such file or directory$/, strerror(errno));
    else if (!told.includes(strerror(errno))) lines.splice(-1, 0, `${path}: ${strerror(errno)} (${cause})`);
    told = lines.join('\n');
  }
  return told;
}

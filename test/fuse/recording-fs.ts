/** A FileSystem that answers what it was told to and remembers every call. */
import type { FileSystem } from '../../src/fuse/filesystem.ts';
import { EIO } from '../../src/sys/errno.ts';

type Answers = Partial<FileSystem>;

/** Calls as `[method, ...arguments]`, with Buffers as latin1 text and objects copied at the time of the call, without fields that are undefined. */
export type Calls = unknown[][];

/** Methods without an answer return EIO. */
export function recordingFs(answers: Answers = {}): { fs: FileSystem; calls: Calls } {
  const calls: Calls = [];
  const methods = new Proxy(answers, {
    get(target, method: string) {
      return (...args: unknown[]) => {
        calls.push([method, ...args.map(snapshot)]);
        const answer = Reflect.get(target, method);
        return typeof answer === 'function' ? answer(...args) : EIO;
      };
    },
  });
  return { fs: methods as FileSystem, calls };
}

function snapshot(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.toString('latin1');
  if (typeof value !== 'object' || value === null) return value;
  // A DirectorySink has state of its own; tests of readdir look at the reply.
  if (Object.getPrototypeOf(value) !== Object.prototype) return 'sink';
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}

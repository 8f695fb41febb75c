/** How this process ends: with an exit code, once all that it said was taken, and quietly where nobody listens any more. */
import type { Errno } from '../sys/errno.ts';
import type { Reporter } from './text/failure-text.ts';

/** Its own output. */
export const OWN_STREAMS: Reporter = {
  get isTTY() {
    return process.stderr.isTTY === true;
  },
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

/** Ends it with the code that `work` resolves to, or with that of `unwritable`, which tells of an output that cannot be written. */
export async function endAfter(work: () => Promise<number>, unwritable: (why: Errno) => number): Promise<never> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    leaveQuietly(error);
    process.exit(unwritable(-(error.errno ?? 0) as Errno));
  });
  process.stderr.on('error', leaveQuietly);
  const code = await work();
  for (const stream of [process.stdout, process.stderr]) await written(stream);
  // What could not be written is told in a turn of its own.
  await new Promise(setImmediate);
  process.exit(code);
}

/** What a slow reader has not taken yet would be lost with the process: to a socket, a write only begins. */
function written(stream: NodeJS.WriteStream): Promise<void> | undefined {
  if (stream.writableLength === 0) return undefined;
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}

/** Whoever read our output has seen enough (`yolofs diff | head`): nothing is wrong, and nobody is left to tell. */
function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(Number(process.exitCode ?? 0));
}

/** Very many notifications on a thread of their own (notify-thread.ts), which is there for as long as that takes. */
import { Worker } from 'node:worker_threads';
import { ENODEV, ENOENT } from '../sys/errno.ts';

export interface NotifyThreadData {
  readonly fd: number;
  /** One after the other; each begins with its length. */
  readonly messages: Uint8Array;
}

/** Whether the result of a write(2) of a notification is no failure. */
export function isFine(sent: number): boolean {
  // Not known to the kernel, or unmounted: then there is nothing to forget.
  return sent >= 0 || sent === -ENOENT || sent === -ENODEV;
}

/** Writes each message to the FUSE device; resolves to 0, or the first negative errno, with which it ends. */
export function sendOnThread(fd: number, messages: readonly Buffer[]): Promise<number> {
  const workerData: NotifyThreadData = { fd, messages: Buffer.concat(messages) };
  const thread = new Worker(new URL('../fuse/notify-thread.js', import.meta.url), { workerData });
  return new Promise((resolve, reject) => {
    thread.once('message', (result: number) => resolve(result));
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the thread that notifies the kernel ended without a word')));
  });
}

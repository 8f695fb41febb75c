/** Sends the kernel what it must forget, in order; what it does not remember anyway costs a call and no more. */
import type { KernelNotifier } from '../fuse/notify.ts';
import type { Invalidation } from '../staging/invalidation.ts';
import { log } from '../sys/log.ts';

/** Resolves when the kernel has forgotten all of it. Rejects with a SystemError. */
export async function invalidate(notifier: KernelNotifier, invalidations: readonly Invalidation[]): Promise<void> {
  for (const invalidation of invalidations) {
    if (invalidation.kind === 'entry') await notifier.invalEntry(invalidation.parent, invalidation.name);
    else await notifier.invalInode(invalidation.nodeId, 0, 0);
  }
}

/**
 * Invalidations of their own accord, sent one after the other: a file of the base that is written to in small pieces
 * reports thousands of changes a second, more than may be under way at once. One that still waits is not sent twice.
 */
export class Forgetter {
  readonly #notifier: KernelNotifier;
  readonly #waiting = new Map<string, Invalidation>();
  #isSending = false;

  constructor(notifier: KernelNotifier) {
    this.#notifier = notifier;
  }

  /** Has the kernel forget these, soon; a failure is told to the log. */
  forget(invalidations: readonly Invalidation[]): void {
    for (const one of invalidations) {
      this.#waiting.set(one.kind === 'entry' ? `${one.parent}/${one.name}` : String(one.nodeId), one);
    }
    if (!this.#isSending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    for (const [key, one] of this.#waiting) {
      this.#waiting.delete(key);
      await invalidate(this.#notifier, [one]).catch((error: Error) => log(error.message));
    }
    this.#isSending = false;
  }
}

/** Sends the kernel what it must forget, in order; what it does not remember anyway costs a call and no more. */
import type { KernelNotifier } from '../fuse/notify.ts';
import type { Invalidation } from '../staging/invalidation.ts';
import { log } from '../sys/log.ts';

/** By FUSE device. */
export type Notifiers = ReadonlyMap<number, KernelNotifier>;

/** To the connections of these devices; without them, to all. */
export type Addressed = Invalidation & { readonly devices?: readonly number[] };

/** So many take as long one by one as it takes to start a thread for them. */
const MANY = 2000;

/** Resolves when the kernel has forgotten all of it. Rejects with a SystemError. */
export async function invalidate(notifiers: Notifiers, invalidations: readonly Addressed[]): Promise<void> {
  for (const [device, notifier] of notifiers) {
    const own = invalidations.filter(({ devices }) => devices === undefined || devices.includes(device));
    if (own.length >= MANY) await notifier.many(own);
    else for (const one of own) await tell(notifier, one);
  }
}

function tell(notifier: KernelNotifier, one: Invalidation): Promise<void> {
  if (one.kind === 'entry') return notifier.invalEntry(one.parent, one.name);
  return notifier.invalInode(one.nodeId, 0, 0);
}

/**
 * Invalidations of their own accord, sent one after the other: a file of the base that is written to in small pieces
 * reports thousands of changes a second, more than may be under way at once. One that still waits is not sent twice.
 */
export class Forgetter {
  readonly #notifiers: Notifiers;
  readonly #waiting = new Map<string, Invalidation>();
  #isSending = false;

  constructor(notifiers: Notifiers) {
    this.#notifiers = notifiers;
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
      await invalidate(this.#notifiers, [one]).catch((error: Error) => log(error.message));
    }
    this.#isSending = false;
  }
}

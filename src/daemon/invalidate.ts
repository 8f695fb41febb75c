/** Sends the kernel what it must forget, in order; what it does not remember anyway costs a call and no more. */
import type { KernelNotifier } from '../fuse/notify.ts';
import type { Invalidation } from '../staging/invalidation.ts';

/** Resolves when the kernel has forgotten all of it. Rejects with a SystemError. */
export async function invalidate(notifier: KernelNotifier, invalidations: readonly Invalidation[]): Promise<void> {
  for (const invalidation of invalidations) {
    if (invalidation.kind === 'entry') await notifier.invalEntry(invalidation.parent, invalidation.name);
    else await notifier.invalInode(invalidation.nodeId, 0, 0);
  }
}

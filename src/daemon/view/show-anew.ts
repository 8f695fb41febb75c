/** What the kernel must be told when the view shows another state. */
import type { Holder } from '../../sandbox/holder.ts';
import type { Shown } from '../../staging/graft/graft.ts';
import { log } from '../../sys/log.ts';
import type { Forget } from '../orders/orders.ts';
import { invalidate, type Notifiers } from './invalidate.ts';
import { walkTo } from './walk.ts';

/** Has the kernel forget what it knows, and look at directories that moved. */
export async function showAnew(
  { notifiers, holder }: { readonly notifiers: Notifiers; readonly holder: Holder },
  { forget, moved }: Forget & Pick<Shown, 'moved'>,
): Promise<void> {
  await invalidate(notifiers, forget);
  await walkTo(holder, moved).catch((error: Error) => log(`after a travel: ${error.message}`));
}

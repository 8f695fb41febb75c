/** What the kernel must be told when the view shows another state. */
import type { Holder } from '../../sandbox/holder.ts';
import type { Shown } from '../../staging/switch/switch-tree.ts';
import { log } from '../../sys/log.ts';
import type { Forget } from '../orders/orders.ts';
import type { Echo } from './echo.ts';
import { invalidate, type Notifiers } from './invalidate.ts';
import { walkTo } from './walk.ts';

/** What differs. */
export type Turned = Forget & Pick<Shown, 'moved'>;

/** Has the kernel forget what it knows, tell who watches, and look at directories that moved. */
export async function showChanges(
  { notifiers, holder, echo }: { readonly notifiers: Notifiers; readonly holder: Holder; readonly echo: Echo },
  { forget, moved }: Turned,
): Promise<void> {
  await invalidate(notifiers, forget);
  // Who watches hears of it afterwards.
  echo.run();
  await walkTo(holder, moved).catch((error: Error) => log(`after a travel: ${error.message}`));
}

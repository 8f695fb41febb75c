/** What holds of orders by their kind. */
import type { OrderName } from './orders.ts';

/** Orders for which it does not matter whether the kernel's write-back has come. */
export const REGARDLESS: ReadonlySet<OrderName> = new Set([
  ...(['serve', 'runs', 'stats', 'stop', 'listen', 'copied', 'answer', 'giveUp', 'remembered', 'askSettings'] as const),
  ...(['offerEchoes', 'fetched'] as const),
]);

/** After them paths may stand for other files. */
export const TURNING: ReadonlySet<OrderName> = new Set(['travel', 'abort', 'settle', 'commit', 'undo']);

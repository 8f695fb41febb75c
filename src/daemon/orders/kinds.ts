/** What holds of orders by their kind. */
import type { OrderMessage, OrderName } from './orders.ts';

/** Orders for which it does not matter whether the kernel's write-back has come. */
export const REGARDLESS: ReadonlySet<OrderName> = new Set([
  ...(['serve', 'runs', 'stats', 'stop', 'listen', 'copied', 'answer', 'giveUp', 'remembered', 'askSettings'] as const),
  ...(['offerEchoes', 'fetched', 'consulted', 'inspect', 'hideView', 'attach', 'lookOutside'] as const),
]);

/** After them paths may stand for other files. */
export const TURNING: ReadonlySet<OrderName> = new Set(['travel', 'abort', 'resolve', 'commit', 'undo', 'undoAtOnce']);

/** Orders that need the thread's event loop. */
export type LongOrder = Extract<OrderMessage, { name: 'commit' | 'undo' | 'undoAtOnce' }>;
export type ShortOrder = Exclude<OrderMessage, LongOrder>;

/** Orders without an answer. */
export type Notice = Extract<
  ShortOrder,
  { name: 'serve' | 'hideView' | 'attach' | 'runs' | 'offerEchoes' | 'stop' | StoreNotice | QuestionNotice }
>;
type StoreNotice = 'counted' | 'namesGoing' | 'namesGone';
type QuestionNotice = 'copied' | 'fetched' | 'consulted' | 'listen' | 'remembered' | 'giveUp' | 'askSettings';

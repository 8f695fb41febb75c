/** Ends a daemon that nobody needs: no client works with it, and nothing runs in the view but its holder. */
import { processesBeside } from '../sys/process.ts';

export interface IdleOptions {
  /** 0 = never. */
  readonly minutes: number;
  /** The holder's process id. */
  readonly holder: number;
  /** Whether a client has work in hand. */
  readonly isBusy: () => boolean;
  readonly stop: () => void;
}

const CHECKS_A_SPAN = 10;

/** Starts watching; the timer keeps no process alive. */
export function stopWhenIdle(options: IdleOptions): void {
  const span = options.minutes * 60_000;
  if (span <= 0) return;
  let since = Date.now();
  const timer = setInterval(() => {
    if (options.isBusy() || processesBeside(options.holder).length > 1) since = Date.now();
    if (Date.now() - since >= span) options.stop();
  }, span / CHECKS_A_SPAN);
  timer.unref();
}

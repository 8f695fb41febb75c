/** Ends a daemon that nobody needs: no client works with it, and nothing runs in the view but its holder. */
import { processesBeside } from '../../sys/process/process.ts';
import { UserError } from '../../sys/user-error.ts';

export interface IdleOptions {
  /** 0 = never; may change. */
  readonly minutes: () => number;
  /** The holder's process id. */
  readonly holder: number;
  /** Whether a client has work in hand. */
  readonly isBusy: () => boolean;
  readonly stop: () => void;
}

const CHECKS_A_SPAN = 10;
/** At least so often, as the span may have become shorter. */
const LONGEST_WAIT_MS = 5000;

/** Starts watching; the timer keeps no process alive. */
export function stopWhenIdle(options: IdleOptions): void {
  let since = Date.now();
  const check = (): void => {
    const span = options.minutes() * 60_000;
    if (options.isBusy() || isInhabited(options.holder)) since = Date.now();
    if (span > 0 && Date.now() - since >= span) options.stop();
    wait(span);
  };
  const wait = (span: number): void => {
    const next = span > 0 ? Math.min(span / CHECKS_A_SPAN, LONGEST_WAIT_MS) : LONGEST_WAIT_MS;
    setTimeout(check, next).unref();
  };
  wait(options.minutes() * 60_000);
}

/** Throws a UserError unless the daemon could be restarted without anybody noticing. */
export function refuseIfBusy(isBusy: boolean, holder: number): void {
  if (isBusy || isInhabited(holder))
    throw new UserError('something still runs in the view, or waits for questions', undefined, { code: 'busy' });
}

/** Whether anything runs in the view but its holder. */
function isInhabited(holder: number): boolean {
  return processesBeside(holder).length > 1;
}

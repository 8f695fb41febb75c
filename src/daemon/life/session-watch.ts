/** Ends a daemon whose session is gone: removed, replaced, or moved with its project. */

import type { Layout } from '../../history/layout.ts';
import { isThere } from '../../history/registry/find.ts';
import { SystemError } from '../../sys/errno.ts';
import { log } from '../../sys/log.ts';

const EVERY_MS = 1000;

/** Looks once a second whether the session is still where it was; if not, says so in the log and calls `stop`. The timer keeps no process alive. */
export function stopWhenGone(layout: Layout, stop: () => void): void {
  const timer = setInterval(() => {
    if (mayBeThere(layout)) return;
    clearInterval(timer);
    log(`the session in ${layout.project} is gone, or was moved: the daemon ends`);
    stop();
  }, EVERY_MS);
  timer.unref();
}

/** What cannot be told now is looked at again. */
function mayBeThere(layout: Layout): boolean {
  try {
    return isThere(layout);
  } catch (error) {
    if (error instanceof SystemError) return true;
    throw error;
  }
}

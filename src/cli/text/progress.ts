/** How far long work has come: one line on stderr that is rewritten, on a terminal only. */

export interface Step {
  readonly done: number;
  readonly total: number;
  readonly what: string;
}

export interface Progress {
  /** Shows a step, at most ten times a second. */
  show(step: Step): void;
  /** Leaves the line empty for what comes next. */
  clear(): void;
}

const INTERVAL_MS = 100;
const ERASE = '\r\x1b[K';

export function progressOn(stream: NodeJS.WriteStream): Progress {
  if (stream.isTTY !== true) return { show: () => undefined, clear: () => undefined };
  let last = 0;
  return {
    show: ({ done, total, what }) => {
      const now = Date.now();
      if (now - last < INTERVAL_MS) return;
      last = now;
      const share = total > 0 ? `${Math.floor((100 * done) / total)} % ` : '';
      stream.write(`${ERASE}${`${share}${what}`.slice(0, (stream.columns || 80) - 1)}`);
    },
    clear: () => {
      if (last > 0) stream.write(ERASE);
      last = 0;
    },
  };
}

/**
 * Trace channels: `YOLOFS_TRACE=fuse,journal` (or `all`) turns them on, `YOLOFS_TRACE_FILE` says where the lines
 * go (default: standard error). A channel that is off is `undefined`, so that a call site costs one comparison.
 */
import { openSync, writeSync } from 'node:fs';

/** Writes one line, synchronously: a trace must survive what it traces. */
export type Trace = (line: string) => void;

type Environment = Readonly<Record<string, string | undefined>>;

/** The channel of that name, or undefined when it is off. Throws where the trace file cannot be opened. */
export function openTrace(channel: string, environment: Environment = process.env): Trace | undefined {
  const channels = (environment.YOLOFS_TRACE ?? '').split(',');
  if (!channels.includes(channel) && !channels.includes('all')) return undefined;
  const file = environment.YOLOFS_TRACE_FILE;
  const fd = file === undefined || file === '' ? 2 : openSync(file, 'a', 0o600);
  return (line) => {
    writeSync(fd, `${line}\n`);
  };
}

/**
 * Trace channels: `YOLOFS_TRACE=fuse,journal` (or `all`) turns them on, `YOLOFS_TRACE_FILE` says where the lines
 * go (default: standard error). A channel that is off is `undefined`, so that a call site costs one comparison.
 * What cannot be written ends the trace and nothing else: whoever is traced must not fail for it.
 */
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { EINVAL, type Errno, SystemError } from './errno.ts';
import { log } from './log.ts';

/** Writes one line, synchronously: a trace must survive what it traces. Never throws. */
export type Trace = (line: string) => void;

type Environment = Readonly<Record<string, string | undefined>>;

/** A trace that somebody has forgotten must not fill the disk. */
const MOST_BYTES = 1024 * 1024 * 1024;

/** The channel of that name, or undefined when it is off. Throws where the trace file cannot be opened. */
export function openTrace(channel: string, environment: Environment = process.env): Trace | undefined {
  const channels = (environment.YOLOFS_TRACE ?? '').split(',');
  if (!channels.includes(channel) && !channels.includes('all')) return undefined;
  const file = environment.YOLOFS_TRACE_FILE;
  const sink = new TraceSink(file === undefined || file === '' ? 2 : openSync(file, 'a', 0o600));
  return (line) => sink.write(line);
}

/** Where the lines of a trace go, until one of them cannot be written. */
export class TraceSink {
  readonly #fd: number;
  #lines = 0;
  #bytes = 0;
  #stopped: string | undefined;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /**
   * Appends to a file, which is made if there is none. Throws a SystemError, also for what is no regular file: a pipe that
   * nobody empties would hold up whoever is traced.
   */
  static open(path: string): TraceSink {
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
    let fd: number;
    try {
      fd = openSync(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_WRONLY, 0o600);
    } catch (error) {
      throw new SystemError(`cannot open ${path}`, -((error as NodeJS.ErrnoException).errno ?? 0) as Errno);
    }
    if (fstatSync(fd).isFile()) return new TraceSink(fd);
    closeSync(fd);
    throw new SystemError(`${path} is no regular file`, EINVAL);
  }

  get lines(): number {
    return this.#lines;
  }

  /** Why no more is written; undefined as long as it is. */
  get stopped(): string | undefined {
    return this.#stopped;
  }

  write(line: string): void {
    if (this.#stopped !== undefined) return;
    try {
      this.#bytes += writeSync(this.#fd, `${line}\n`);
      this.#lines += 1;
      if (this.#bytes >= MOST_BYTES) this.#stop(`it has ${MOST_BYTES} bytes`);
    } catch (error) {
      // A full disk, a closed descriptor, whatever it is.
      this.#stop(error instanceof Error ? error.message : String(error));
    }
  }

  /** Ends the trace. */
  close(): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = 'off';
    closeSync(this.#fd);
  }

  /** The descriptor is left open: its number may be somebody else's by now. */
  #stop(why: string): void {
    this.#stopped = why;
    log(`the trace stops: ${why}`);
  }
}

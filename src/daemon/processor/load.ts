/** How much the machine has to do, and files of /proc that are read again and again. */
import { cpus } from 'node:os';
import type { BytePath } from '../../sys/bytes.ts';
import { AT_FDCWD, close, O_RDONLY, openAt, pread } from '../../sys/libc.ts';

const PROCESSORS = cpus().length;

/** Whether more threads want to run, besides so many of ours, than there are processors: field 4 of proc_loadavg(5). */
export function isCrowded(load: ProcFile, ours: number): boolean {
  const running = Number(/(\d+)\//.exec(load.read() ?? '')?.[1] ?? 0);
  return running - ours > PROCESSORS;
}

/** A file of /proc that is read again and again. */
export class ProcFile {
  readonly #fd: number;
  readonly #bytes = Buffer.alloc(1024);

  constructor(path: string) {
    this.#fd = openAt(AT_FDCWD, path as BytePath, O_RDONLY);
  }

  read(): string | undefined {
    const length = this.#fd < 0 ? -1 : pread(this.#fd, this.#bytes, this.#bytes.length, 0);
    return length < 0 ? undefined : this.#bytes.toString('latin1', 0, length);
  }

  close(): void {
    if (this.#fd >= 0) close(this.#fd);
  }
}

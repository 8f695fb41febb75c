/** Whether more wants to run than can, by files of /proc that are read again and again. */
import { availableParallelism } from 'node:os';
import type { BytePath } from '../../sys/bytes.ts';
import { AT_FDCWD, close, O_RDONLY, openAt, pread } from '../../sys/libc.ts';

const PROCESSORS = availableParallelism();

/** A file of /proc that stays open. */
class ProcFile {
  readonly #fd: number;
  readonly #bytes = Buffer.alloc(2048);

  constructor(path: string) {
    this.#fd = openAt(AT_FDCWD, path as BytePath, O_RDONLY);
  }

  /** Its first bytes; nothing where it cannot be read. */
  read(): string {
    const length = this.#fd < 0 ? -1 : pread(this.#fd, this.#bytes, this.#bytes.length, 0);
    return this.#bytes.toString('latin1', 0, Math.max(0, length));
  }

  close(): void {
    if (this.#fd >= 0) close(this.#fd);
  }
}

/** Of the machine. */
export class Load {
  readonly #file = new ProcFile('/proc/loadavg');

  /**
   * Whether more threads run, or want to, than this process has processors: field 4 of proc_loadavg(5), which has the asking one, too.
   * `more` are added to them. True where nobody says, as in a /proc of processes alone.
   */
  isCrowded(more: number): boolean {
    const running = /(\d+)\//.exec(this.#file.read())?.[1];
    return running === undefined || Number(running) + more > PROCESSORS;
  }
}

/** Of a thread of this process: as no execve(2) of it is ever under way, the answer is there at once. */
export class Progress {
  readonly #file: ProcFile;
  #before = '';

  constructor(tid: number) {
    this.#file = new ProcFile(`/proc/self/task/${tid}/status`);
  }

  /** Whether it wanted to run at this look and the one before, and was given no processor in between: see proc_pid_status(5). */
  hasWaited(): boolean {
    const text = this.#file.read();
    const now = /^State:\tR/m.test(text) ? text.slice(text.indexOf('\nvoluntary_ctxt_switches')) : '';
    const before = this.#before;
    this.#before = now;
    return now !== '' && now === before;
  }

  close(): void {
    this.#file.close();
  }
}

/** The runs that are under way. A run is a command that `yolofs` brought into the view. */
import type { ActiveRun } from './orders.ts';

export interface Run {
  readonly number: number;
  /** The command line as text. */
  readonly command: string;
  /** Where the journal ended when it began. */
  readonly journalOffset: number;
  /** The process that runs it, as the host counts; 0: not told yet. */
  pid: number;
}

export class Runs {
  readonly #active = new Map<number, Run>();
  readonly #onChange: (active: readonly ActiveRun[]) => void;
  #last: number;

  /** Numbers go on from `last`; `onChange` hears of every change. */
  constructor(last: number, onChange: (active: readonly ActiveRun[]) => void) {
    this.#last = last;
    this.#onChange = onChange;
  }

  get size(): number {
    return this.#active.size;
  }

  begin(command: string, journalOffset: number): Run {
    const run = { number: ++this.#last, command, journalOffset, pid: 0 };
    this.#active.set(run.number, run);
    this.#tell();
    return run;
  }

  started(run: Run, pid: number): void {
    run.pid = pid;
    this.#tell();
  }

  end(run: Run): void {
    if (this.#active.delete(run.number)) this.#tell();
  }

  #tell(): void {
    this.#onChange([...this.#active.values()].map(({ number, command, pid }) => ({ run: number, command, pid })));
  }
}

/** The runs that are under way. A run is a command that `yolofs` brought into the view. */
import type { Gen } from '../../sys/bytes.ts';
import type { ActiveRun, SnapshotOrder } from '../orders/orders.ts';

/** What was when a run began. */
export interface Beginning {
  /** Where the journal ended. */
  readonly offset: number;
  /** The generation to which a travel goes back. */
  readonly before: Gen;
}

export interface Run extends Beginning {
  readonly number: number;
  /** The command line as text. */
  readonly command: string;
  /** Another one was under way meanwhile. */
  beside: boolean;
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

  /** What was when the oldest of them began. */
  get oldest(): Beginning | undefined {
    return [...this.#active.values()][0];
  }

  begin(command: string, beginning: Beginning): Run {
    for (const other of this.#active.values()) other.beside = true;
    const run = { ...beginning, number: ++this.#last, command, beside: this.size > 0, pid: 0 };
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

/** The snapshot that follows a run, if it has changed anything. */
export function snapshotAfter({ number, command }: Run, name: string): SnapshotOrder {
  return { name, ifChanged: true, run: number, command };
}

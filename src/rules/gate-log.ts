/**
 * Writes down what rules refuse, without flooding the journal: who loops over what is refused gets the first refusal of
 * each path at once, later ones as a number; and of one rule no more than `MOST_PATHS` paths a while.
 */
import type { Caller } from '../fuse/filesystem.ts';
import { type GateNote, gateFields } from './note.ts';

/** What the journal takes; a failure is its own affair, for the refusal stands. */
export type TakeNote = (tag: 'G' | 'C', fields: readonly string[], pid: number) => void;

interface Seen {
  readonly note: GateNote;
  readonly pid: number;
  readonly until: number;
  /** Refusals that the journal does not have yet. */
  held: number;
}

const WHILE_MS = 10_000;
const MOST_PATHS = 50;

export class GateLog {
  readonly #take: TakeNote;
  readonly #seen = new Map<string, Seen>();
  /** Paths written down, by rule, since `#since`. */
  readonly #paths = new Map<string, number>();
  #since = 0;

  constructor(take: TakeNote) {
    this.#take = take;
  }

  refused(note: Omit<GateNote, 'outcome' | 'times'>, caller: Caller): void {
    this.take({ ...note, outcome: 'refused', times: 1 }, caller.pid);
  }

  /** The same for what was not granted because nobody could be asked. */
  take(note: GateNote, pid: number): void {
    const now = performance.now();
    this.#forgetOld(now);
    const rule = `${note.outcome} ${note.access} ${note.pattern}`;
    const paths = this.#paths.get(rule) ?? 0;
    // Of a rule that has been named often enough, the rest counts together.
    const key = paths >= MOST_PATHS ? rule : `${rule}\0${note.op}\0${note.path}`;
    const known = this.#seen.get(key);
    if (known !== undefined) {
      known.held += 1;
      return;
    }
    this.#paths.set(rule, paths + 1);
    this.#seen.set(key, { note, pid, until: now + WHILE_MS, held: 0 });
    this.#take('G', gateFields(note), pid);
  }

  /** Writes down what is held back; before somebody reads the journal, and now and then. */
  flush(): void {
    for (const seen of this.#seen.values()) this.#tell(seen);
  }

  #forgetOld(now: number): void {
    if (now - this.#since < WHILE_MS) return;
    this.#since = now;
    this.#paths.clear();
    for (const [key, seen] of this.#seen) {
      if (seen.until > now) continue;
      this.#tell(seen);
      this.#seen.delete(key);
    }
  }

  #tell(seen: Seen): void {
    if (seen.held === 0) return;
    this.#take('G', gateFields({ ...seen.note, times: seen.held }), seen.pid);
    seen.held = 0;
  }
}

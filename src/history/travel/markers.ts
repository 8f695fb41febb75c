/** The session's markers, kept at hand so that only what was recorded since the last look is read. */
import { Journal, type Scanned } from '../journal.ts';
import { buildTimeline, MARKER_TAGS, type Timeline } from '../segments.ts';

export class Markers {
  readonly #journal: Journal;
  readonly #seen: Scanned[] = [];
  #end = Journal.start;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** All epochs up to the present end of the journal. Throws JournalDamaged. */
  timeline(): Timeline {
    this.catchUp(Number.POSITIVE_INFINITY);
    return buildTimeline(this.#seen, { start: Journal.start, end: this.#end });
  }

  /** Looks through what was recorded since, as far as `bytes` (or one line) reach; false when more is left. Throws JournalDamaged. */
  catchUp(bytes: number): boolean {
    const { size } = this.#journal;
    const to = this.#end + bytes < size ? this.#journal.lineAt(this.#end + bytes) : size;
    for (const scanned of this.#journal.scan({ from: this.#end, to, only: MARKER_TAGS })) {
      this.#seen.push(scanned);
    }
    // A line that is longer than that.
    if (to === this.#end && to < size) return this.catchUp(2 * bytes);
    this.#end = to;
    return to === size;
  }
}

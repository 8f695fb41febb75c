/** The session's markers, kept at hand so that only what was recorded since the last look is read. */
import { Journal, type Scanned } from '../log/journal.ts';
import { type Tag, tagOf } from '../log/record.ts';
import { buildTimeline, MARKER_TAGS, type Timeline } from './segments.ts';

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
    // Whoever writes to it has found every line intact before.
    for (const line of this.#journal.lines({ from: this.#end, to, again: true })) {
      if (!MARKER_TAGS.has(tagOf(line.bytes, line.start) as Tag)) continue;
      this.#seen.push({ offset: line.offset, next: line.next, record: this.#journal.decode(line) });
    }
    // A line that is longer than that.
    if (to === this.#end && to < size) return this.catchUp(2 * bytes);
    this.#end = to;
    return to === size;
  }
}

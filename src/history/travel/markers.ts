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
    const end = this.#journal.size;
    for (const scanned of this.#journal.scan({ from: this.#end, to: end, only: MARKER_TAGS })) this.#seen.push(scanned);
    this.#end = end;
    return buildTimeline(this.#seen, { start: Journal.start, end });
  }
}

/** What `log` tells: markers with how much led to each, and how epochs ended. */

import type { BytePath, Gen } from '../../sys/bytes.ts';
import type { Journal, Scanned } from '../log/journal.ts';
import type { JournalRecord } from '../log/record.ts';
import { buildTimeline, type Epoch, MARKER_TAGS, type Run, type Timeline } from '../timeline/segments.ts';
import { concerns, pathsOf } from './audit.ts';

export interface Log {
  readonly timeline: Timeline;
  /** How many paths the records before a marker are about, back to the marker before it. They are read when it is asked. */
  readonly touched: (marker: Gen) => number;
  /** The same since the last marker. */
  readonly sinceLast: number;
  /** The record that ended an epoch. */
  readonly endOf: (epoch: Epoch) => JournalRecord | undefined;
}

/** The records between two markers, or the ends of epochs. */
interface Stretch extends Run {
  /** So many of them only tell anew what was staged already. */
  readonly carried: number;
}

/**
 * Reads the markers, and of the rest what is asked for: who looks at the latest of an old session waits for these. `about`: counts
 * what happened to these and below them; nothing = everything. Throws JournalDamaged, the answers too.
 */
export function readLog(journal: Journal, start: number, about: readonly BytePath[] = []): Log {
  const stretches = new Map<Gen, Stretch>();
  const ends = new Map<number, JournalRecord>();
  const end = journal.size;
  let [from, carried] = [start, 0];
  const noting = function* (): Generator<Scanned> {
    for (const scanned of journal.scan({ to: end, only: MARKER_TAGS })) {
      const { offset, next, record } = scanned;
      const { body, generation } = record;
      yield scanned;
      if (body.tag === 'X') continue;
      if (body.tag === 'P' || body.tag === 'T') stretches.set(generation, { start: from, end: offset, carried });
      else ends.set(offset, record);
      [from, carried] = [next, ('carried' in body ? body.carried : undefined) ?? 0];
    }
  };
  const timeline = buildTimeline(noting(), { start, end });
  const counts = new Map<Gen, number>();
  const touched = (marker: Gen): number => {
    const count = counts.get(marker) ?? pathsIn(journal, stretches.get(marker), about);
    counts.set(marker, count);
    return count;
  };
  const sinceLast = pathsIn(journal, { start: from, end, carried }, about);
  return { timeline, touched, sinceLast, endOf: (epoch) => ends.get(epoch.end) };
}

function pathsIn(journal: Journal, stretch: Stretch | undefined, about: readonly BytePath[]): number {
  if (stretch === undefined || stretch.start === stretch.end) return 0;
  const paths = new Set<string>();
  let { carried } = stretch;
  for (const { record } of journal.scan({ from: stretch.start, to: stretch.end })) {
    const { body } = record;
    if (body.tag === 'X') continue;
    const path = carried > 0 || !concerns(body, about) ? undefined : pathsOf(body).at(-1);
    if (path !== undefined) paths.add(path);
    carried -= 1;
  }
  return paths.size;
}

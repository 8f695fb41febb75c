/** What `log` tells: markers with how much led to each, and how epochs ended. */

import type { BytePath, Gen } from '../../sys/bytes.ts';
import type { Journal, Scanned } from '../log/journal.ts';
import type { JournalRecord } from '../log/record.ts';
import { buildTimeline, type Epoch, type Timeline } from '../timeline/segments.ts';
import { concerns, pathsOf } from './audit.ts';

export interface Log {
  readonly timeline: Timeline;
  /** How many paths the records before a marker are about, back to the marker before it. */
  readonly touched: ReadonlyMap<Gen, number>;
  /** The same since the last marker. */
  readonly sinceLast: number;
  /** The record that ended an epoch. */
  readonly endOf: (epoch: Epoch) => JournalRecord | undefined;
}

/**
 * Reads the whole journal, and holds none of it but the markers. `about`: counts what happened to these and below them; nothing =
 * everything. Throws JournalDamaged.
 */
export function readLog(journal: Journal, start: number, about: readonly BytePath[] = []): Log {
  const touched = new Map<Gen, number>();
  const ends = new Map<number, JournalRecord>();
  const paths = new Set<string>();
  /** Records to come that only tell anew what was staged already. */
  let carried = 0;
  const noting = function* (): Generator<Scanned> {
    for (const scanned of journal.scan()) {
      const { body, generation } = scanned.record;
      if (body.tag === 'X') {
        yield scanned;
        continue;
      }
      if (body.tag === 'P' || body.tag === 'T') touched.set(generation, paths.size);
      else if (body.tag === 'K' || body.tag === 'A' || body.tag === 'U') ends.set(scanned.offset, scanned.record);
      else {
        const path = carried > 0 || !concerns(body, about) ? undefined : pathsOf(body).at(-1);
        if (path !== undefined) paths.add(path);
        carried -= 1;
        continue;
      }
      carried = ('carried' in body ? body.carried : undefined) ?? 0;
      paths.clear();
      yield scanned;
    }
  };
  const timeline = buildTimeline(noting(), { start, end: journal.size });
  return { timeline, touched, sinceLast: paths.size, endOf: (epoch) => ends.get(epoch.end) };
}

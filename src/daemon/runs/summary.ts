/**
 * What one command changed, from the journal's records since it entered the view. Read on the main thread, beside
 * the FUSE thread that writes them: nobody in the view waits for it.
 */
import { Facts } from '../../history/diff/facts.ts';
import { rangeChanges } from '../../history/diff/range-changes.ts';
import type { Journal } from '../../history/log/journal.ts';
import type { Body } from '../../history/log/record.ts';
import { buildTimeline, currentEpoch, liveSegments, MARKER_TAGS } from '../../history/timeline/segments.ts';
import { refusalsOfRun } from '../../rules/refusals.ts';
import type { Gen } from '../../sys/bytes.ts';
import { releaseFreed, releaseMapped } from '../../sys/memory.ts';
import { SUMMARY_THREAD } from '../entries.ts';
import { errorOf } from '../failure.ts';
import { startThread } from '../life/own-thread.ts';
import { ChangeReport } from './change-report.ts';
import type { Summary, SummaryMessage, SummaryThreadData } from './messages.ts';
import type { SessionFiles } from './session-files.ts';

/** Bytes of the journal, 15,000 records or so, from which on a thread of its own is worth its start. */
const APART_FROM = 4 * 2 ** 20;

/** As `summarize`. Much is summed up apart: the daemon would keep the memory that it takes, and not answer meanwhile. */
export function summarizeSoon(files: SessionFiles, run: number | undefined, from: number): Promise<Summary> {
  if (files.journal.size - from < APART_FROM) return Promise.resolve(summarize(files, run, from));
  const workerData: SummaryThreadData = { layout: files.layout, run, from };
  const thread = startThread(SUMMARY_THREAD, { workerData });
  if (thread === undefined) return Promise.resolve(summarize(files, run, from));
  return new Promise((resolve, reject) => {
    let said: SummaryMessage | undefined;
    thread.once('message', (message: SummaryMessage) => {
      said = message;
    });
    thread.once('error', reject);
    thread.once('exit', () => {
      releaseFreed();
      // What the tree store has read to write what the run changed.
      releaseMapped(files.layout.tree);
      if (said === undefined) reject(new Error('the summary ended without a word'));
      else if ('summary' in said) resolve(said.summary);
      else reject(errorOf(said.failure));
    });
  });
}

/** Sums up what `run`, or everybody, has done from offset `from` of the journal on. Throws a SystemError or JournalDamaged. */
export function summarize(files: SessionFiles, run: number | undefined, from: number): Summary {
  const report = new ChangeReport(files.project);
  for (const change of rangeChanges(bodiesOf(files.journal, run, from), files)) report.add(change);
  const refused = refusalsOfRun(files.journal, run, from);
  return { counts: report.counts, changes: report.finish(new Facts(files.base, files.store)), refused };
}

/**
 * The run's records since the last commit or abort, with those that nobody's name is on; without what a travel has left
 * behind meanwhile.
 */
function* bodiesOf(journal: Journal, run: number | undefined, from: number): Generator<Body, void> {
  const extent = { start: from, end: journal.size };
  const markers = [...journal.scan({ from, to: extent.end, only: MARKER_TAGS })];
  const first = markers.find(({ record }) => record.body.tag === 'P' || record.body.tag === 'T');
  const base = ((first?.record.generation ?? 1) - 1) as Gen;
  for (const { start, end } of liveSegments(currentEpoch(buildTimeline(markers, { ...extent, base })))) {
    for (const { record } of journal.scan({ from: start, to: end })) {
      if (run === undefined || record.who.run === run || record.who.run === 0) yield record.body;
    }
  }
}

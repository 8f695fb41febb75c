/**
 * Replay: what a journal's records come to, for a session that is found again and for whoever asks what was. There is one
 * way to read them, `readRecords`.
 */
import type { OverrideTree } from '../../staging/override-tree.ts';
import { Journal } from '../log/journal.ts';
import { PlainLine } from '../log/plain-line.ts';
import { advance, advanceByPlain, initialState, type SessionState } from '../log/session-state.ts';
import { Replayer } from './replayer.ts';
import { buildTimeline, currentEpoch, liveRuns, MARKER_TAGS, type Run } from './segments.ts';

/**
 * Brings `tree` and `state` from `state.journalOffset` to the end of the journal. Records that a commit, abort or
 * travel has put aside count for the numbers in `state` only. Returns whether the tree was emptied on the way,
 * so that nothing of what it was before is left. Throws JournalDamaged.
 */
export function replay(journal: Journal, tree: OverrideTree, state: SessionState): boolean {
  const start = state.journalOffset;
  const to = journal.size;
  const markers = journal.scan({ from: start, to, only: MARKER_TAGS });
  const timeline = buildTimeline(markers, { start, end: to, base: state.generation });
  const epoch = currentEpoch(timeline);
  const isReset = timeline.length > 1;
  const isWhole = isReset || start === Journal.start;
  if (!isWhole && epoch.markers.some((marker) => marker.kind === 'travel')) {
    // The way back leads through records that are in the tree already: begin anew.
    tree.clear();
    Object.assign(state, initialState());
    replay(journal, tree, state);
    return true;
  }
  if (isReset) tree.clear();
  const replayer = new Replayer(tree);
  let at = start;
  for (const run of liveRuns(epoch)) {
    readRecords(journal, { start: at, end: run.start }, { state, again: true });
    readRecords(journal, run, { state, replayer, again: true });
    at = run.end;
  }
  readRecords(journal, { start: at, end: to }, { state, again: true });
  return isReset;
}

export interface RecordsTo {
  /** Counts what they name. */
  readonly state?: SessionState;
  /** Does what they say. */
  readonly replayer?: Replayer;
  /** As of `Journal.lines`. */
  readonly again?: boolean | undefined;
}

/** Takes the records of a run, one after the other. Throws JournalDamaged. */
export function readRecords(journal: Journal, { start, end }: Run, { state, replayer, again }: RecordsTo): void {
  if (start >= end) return;
  const plain = new PlainLine();
  for (const line of journal.lines({ from: start, to: end, again })) {
    if (plain.read(line)) {
      if (state !== undefined) advanceByPlain(state, plain, line);
      if (replayer !== undefined && !replayer.applyPlain(plain)) replayer.apply(journal.decode(line));
    } else {
      const record = journal.decode(line);
      if (state !== undefined) advance(state, record, line);
      replayer?.apply(record);
    }
  }
}

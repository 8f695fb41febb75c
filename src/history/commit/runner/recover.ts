/**
 * After a crash: a commit or an undo that was cut short is finished or rolled back. Which of the two, the journal
 * says: a commit counts from its record K on, an undo from its record U on. May itself be cut short, and repeated.
 */
import { ObjectStore } from '../../../staging/object-store.ts';
import { label } from '../../../sys/bytes.ts';
import type { Errno } from '../../../sys/errno.ts';
import { describeErrno, OK } from '../../../sys/errno.ts';
import type { Layout } from '../../layout.ts';
import { Journal } from '../../log/journal.ts';
import { advance, initialState, type SessionState } from '../../log/session-state.ts';
import { CommitLog } from './commit-log.ts';
import { CommitRunner, type Complaints, complaintOf } from './commit-runner.ts';
import { logOf, unfinishedCommits } from './places.ts';
import { readLog } from './read-log.ts';

/** What was done about one commit. */
export interface Recovery {
  readonly commit: number;
  /** In one sentence. */
  readonly says: string;
  /** What could not be done, one line each; then it is tried again the next time. */
  readonly complaints: Complaints;
}

/** A recovery as one line. */
export function describeRecovery({ says, complaints }: Recovery): string {
  const [first, ...more] = complaints;
  if (first === undefined) return says;
  return `${says}, but for ${first}${more.length === 0 ? '' : ` and ${more.length} more`}`;
}

/**
 * What becomes of a commit that cannot be rolled back wholly: it is tried again with the next recovery (`keep`), or it is given up,
 * so that the session goes on without it (`give up`).
 */
export type LastResort = 'keep' | 'give up';

/**
 * Finishes what was cut short, or rolls it back. The caller holds the session's lock, and has not loaded the session
 * yet. Throws what `readLog` and `Journal.open` throw.
 */
export async function recoverCommits(layout: Layout, lastResort: LastResort = 'keep'): Promise<Recovery[]> {
  const unfinished = unfinishedCommits(layout);
  if (unfinished.length === 0) return [];
  const state = stateOf(layout);
  const store = new ObjectStore(layout.files);
  try {
    const recoveries: Recovery[] = [];
    // The latest first: what it moved, earlier ones cannot find.
    for (const number of unfinished.reverse())
      recoveries.push(await recover({ layout, number, state, store, lastResort }));
    return recoveries;
  } finally {
    store.close();
  }
}

interface Case {
  readonly layout: Layout;
  readonly number: number;
  readonly state: SessionState;
  readonly store: ObjectStore;
  readonly lastResort: LastResort;
}

async function recover({ layout, number, state, store, lastResort }: Case): Promise<Recovery> {
  const path = logOf(layout, number);
  const log = readLog(path);
  if (log === undefined || log === 'incomplete') {
    CommitLog.discard(path);
    return { commit: number, says: `commit ${number} was cut short before it began`, complaints: [] };
  }
  const runner = new CommitRunner(log, store);
  try {
    runner.locate();
    return log.stage === 'undoing' ? await recoverUndo(runner, state) : await recoverCommit(runner, state, lastResort);
  } finally {
    runner.close();
  }
}

async function recoverCommit(runner: CommitRunner, { commits }: SessionState, last: LastResort): Promise<Recovery> {
  const commit = runner.log.recorded.number;
  if (commits < commit) {
    const complaints = [...(await runner.revert()), ...complaintOf(await runner.sync())];
    if (complaints.length === 0) runner.log.remove();
    else if (last === 'give up') return giveUp(runner, complaints);
    return { commit, says: `commit ${commit} was cut short: it was rolled back`, complaints };
  }
  return { commit, says: `commit ${commit} was cut short: it was finished`, complaints: await finish(runner) };
}

/**
 * What was not taken back stays in the base, where `status` shows it as somebody else's change; what is staged of it is in the store
 * again. The backups that were set aside are kept.
 */
function giveUp(runner: CommitRunner, complaints: Complaints): Recovery {
  const commit = runner.log.recorded.number;
  const missing = runner.keepContents();
  if (missing.length > 0) {
    return { commit, says: `commit ${commit} was cut short: its content cannot be stored again`, complaints: missing };
  }
  const place = runner.log.putAway();
  const says = `commit ${commit} was cut short: it was rolled back, its originals that are left lie in ${label(place)}`;
  return { commit, says, complaints };
}

async function recoverUndo(runner: CommitRunner, { applied }: SessionState): Promise<Recovery> {
  const commit = runner.log.recorded.number;
  if (!applied.includes(commit)) {
    runner.log.become('undone');
    return { commit, says: `the undo of commit ${commit} was cut short: it was finished`, complaints: [] };
  }
  const failed = await runner.rerun();
  const complaints = [...failed, ...(failed.length === 0 ? await finish(runner) : [])];
  return { commit, says: `the undo of commit ${commit} was cut short: it was rolled back`, complaints };
}

/** Everything is in place: what was replaced goes to the backups, and the log says that the commit is through. */
export async function finish(runner: CommitRunner): Promise<Complaints> {
  const complaints = [...(await runner.tidy()), ...complaintOf(await runner.sync())];
  const errno: Errno = complaints.length === 0 ? runner.log.become('steps') : OK;
  return errno === OK ? complaints : [`cannot finish the log: ${describeErrno(errno)}`];
}

/** What the journal says, without what counts only together and is not all there. */
function stateOf(layout: Layout): SessionState {
  const journal = Journal.open(layout.journal, { readOnly: true });
  try {
    const state = scan(journal, journal.size);
    return state.groupMissing === 0 ? state : scan(journal, state.groupStart);
  } finally {
    journal.close();
  }
}

function scan(journal: Journal, to: number): SessionState {
  const state = initialState();
  for (const { offset, next, record } of journal.scan({ to })) advance(state, record, { offset, next });
  return state;
}

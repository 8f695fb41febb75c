/** What rules have refused or asked about, for `status` and for the summary of a run. */
import type { Journal } from '../history/log/journal.ts';
import { type GateNote, gateNote } from './note.ts';

/** Bytes of the journal that `status` looks at: to read all of it would take longer than the rest. */
const RECENT = 2 ** 20;
/** Different ones that are told; what is beyond is in `audit`. */
const MOST = 100;

/** Those of one run, or of all, whose records begin at offset `from`: one a path and kind of access, in order. */
export function refusalsOfRun(journal: Journal, run: number | undefined, from: number): readonly GateNote[] {
  const found = new Map<string, GateNote>();
  for (const { record } of journal.scan({ from, only: new Set(['G']) })) {
    if ((run === undefined || record.who.run === run) && record.body.tag === 'G') add(found, record.body.fields);
  }
  return [...found.values()];
}

/** The recent ones since the last commit or abort, likewise. */
export function recentRefusals(journal: Journal): readonly GateNote[] {
  const found = new Map<string, GateNote>();
  const from = journal.lineAt(journal.size - RECENT);
  for (const { record } of journal.scan({ from, only: new Set(['G', 'K', 'A']) })) {
    if (record.body.tag === 'G') add(found, record.body.fields);
    else found.clear();
  }
  return [...found.values()];
}

function add(found: Map<string, GateNote>, fields: readonly string[]): void {
  const note = gateNote(fields);
  if (note === undefined) return;
  const key = `${note.outcome} ${note.access} ${note.path}`;
  const known = found.get(key);
  if (known === undefined && found.size >= MOST) return;
  found.set(key, known === undefined ? note : { ...known, times: known.times + note.times });
}

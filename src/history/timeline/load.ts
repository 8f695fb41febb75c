/** Loading a session: the tree store as far as it goes, then the journal's tail; without a usable store, the whole journal. */

import { OverrideTree } from '../../staging/override-tree.ts';
import { EIO, ENOENT, OK, SystemError } from '../../sys/errno.ts';
import type { Layout } from '../layout.ts';
import { Journal } from '../log/journal.ts';
import { initialState, type SessionState } from '../log/session-state.ts';
import { replay } from './replay.ts';
import { TreeStore } from './store/tree-store.ts';

export interface LoadedSession {
  readonly tree: OverrideTree;
  readonly state: SessionState;
  /** Open; `close` closes both. */
  readonly journal: Journal;
  readonly store: TreeStore;
  close(): Promise<void>;
}

export interface LoadOptions {
  /** Changes nothing on the disk, needs no lock; sees what a live daemon has flushed, and the journal as it is then. */
  readonly readOnly: boolean;
  /** Told, in a sentence, what could not be used and was done without. */
  readonly onNote?: (text: string) => void;
}

/**
 * Loads the session at `layout`. A writer (which holds the lock) begins one when there is none; for a reader that
 * is undefined. Throws JournalDamaged, UserError for another version, SystemError when the journal cannot be opened.
 */
export function loadSession(layout: Layout, options: { readonly readOnly: false } & LoadOptions): LoadedSession;
export function loadSession(layout: Layout, options: LoadOptions): LoadedSession | undefined;
export function loadSession(layout: Layout, options: LoadOptions): LoadedSession | undefined {
  const { readOnly, onNote } = options;
  // The store before the journal's size: what the store covers must be in the journal by then.
  const store = TreeStore.open(layout.tree, { readOnly, onNote });
  try {
    const journal = openJournal(layout.journal, readOnly);
    if (journal === undefined) {
      void store.close();
      return undefined;
    }
    try {
      return build(journal, store, readOnly);
    } catch (error) {
      journal.close();
      throw error;
    }
  } catch (error) {
    void store.close();
    throw error;
  }
}

function openJournal(path: string, readOnly: boolean): Journal | undefined {
  try {
    return Journal.open(path, { readOnly, create: true });
  } catch (error) {
    if (readOnly && error instanceof SystemError && error.errno === ENOENT) return undefined;
    throw error;
  }
}

function build(journal: Journal, store: TreeStore, readOnly: boolean): LoadedSession {
  const stored = fromStore(journal, store);
  // One journal for the whole of a command, whatever the daemon appends meanwhile.
  if (readOnly) journal.cut(journal.size);
  let tree = stored?.tree ?? new OverrideTree();
  let state = stored?.state ?? initialState();
  let isNew = replay(journal, tree, state) || stored === undefined;
  if (state.groupMissing > 0) {
    // The process died while it wrote records that count only together.
    if (journal.cut(state.groupStart) !== OK) throw new SystemError('cannot mend the journal', EIO);
    tree = new OverrideTree();
    state = initialState();
    replay(journal, tree, state);
    isNew = true;
  }
  if (!readOnly && isNew) store.discard();
  const close = async (): Promise<void> => {
    journal.close();
    await store.close();
  };
  return { tree, state, journal, store, close };
}

/**
 * What the store holds, if it belongs to this journal: its offset must be the end of the line it remembers. The lines
 * before are read again only when the file was written to since; a damaged one throws JournalDamaged.
 */
function fromStore(journal: Journal, store: TreeStore): { tree: OverrideTree; state: SessionState } | undefined {
  const loaded = store.load();
  if (loaded === undefined) return undefined;
  const { journalSum, journalStamp, ...state } = loaded.meta;
  if (state.journalOffset > journal.size || journal.sumBefore(state.journalOffset) !== journalSum) return undefined;
  if (journal.stamp !== journalStamp) journal.verify(state.journalOffset);
  return { tree: loaded.tree, state };
}

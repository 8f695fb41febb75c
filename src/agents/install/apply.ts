/** Carries a plan out: all files, or none. */
import { removeSeen, replaceSeen } from '../../sys/files/replace-file.ts';
import { makeDirectory, removeEmptyDirectory } from '../../sys/files/text-files.ts';
import { UserError } from '../../sys/user-error.ts';
import type { Places } from './description.ts';
import { readState } from './file-state.ts';
import type { Change } from './plan.ts';
import { type Entry, saveRecords } from './record.ts';

/**
 * Writes each file in one step and records what was added. When one cannot be written, or was changed by somebody since
 * it was read, or nothing can be recorded, those before it get their content back, and a UserError or SystemError is thrown.
 */
export function applyChanges(changes: readonly Change[], places: Places): void {
  const done: Change[] = [];
  try {
    for (const change of changes) {
      put(change, change.after, places);
      done.push(change);
    }
    saveRecords(places, new Map(changes.map(({ state, entry }): [string, Entry | undefined] => [state.real, entry])));
  } catch (error) {
    for (const change of done.reverse()) takeBack(change, places);
    throw error;
  }
  for (const directory of changes.flatMap(({ directories }) => directories)) removeEmptyDirectory(directory);
}

function put({ state }: Change, text: string | undefined, { level }: Places): void {
  for (const directory of state.missing) makeDirectory(directory, 0o755);
  const { real, seen, bom, path } = state;
  // Agents keep keys in theirs; a project's belong to all who work on it.
  const fresh = level === 'user' ? 0o600 : 0o644;
  const isDone =
    text === undefined
      ? seen === undefined || removeSeen(real, seen)
      : replaceSeen(real, Buffer.from(bom + text), seen ?? fresh);
  if (!isDone)
    throw new UserError(`${path} was changed meanwhile`, 'nothing was changed; try again', { code: 'conflict' });
}

function takeBack({ state }: Change, places: Places): void {
  const now = { ...readState(state.path, places), bom: state.bom };
  put({ state: now, after: undefined, entry: undefined, lost: [], directories: [] }, state.text, places);
  for (const directory of [...state.missing].reverse()) removeEmptyDirectory(directory);
}

/** One change as the server keeps it, and how it is told from what it is later. */
import { inodeAt } from '../../../history/commit/conflict/by-itself.ts';
import type { PathChange } from '../../../history/diff/changes.ts';
import type { Facts } from '../../../history/diff/facts.ts';
import type { Stamp } from '../../../review/pick/decisions.ts';
import type { Found } from '../../../review/review.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';
import { decodeStatx, STATX_SIZE } from '../../../sys/stat.ts';
import type { Choice, GroupName, ShownEntry } from '../../protocol.ts';
import { shownPath } from './show.ts';

export interface ModelEntry {
  readonly id: string;
  readonly group: GroupName;
  readonly change: PathChange;
  readonly conflict: Found['conflict'];
  /** What it was when it was read, without its content. */
  readonly stamp: Stamp;
  /** The version in which it became what it is. */
  readonly since: number;
  /** How many lines, once somebody has looked. */
  lines?: { readonly added: number; readonly removed: number };
}

const statx = Buffer.alloc(STATX_SIZE);

/** Of a change that has just been read. */
export function stampOf(
  { change, conflict }: Found,
  { facts, tree, generation }: { readonly facts: Facts; readonly tree: OverrideTree; readonly generation: number },
): Stamp {
  const { path, type, from, oldSide, newSide } = change;
  const backing = newSide?.backing;
  const said = [change.change, type, from ?? '', conflict ?? '', newSide?.mode, newSide?.uid, newSide?.gid];
  said.push(JSON.stringify([oldSide?.backing, backing]), newSide?.ino);
  const isFixed = (inodeAt(tree, path)?.staged?.objectGen ?? generation) < generation;
  const what = said.join('\0');
  // Of what is fixed nobody compares the times.
  if (isFixed || backing?.kind !== 'object' || facts.store.statInto(backing.object, statx) < 0)
    return { what, times: '', isFixed };
  const { size, mtimeSec, mtimeNsec, ctimeSec, ctimeNsec } = decodeStatx(statx);
  return { what, times: [size, mtimeSec, mtimeNsec, ctimeSec, ctimeNsec].join(' '), isFixed };
}

export function shownEntry(entry: ModelEntry, choice: Choice, facts: Facts | undefined): ShownEntry {
  const { id, group, change, conflict, lines } = entry;
  const size = facts && sizeOf(change, facts);
  return {
    ...{ id, group, ...shownPath(change.path), change: change.change, type: change.type, choice },
    ...(change.from === undefined ? {} : { from: shownPath(change.from) }),
    ...(conflict === undefined ? {} : { conflict }),
    ...(size === undefined ? {} : { size }),
    ...lines,
  };
}

/** Of a file that was added. */
function sizeOf({ change, type, newSide }: PathChange, facts: Facts): number | undefined {
  return change === 'added' && type === 'file' && newSide !== undefined ? facts.size(newSide.backing) : undefined;
}

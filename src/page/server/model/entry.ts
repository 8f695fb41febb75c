/** One change as the server keeps it, and how it is told from what it is later. */
import type { PathChange } from '../../../history/changes.ts';
import type { Facts } from '../../../history/compare/facts.ts';
import { inodeAt } from '../../../history/conflict/by-itself.ts';
import { type Sections, sectionsOf } from '../../../history/text/sections.ts';
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
  readonly size: number | undefined;
  /** What it was when it was read, without its content. */
  readonly stamp: Stamp;
  /** The version in which it became what it is. */
  readonly since: number;
  /** How many lines, once somebody has looked. */
  lines?: { readonly added: number; readonly removed: number };
}

const statx = Buffer.alloc(STATX_SIZE);

export interface Stamp {
  /** What it is, and which object has its content. */
  readonly what: string;
  /** Of the object. */
  readonly times: string;
  /** A snapshot has the object: whoever writes to the file from now on writes to a copy. */
  readonly isFixed: boolean;
}

export interface Stamped {
  readonly stamp: Stamp;
  /** Bytes of its content, where that is staged. */
  readonly size: number | undefined;
}

/** Whether nobody has written to it between two readings. */
export function isUnwritten(earlier: Stamp, later: Stamp): boolean {
  return earlier.what === later.what && (earlier.isFixed || earlier.times === later.times);
}

/** Of a change that has just been read. */
export function stampOf(
  { change, conflict }: Found,
  { facts, tree, generation }: { readonly facts: Facts; readonly tree: OverrideTree; readonly generation: number },
): Stamped {
  const { path, type, from, oldSide, newSide } = change;
  const backing = newSide?.backing;
  const said = [change.change, type, from ?? '', conflict ?? '', newSide?.mode, newSide?.uid, newSide?.gid];
  said.push(JSON.stringify([oldSide?.backing, backing]), newSide?.ino);
  const isFixed = (inodeAt(tree, path)?.staged?.objectGen ?? generation) < generation;
  if (backing?.kind !== 'object' || facts.store.statInto(backing.object, statx) < 0)
    return { stamp: { what: said.join('\0'), times: '', isFixed }, size: undefined };
  const { size, mtimeSec, mtimeNsec, ctimeSec, ctimeNsec } = decodeStatx(statx);
  const times = [mtimeSec, mtimeNsec, ctimeSec, ctimeNsec].join(' ');
  return { stamp: { what: [...said, size].join('\0'), times, isFixed }, size };
}

/** All that can be decided of it, by its content. */
export function keysOf({ change }: ModelEntry, facts: Facts): { readonly sections: Sections; readonly keys: string[] } {
  const sections = sectionsOf(change, facts);
  const keys = [...sections.sections.values(), ...(sections.text?.hunks ?? []).map(({ key }) => key)];
  return { sections, keys };
}

export function shownEntry(entry: ModelEntry, choice: Choice): ShownEntry {
  const { id, group, change, conflict, size, lines } = entry;
  return {
    ...{ id, group, ...shownPath(change.path), change: change.change, type: change.type, choice },
    ...(change.from === undefined ? {} : { from: shownPath(change.from) }),
    ...(conflict === undefined ? {} : { conflict }),
    ...(size === undefined || change.change !== 'added' || change.type !== 'file' ? {} : { size }),
    ...lines,
  };
}

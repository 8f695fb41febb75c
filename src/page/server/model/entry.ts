/** One change as the server keeps it, and how it is told from what it is later. */
import type { PathChange } from '../../../history/changes.ts';
import type { Facts } from '../../../history/compare/facts.ts';
import { type Sections, sectionsOf } from '../../../history/text/sections.ts';
import type { Found } from '../../../review/review.ts';
import { decodeStatx, STATX_SIZE } from '../../../sys/stat.ts';
import type { Choice, GroupName, ShownEntry } from '../../protocol.ts';
import { shownPath } from './show.ts';

export interface ModelEntry {
  readonly id: string;
  readonly group: GroupName;
  readonly change: PathChange;
  readonly conflict: Found['conflict'];
  readonly size: number | undefined;
  /** What it was when it was read, without its content: equal as long as nobody has written to it. */
  readonly stamp: string;
  /** The version in which it became what it is. */
  readonly since: number;
  /** How many lines, once somebody has looked. */
  lines?: { readonly added: number; readonly removed: number };
}

const statx = Buffer.alloc(STATX_SIZE);

/** `stamp` of a change that has just been read. */
export function stampOf({ change, conflict }: Found, { store }: Facts): { stamp: string; size: number | undefined } {
  const { type, from, oldSide, newSide } = change;
  const backing = newSide?.backing;
  const said = [change.change, type, from ?? '', conflict ?? '', newSide?.mode, newSide?.uid, newSide?.gid];
  said.push(oldSide === undefined ? '' : JSON.stringify(oldSide.backing), newSide?.ino);
  if (backing?.kind !== 'object') return { stamp: [...said, JSON.stringify(backing)].join('\0'), size: undefined };
  if (store.statInto(backing.object, statx) < 0)
    return { stamp: [...said, backing.object].join('\0'), size: undefined };
  const { size, mtimeSec, mtimeNsec, ctimeSec, ctimeNsec } = decodeStatx(statx);
  const times = [mtimeSec, mtimeNsec, ctimeSec, ctimeNsec];
  return { stamp: [...said, backing.object, size, ...times].join('\0'), size };
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

/** What a commit gives to sources: which content each of their paths is to have, and where on this host it lies. */
import type { Facts } from '../../history/diff/facts.ts';
import type { FileType, PathChange } from '../../history/diff/path-change.ts';
import type { ToGive } from '../../sources/giving.ts';
import type { ObjectStore } from '../../staging/object-store.ts';
import type { Backing } from '../../staging/recorder.ts';
import { type BytePath, isWithin, label, toText } from '../../sys/bytes.ts';
import { hostPath } from '../../sys/mounts.ts';
import { UserError } from '../../sys/user-error.ts';

/** What is to be at a path. */
interface Gift {
  /** Undefined: no file. */
  readonly content: Backing | undefined;
  /** Of what was renamed within its source: where it was. Who may see it goes with it. */
  readonly like?: string | undefined;
}

/** By the names of sources, then by paths below them (as text). */
export type Gifts = ReadonlyMap<string, ReadonlyMap<string, Gift>>;

/** Where the sources of a view are, by their names. */
type Places = ReadonlyMap<string, BytePath>;

/** The source that a path of the view is in. */
export function sourceOf(path: BytePath, places: Places): string | undefined {
  for (const [name, at] of places) if (isWithin(path, at)) return name;
  return undefined;
}

/** What changes of the view mean for the sources in it. */
export function giftsOf(changes: Iterable<PathChange>, places: Places): Gifts {
  const gifts = new Map<string, Map<string, Gift>>();
  const below = (path: BytePath, name: string): string => toText(path.slice((places.get(name) ?? '').length + 1));
  const give = (path: BytePath, content: Backing | undefined, from?: BytePath): void => {
    const name = sourceOf(path, places);
    if (name === undefined) return;
    const files = gifts.get(name) ?? new Map<string, Gift>();
    gifts.set(name, files);
    const like = from !== undefined && sourceOf(from, places) === name ? below(from, name) : undefined;
    files.set(below(path, name), { content, like });
  };
  const leave = (path: BytePath): void => {
    const name = sourceOf(path, places);
    if (name !== undefined && gifts.get(name)?.has(below(path, name)) !== true) give(path, undefined);
  };
  for (const { path, type, change, from, newSide } of changes) {
    if (change === 'metadata') continue;
    give(path, type === 'file' ? newSide?.backing : undefined, from);
    if (from !== undefined) leave(from);
  }
  return gifts;
}

/** Whether both give the same contents to the same paths. */
export function isSameGift(one: Gifts, other: Gifts, facts: Facts): boolean {
  if (one.size !== other.size) return false;
  return [...one].every(([name, files]) => {
    const others = other.get(name);
    if (others?.size !== files.size) return false;
    return [...files].every(([path, { content }]) => {
      const known = others.get(path);
      return known !== undefined && isSame(content, known.content, facts);
    });
  });
}

function isSame(one: Backing | undefined, other: Backing | undefined, facts: Facts): boolean {
  return one === undefined || other === undefined ? one === other : facts.same(one, other);
}

/** The same for the thread of the sources, which reads contents where they lie. What an undo brings back is as it was there. */
export function filesOf(files: ReadonlyMap<string, Gift>, store: ObjectStore, isUndo: boolean): ToGive[] {
  return [...files].map(([path, { content, like }]) => ({
    path,
    from: content && placeOf(content, store),
    like: like ?? (isUndo ? path : undefined),
  }));
}

function placeOf(content: Backing, store: ObjectStore): string | undefined {
  if (content.kind === 'object') return store.placeOf(content.object);
  return content.kind === 'base' ? toText(hostPath(content.path)) : undefined;
}

const UNKEPT: Readonly<Record<FileType, string | undefined>> = {
  ...{ file: undefined, directory: undefined },
  ...{ symlink: 'a symlink', other: 'a device, pipe or socket' },
};

/** Throws a UserError for what no source keeps. */
export function refuseUnkept({ path, change, type }: PathChange, name: string): void {
  const what = change === 'metadata' ? 'other permissions, owners, times or attributes' : UNKEPT[type];
  if (what === undefined) return;
  throw new UserError(
    `cannot commit: ${label(path)}: source '${name}' keeps names and contents, and not ${what}`,
    `nothing was committed; 'yolofs abort ${label(path)}' gives this one up`,
  );
}

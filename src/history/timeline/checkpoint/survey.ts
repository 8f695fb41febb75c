/** One look over an override tree before it is written as a checkpoint: what moved, and which files have several names. */
import type { Inode } from '../../../staging/inode.ts';
import { basePath, TOMBSTONE, viewPath } from '../../../staging/inode.ts';
import { isInPlace, stagedPaths } from '../../../staging/names/staged-names.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';
import type { BytePath, Name } from '../../../sys/bytes.ts';
import { components, join, ROOT, splitPath } from '../../../sys/bytes.ts';
import { S_IFDIR } from '../../../sys/stat.ts';

/** A file with several names in the view. */
interface SharedFile {
  /** The name that the base has it under, also where nobody has looked at that yet, or else the first met. */
  first: BytePath;
  /** Whether `first` is where the base has it. */
  inPlace: boolean;
  readonly more: BytePath[];
}

export interface Survey {
  /** Base entries away from their place, by their path in the base. */
  readonly moved: readonly (readonly [BytePath, Inode])[];
  readonly shared: ReadonlyMap<Inode, SharedFile>;
  /**
   * Base files with several names, changed, whose names in the view nobody has looked at yet, with where the view shows the
   * one that they are known by; undefined: that one went.
   */
  readonly unseen: readonly (readonly [Inode, BytePath | undefined])[];
}

/** Surveys a tree. */
export function survey(tree: OverrideTree): Survey {
  const moved = new Map<BytePath, Inode>();
  const shared = new Map<Inode, SharedFile>();
  const unmet = new Set(tree.linked.values());
  for (const at of stagedPaths(tree.root)) {
    const { child, path } = at;
    const inPlace = isInPlace(at.dir, at.name, child);
    unmet.delete(child);
    if (isShared(child)) noteName(shared, child, { path, inPlace });
    else if (!inPlace) noteMove(moved, child);
  }
  for (const [inode, file] of shared) {
    const standing = file.inPlace ? undefined : standingName(tree.root, inode, moved);
    if (standing !== undefined) noteName(shared, inode, { path: standing, inPlace: true });
    else if (!file.inPlace) noteMove(moved, inode);
  }
  const unseen = [...unmet].filter(({ staged, type }) => staged !== undefined && staged.nlink > 0 && type !== S_IFDIR);
  const named = unseen.map((inode) => [inode, standingName(tree.root, inode, moved)] as const);
  return { moved: [...moved], shared, unseen: named };
}

/** Whether an inode may have more than one name. */
export function isShared(inode: Inode): boolean {
  return inode.type !== S_IFDIR && (inode.staged?.nlink ?? 1) > 1;
}

/** Paths sorted so that what is below a directory comes before it. */
export function deepestFirst(paths: readonly BytePath[]): BytePath[] {
  return [...paths].sort((a, b) => components(b).length - components(a).length);
}

function noteName(shared: Map<Inode, SharedFile>, child: Inode, at: { path: BytePath; inPlace: boolean }): void {
  const known = shared.get(child);
  if (known === undefined) {
    shared.set(child, { first: at.path, inPlace: at.inPlace, more: [] });
  } else if (at.inPlace && !known.inPlace) {
    known.more.push(known.first);
    known.first = at.path;
    known.inPlace = true;
  } else {
    known.more.push(at.path);
  }
}

function noteMove(moved: Map<BytePath, Inode>, child: Inode): void {
  const path = basePath(child);
  if (path !== undefined) moved.set(path, child);
}

/**
 * Where the view shows the name that a file of the base is known by, if nothing is staged under that name: the base has it
 * still, and nobody has looked.
 */
function standingName(root: Inode, inode: Inode, moved: ReadonlyMap<BytePath, Inode>): BytePath | undefined {
  const path = basePath(inode);
  if (path === undefined) return undefined;
  const below: Name[] = [];
  for (let at = path; ; ) {
    const dir = moved.get(at);
    const top = dir === undefined || dir === inode ? undefined : viewPath(dir);
    const found = dir === undefined || top === undefined ? undefined : untouched(dir, top, below);
    const split = splitPath(at);
    if (found !== undefined || split === undefined) return found ?? untouched(root, ROOT, components(path));
    below.unshift(split.name);
    at = split.dir;
  }
}

/** The path that the base's own names lead to from a directory, if the last of them is not overridden. */
function untouched(dir: Inode, path: BytePath, names: readonly Name[]): BytePath | undefined {
  let [at, shown] = [dir, path];
  for (const [i, name] of names.entries()) {
    const child = at.children?.get(name);
    shown = join(shown, name);
    if (child === undefined || (child !== TOMBSTONE && child.staged === undefined))
      return names.slice(i + 1).reduce((top, below) => join(top, below), shown);
    if (child === TOMBSTONE || child.children === undefined || !isInPlace(at, name, child)) return undefined;
    at = child;
  }
  return undefined;
}

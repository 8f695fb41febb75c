/**
 * By which names a file is in a tree: its own, which its inode says, and those beside it. All that comes into a tree does by `giveName` or
 * `giveOwnName`, so whoever takes the own name of one of ten thousand files does not look through the whole tree for another.
 */
import type { Name } from '../../sys/bytes.ts';
import type { Inode, Place } from '../inode.ts';

/** Names of files beside their own, by directory, also such as they have lost since. */
const furtherNames = new WeakMap<Inode, Map<Inode, Set<Name>>>();

/** Gives an inode a name: its own, if it has none, else a further one. */
export function giveName(inode: Inode, { dir, name }: Place): void {
  dir.children?.set(name, inode);
  if (inode.parent === undefined) {
    inode.parent = dir;
    inode.name = name;
  } else if (inode.parent !== dir || inode.name !== name) noteFurther(inode, dir, name);
}

/** Gives an inode a name that is its own from now on. */
export function giveOwnName(inode: Inode, { dir, name }: Place): void {
  dir.children?.set(name, inode);
  takeOwnName(inode, { dir, name });
}

/** A name that it has, or is about to get, is its own from now on. */
export function takeOwnName(inode: Inode, { dir, name }: Place): void {
  const { parent, name: former } = inode;
  if ((parent !== dir || former !== name) && parent?.children?.get(former) === inode)
    noteFurther(inode, parent, former);
  inode.parent = dir;
  inode.name = name;
}

/** A name goes, and with it the inode's place, if it is its own. Returns whether it is. */
export function loseName(inode: Inode, { dir, name }: Place): boolean {
  forgetFurther(inode, dir, name);
  const isOwn = inode.parent === dir && inode.name === name;
  if (isOwn) inode.parent = undefined;
  return isOwn;
}

/** A file that has lost its own name goes on by another that leads to this root, if it has one. */
export function goOnByAnother(inode: Inode, root: Inode): void {
  for (const next of namesBeside(inode)) {
    if (!isBelow(next.dir, root)) continue;
    takeOwnName(inode, next);
    forgetFurther(inode, next.dir, next.name);
    return;
  }
}

function isBelow(dir: Inode, root: Inode): boolean {
  let at: Inode | undefined = dir;
  while (at !== undefined && at !== root) at = at.parent;
  return at === root;
}

/** All names of a file. */
export function namesOf(inode: Inode): readonly Place[] {
  const own = inode.parent === undefined ? [] : [{ dir: inode.parent, name: inode.name }];
  return [...own, ...namesBeside(inode)];
}

/** The names that a file has beside its own. */
function* namesBeside(inode: Inode): Generator<Place> {
  for (const [dir, names] of furtherNames.get(inode) ?? []) {
    for (const name of names) {
      if (dir.children?.get(name) !== inode) forgetFurther(inode, dir, name);
      else if (inode.parent !== dir || inode.name !== name) yield { dir, name };
    }
  }
}

function noteFurther(inode: Inode, dir: Inode, name: Name): void {
  if (inode.children !== undefined) return;
  const further = furtherNames.get(inode) ?? new Map<Inode, Set<Name>>();
  furtherNames.set(inode, further);
  const names = further.get(dir);
  if (names === undefined) further.set(dir, new Set([name]));
  else names.add(name);
}

function forgetFurther(inode: Inode, dir: Inode, name: Name): void {
  const further = furtherNames.get(inode);
  const names = further?.get(dir);
  if (names?.delete(name) && names.size === 0) further?.delete(dir);
  if (further?.size === 0) furtherNames.delete(inode);
}

/** What the kernel must be told to forget, computed here and sent by the daemon's main thread after the fact. */
import { type BytePath, type Name, type NodeId, splitPath } from '../sys/bytes.ts';
import { ENOENT } from '../sys/errno.ts';
import { S_IFDIR, S_IFMT, S_IFREG, type Stat } from '../sys/stat.ts';
import { isMoved } from './base-stamps.ts';
import type { BaseTree } from './base-tree.ts';
import type { ContentFiles } from './content-files.ts';
import { isAsSeen } from './copy-up/seen-version.ts';
import type { Inode } from './inode.ts';
import { basePath, isNatural, TOMBSTONE } from './inode.ts';
import type { InodeTable } from './inode-table.ts';
import { namesOf } from './names/hard-links.ts';
import type { OverrideTree, Place } from './override-tree.ts';
import type { Resolver } from './resolver.ts';

export type Invalidation =
  /** A name in a directory: its dentry, and the directory's cached listing and attributes. */
  | {
      readonly kind: 'entry';
      readonly parent: NodeId;
      readonly name: Name;
      /** What had this name, and has none any more. */
      readonly gone?: NodeId;
    }
  /** Cached attributes (and content, for a file) of an inode. */
  | { readonly kind: 'inode'; readonly nodeId: NodeId };

/**
 * Whether a known directory is what the base has at its name. Then it keeps its name in the kernel, which would otherwise unmount what lies
 * on it or below: the session's own /proc, a direct path, the second mount.
 */
type Stays = (dir: Inode, child: Inode) => boolean;

export const NOTHING_STAYS: Stays = () => false;

export function staysIn(base: BaseTree): Stays {
  return (dir, child) => {
    if (child.children === undefined || dir.base === undefined) return false;
    const stat = base.stat(dir.base, child.name);
    return typeof stat !== 'number' && (stat.mode & S_IFMT) === S_IFDIR && stat.ino === child.ino;
  };
}

/** Knows the places at which a file was found that has several names, and what it was. */
type Known = Pick<Resolver, 'placesOf' | 'asItWas'>;

/** One base directory changed outside, at `name` or as a whole. */
export function baseChanged(dir: Inode, name: Name | undefined, stays: Stays, known: Known): Invalidation[] {
  const found: Invalidation[] = [];
  if (dir.nodeId !== 0) found.push({ kind: 'inode', nodeId: dir.nodeId });
  for (const [childName, child] of name === undefined
    ? (dir.children ?? [])
    : [[name, dir.children?.get(name)] as const]) {
    // An overridden name shows what overrides it, but see `ChangedOriginals`.
    if (child === TOMBSTONE || child?.staged !== undefined) continue;
    if (child !== undefined) child.stale = true;
    const isReplaced = child === undefined || !stays(dir, child);
    if (dir.nodeId !== 0 && isReplaced) found.push({ kind: 'entry', parent: dir.nodeId, name: childName });
    // Whoever has it open reads it anew; a name gets a new node.
    if (child === undefined || child.nodeId === 0) continue;
    found.push({ kind: 'inode', nodeId: child.nodeId });
    // Its other names are of that node, too.
    for (const place of child.children === undefined ? known.placesOf(child) : []) {
      if (place.dir !== dir || place.name !== childName) found.push(...entryOf(place));
    }
  }
  return found;
}

interface Reading {
  readonly base: BaseTree;
  readonly table: InodeTable;
  readonly files: ContentFiles;
}

interface Staging extends Reading {
  readonly tree: OverrideTree;
}

/** Files of the base that changed outside: those that are staged, but read their content from them, are read anew. */
export class ChangedBaseFiles {
  readonly #parts: Staging;
  readonly #known: Known;
  readonly #elsewhere = new Set<BytePath>();

  constructor(parts: Staging, known: Known) {
    [this.#parts, this.#known] = [parts, known];
  }

  /** Something happened at a place of the base, which is what `child` has as its own, if it is known. */
  changed(path: BytePath, child: Inode | null | undefined): Invalidation[] {
    if (this.#hasLeft(path)) this.#elsewhere.add(path);
    return child !== undefined && child !== TOMBSTONE && isNatural(child)
      ? reread(child, this.#parts, this.#known)
      : [];
  }

  /** Only what has left its place has a stamp there, or is in that of a directory that was deleted afterwards. */
  #hasLeft(path: BytePath): boolean {
    const { stamps } = this.#parts.tree;
    if (stamps.get(path) !== undefined) return true;
    for (let at = splitPath(path); at !== undefined; at = splitPath(at.dir)) {
      const stamp = stamps.get(at.dir);
      if (stamp !== undefined && !isMoved(stamp)) return true;
    }
    return false;
  }

  /** What has moved away from such places since this was asked last: one walk for all of them. */
  moved(): Invalidation[] {
    if (this.#elsewhere.size === 0) return [];
    const { table } = this.#parts;
    const isOne = ({ base }: Inode): boolean => base !== undefined && this.#elsewhere.has(base);
    const found = [...table.live()].filter(isOne).flatMap((inode) => reread(inode, this.#parts, this.#known));
    this.#elsewhere.clear();
    return found;
  }
}

/**
 * What the kernel must forget of a file that is staged, but reads its content from the base, which has changed. If the kernel was told a
 * size or a time that is not true any more, its names get another node, as somebody may have it open.
 */
export function reread(inode: Inode, { files, table, base }: Reading, known: Known): Invalidation[] {
  if (!readsBase(inode)) return [];
  const found: Invalidation[] = [...namesOf(inode).flatMap(entryOf), { kind: 'inode', nodeId: inode.nodeId }];
  files.forget(inode);
  const path = basePath(inode);
  // What is about to be written over it is what is shown.
  const stat = path === undefined || files.pinned(inode) !== undefined ? ENOENT : base.statPath(path);
  if (inode.type === S_IFREG && typeof stat !== 'number' && !isShownAs(inode, stat))
    table.pass(inode, known.asItWas(inode));
  return found;
}

function isShownAs(inode: Inode, stat: Stat): boolean {
  return inode.staged?.attributes.mtime === undefined ? isAsSeen(inode, stat) : inode.seenSize === stat.size;
}

function readsBase({ staged, parent, children, nodeId }: Inode): boolean {
  return staged !== undefined && staged.object === 0 && parent !== undefined && children === undefined && nodeId !== 0;
}

function entryOf({ dir, name }: Place): Invalidation[] {
  return dir.nodeId === 0 ? [] : [{ kind: 'entry', parent: dir.nodeId, name }];
}

/** Everything that is the base's, and that it has nothing under a name. Watches the directories again. */
export function everythingChanged(parts: Reading, known: Known): Invalidation[] {
  const { table, base } = parts;
  const found: Invalidation[] = [];
  const stays = staysIn(base);
  for (const inode of table.live()) {
    if (inode.base === undefined) continue;
    if (inode.staged === undefined && inode.parent !== undefined && inode.parent.nodeId !== 0) {
      inode.stale = true;
      if (inode.children === undefined) found.push(...known.placesOf(inode).flatMap(entryOf));
      else if (!stays(inode.parent, inode)) found.push(...entryOf({ dir: inode.parent, name: inode.name }));
    }
    if (inode.children !== undefined) found.push({ kind: 'inode', nodeId: inode.nodeId }, ...appeared(inode, base));
    else found.push(...reread(inode, parts, known));
  }
  return found;
}

/** Names that the base has in a directory and that nobody has asked for since: the kernel may remember that they are nothing. */
function appeared(dir: Inode, base: BaseTree): Invalidation[] {
  if (dir.base === undefined) return [];
  base.watch(dir.base);
  const entries = base.list(dir.base);
  const names = typeof entries === 'number' ? [] : entries.map(({ name }) => name);
  return names.filter((name) => !dir.children?.has(name)).flatMap((name) => entryOf({ dir, name }));
}

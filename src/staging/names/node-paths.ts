/** Where inodes are, for those who judge by path (rules). Looks, and changes nothing. */
import { type BytePath, components, type Ino, join, type Name, type NodeId, ROOT } from '../../sys/bytes.ts';
import { S_IFDIR } from '../../sys/stat.ts';
import { basePath, type Inode, NATURAL, TOMBSTONE, viewPath } from '../inode.ts';
import type { InodeTable } from '../inode-table.ts';
import type { Invalidation } from '../invalidation.ts';
import type { OverrideTree } from '../override-tree.ts';
import type { Resolver } from '../resolver.ts';

/** One inode that the kernel knows. */
export interface Whereabouts {
  readonly nodeId: NodeId;
  /** Of a file with several names one of them; undefined: it has lost its last. */
  readonly view: BytePath | undefined;
  /** Where the base has its base entry; undefined: it was born in the view. */
  readonly base: BytePath | undefined;
  readonly isDirectory: boolean;
  /** The directory it lies in as the kernel knows it, 0 when it does not. */
  readonly parent: NodeId;
  readonly name: Name;
}

/** A further name of a file that has several. */
export interface OtherName {
  readonly parent: NodeId;
  readonly name: Name;
  /** In the view. */
  readonly path: BytePath;
  readonly ino: Ino;
}

/** A directory; `isHome`: its base entry has the same path. */
export interface KnownPlace {
  readonly dir: NodeId;
  readonly path: BytePath;
  readonly isHome: boolean;
}

export class NodePaths {
  readonly #table: InodeTable;
  readonly #tree: OverrideTree;
  readonly #resolver: Resolver;

  constructor(table: InodeTable, tree: OverrideTree, resolver: Resolver) {
    this.#table = table;
    this.#tree = tree;
    this.#resolver = resolver;
  }

  /** For who keeps something by node id: `listener` hears when an id stands for nothing any more, and may become another's. */
  whenFreed(listener: (nodeId: NodeId) => void): void {
    this.#table.whenFreed(listener);
  }

  /** Undefined for a node that the kernel does not know. */
  whereIs(nodeId: NodeId): Whereabouts | undefined {
    const inode = this.#table.get(nodeId);
    return inode === undefined ? undefined : whereaboutsOf(inode);
  }

  /** A name of a node, in a directory that the kernel knows; undefined for the root, and for what has none there. */
  nameOf(nodeId: NodeId): { readonly parent: NodeId; readonly name: Name } | undefined {
    const inode = this.#table.get(nodeId);
    if (inode?.parent === undefined || inode.parent.nodeId === 0) return undefined;
    return { parent: inode.parent.nodeId, name: inode.name };
  }

  /**
   * Whether that is the name `name` in `place`, and all that there is to say of the node if it has no other: it was born in the view
   * (`born`), or its base entry has the same path (`home`). Makes no path for a file.
   */
  standsAt(nodeId: NodeId, { dir, path, isHome }: KnownPlace, name: Name): 'born' | 'home' | undefined {
    const inode = this.#table.get(nodeId);
    if (inode === undefined || inode.parent?.nodeId !== dir || inode.name !== name) return undefined;
    if (inode.base === undefined) return 'born';
    return isHome && (inode.base === NATURAL || inode.base === join(path, name)) ? 'home' : undefined;
  }

  /** The names by which a node was found in directories that the kernel knows. */
  namesOf(nodeId: NodeId): (Invalidation & { kind: 'entry' })[] {
    const inode = this.#table.get(nodeId);
    const places = inode === undefined ? [] : this.#resolver.placesOf(inode);
    const known = places.filter(({ dir }) => dir.nodeId !== 0);
    return known.map(({ dir, name }) => ({ kind: 'entry', parent: dir.nodeId, name }));
  }

  /** Path in the view; undefined for what has no name, or is not known. */
  pathOf(nodeId: NodeId): BytePath | undefined {
    const inode = this.#table.get(nodeId);
    return inode === undefined ? undefined : viewPath(inode);
  }

  /** The node that a name stands for, if the kernel has asked for it; else undefined. */
  childOf(parent: NodeId, name: Name): Whereabouts | undefined {
    const child = this.#table.get(parent)?.children?.get(name);
    return child === undefined || child === TOMBSTONE || child.nodeId === 0 ? undefined : whereaboutsOf(child);
  }

  /** See `Resolver.baseOf`; whether the kernel has asked for it or not. */
  baseOf(parent: NodeId, name: Name): BytePath | undefined {
    const dir = this.#table.get(parent);
    return dir === undefined ? undefined : this.#resolver.baseOf({ dir, name });
  }

  /** All that the kernel knows at and below a path in the view. */
  *below(path: BytePath): Generator<Whereabouts> {
    const at = this.#at(path);
    if (at !== undefined) yield* knownBelow(at);
  }

  /**
   * All that the kernel knows at and below those paths below `dir` that are meant; of most names `mayBe` tells without their
   * path that they are not.
   */
  *found(
    dir: BytePath,
    mayBe: (name: Name) => boolean,
    isMeant: (path: BytePath, name: Name) => boolean,
  ): Generator<Whereabouts> {
    const at = this.#at(dir);
    const waiting = at === undefined ? [] : [{ inode: at, path: dir }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const [name, child] of next.inode.children ?? []) {
        const isLikely = mayBe(name);
        if (child === TOMBSTONE || (!isLikely && child.children === undefined)) continue;
        const path = join(next.path, name);
        if (isLikely && isMeant(path, name)) yield* knownBelow(child);
        else waiting.push({ inode: child, path });
      }
    }
  }

  /** Whether the view has what the base has at and below `path`, a directory: nothing is staged there, nor moved above it. */
  isUntouched(path: BytePath): boolean {
    let at = this.#tree.root;
    let so = ROOT;
    for (const name of components(path)) {
      const child = at.children?.get(name);
      so = join(so, name);
      if (child === undefined) return true;
      if (child === TOMBSTONE || child.base !== so) return false;
      at = child;
    }
    return at.staged === undefined;
  }

  #at(path: BytePath): Inode | undefined {
    let at: Inode | undefined = this.#tree.root;
    for (const name of path === '/' ? [] : path.slice(1).split('/')) {
      at = at?.children?.get(name as Name) ?? undefined;
    }
    return at;
  }

  /** All that the kernel knows and that may be judged by more than its path in the view: what was moved, and files with several names. */
  *elsewhere(): Generator<Whereabouts> {
    const moved = new Map<Inode, boolean>();
    for (const inode of this.#table.live()) {
      if (isMoved(inode, moved) || this.#resolver.hasMoreNames(inode)) yield whereaboutsOf(inode);
    }
  }

  /** Further names of files that have several, in directories that the kernel knows; `whereIs` tells one of each file. */
  *otherNames(): Generator<OtherName> {
    for (const dir of this.#table.live()) {
      for (const [name, child] of dir.children ?? []) {
        if (child === TOMBSTONE || child.children !== undefined || (child.parent === dir && child.name === name))
          continue;
        const path = viewPath(dir);
        if (path !== undefined) yield { parent: dir.nodeId, name, path: join(path, name), ino: child.ino };
      }
    }
  }

  /** All that the kernel knows, and what has no name any more too. */
  *all(): Generator<Whereabouts> {
    for (const inode of this.#table.live()) yield whereaboutsOf(inode);
  }
}

function* knownBelow(at: Inode): Generator<Whereabouts> {
  const waiting = [at];
  for (let inode = waiting.pop(); inode !== undefined; inode = waiting.pop()) {
    if (inode.nodeId !== 0) yield whereaboutsOf(inode);
    for (const child of inode.children?.values() ?? []) if (child !== TOMBSTONE) waiting.push(child);
  }
}

/** Whether its base entry lies elsewhere in the base; asked once for each directory. */
function isMoved(inode: Inode, known: Map<Inode, boolean>): boolean {
  if (inode.base === undefined) return false;
  if (inode.children === undefined && inode.base !== NATURAL) return true;
  const dir = inode.children === undefined ? inode.parent : inode;
  if (dir === undefined) return true;
  const isKnown = known.get(dir);
  if (isKnown !== undefined) return isKnown;
  const found = basePath(dir) !== viewPath(dir);
  known.set(dir, found);
  return found;
}

function whereaboutsOf(inode: Inode): Whereabouts {
  return {
    nodeId: inode.nodeId,
    view: viewPath(inode),
    base: basePath(inode),
    isDirectory: inode.type === S_IFDIR,
    parent: inode.parent?.nodeId ?? (0 as NodeId),
    name: inode.name,
  };
}

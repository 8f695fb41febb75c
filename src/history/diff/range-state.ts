/**
 * Makes of a range of journal records a sparse tree: the state at the end of the range, in which each inode
 * knows where it was at the start and what it held then. It is an override tree whose "base" is the start of the
 * range, built from what the records say was there before (`pre`, `over`, `of`), so it costs what the range does,
 * whatever came earlier.
 */
import type { Backing, Change, Mutation, Rename, StageContent, StageKept, StageNew } from '../../staging/recorder.ts';
import type { BytePath, Name } from '../../sys/bytes.ts';
import { components, join, ROOT, splitPath } from '../../sys/bytes.ts';
import { S_IFDIR, S_IFLNK, S_IFREG } from '../../sys/stat.ts';

const DIRECTORY: Backing = { kind: 'other', type: S_IFDIR };

export class RangeInode {
  /** Path at the start of the range; undefined: born in it. */
  readonly origin: BytePath | undefined;
  /** What it was at the start; undefined: born in the range, or a directory nothing has happened to. */
  old: Backing | undefined;
  now: Backing;
  /** CHANGED_* bits of the range. */
  changed = 0;
  /** Mode and owner set in the range. */
  attributes: Owned | undefined;
  /** Names that the records speak of; null = gone. Most files' are never asked for: a range may have 200,000. */
  children: Map<Name, RangeInode | null> | undefined;
  /** Has a name at the end. */
  isShown = false;

  constructor(origin: BytePath | undefined, old: Backing | undefined, now: Backing) {
    this.origin = origin;
    this.old = old;
    this.now = now;
    this.attributes = undefined;
    this.children = undefined;
  }

  /** What is in it under a name; undefined: no record speaks of it. */
  child(name: Name): RangeInode | null | undefined {
    return this.children?.get(name);
  }

  setChild(name: Name, child: RangeInode | null): void {
    this.children ??= new Map();
    this.children.set(name, child);
  }

  own({ mode, uid, gid }: Owned): void {
    if (mode !== undefined || uid !== undefined || gid !== undefined)
      this.attributes = {
        mode: mode ?? this.attributes?.mode,
        uid: uid ?? this.attributes?.uid,
        gid: gid ?? this.attributes?.gid,
      };
  }
}

interface Owned {
  readonly mode?: number | undefined;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
}

interface RangePlace {
  readonly dir: RangeInode;
  readonly name: Name;
}

export class RangeState {
  readonly root = new RangeInode(ROOT, undefined, DIRECTORY);
  /** Every inode of the start that a record speaks of, by its path there. */
  readonly start = new Map<BytePath, RangeInode>();

  apply(mutation: Mutation): void {
    switch (mutation.tag) {
      case 'S':
        this.#stage(mutation);
        return;
      case 'D':
        this.#inode(mutation.path, mutation.pre);
        this.#set(this.#place(mutation.path), null);
        return;
      case 'R':
        this.#rename(mutation);
        return;
      case 'L':
        this.#set(this.#place(mutation.path), this.#inode(mutation.existing, mutation.of));
        return;
      case 'M':
        this.#change(mutation);
        return;
    }
  }

  #stage(mutation: StageNew | StageContent | StageKept): void {
    if (mutation.how === 'new') this.#create(mutation);
    else if (mutation.how === 'kept') this.#keep(mutation);
    else this.#inode(mutation.path, mutation.pre).now = contentOf(mutation.object, mutation.pre);
  }

  #keep(mutation: StageKept): void {
    const { original, path, pre } = mutation;
    const inode = original === 'here' ? this.#inode(path, pre) : new RangeInode(undefined, undefined, bornAs(mutation));
    if (original !== 'here') this.#set(this.#place(path), inode);
    else if (mutation.object !== 0) inode.now = contentOf(mutation.object, pre);
    inode.changed |= mutation.changed;
    inode.own(mutation.attributes);
  }

  #create(mutation: StageNew): void {
    const inode = new RangeInode(undefined, undefined, bornAs(mutation));
    inode.own(mutation);
    this.#set(this.#place(mutation.path), inode);
  }

  #rename(mutation: Rename): void {
    const moved = this.#inode(mutation.from, mutation.pre);
    const [from, to] = [this.#place(mutation.from), this.#place(mutation.to)];
    const other = mutation.over.kind === 'absent' ? null : this.#inode(mutation.to, mutation.over);
    this.#set(from, mutation.exchange ? other : null);
    this.#set(to, moved);
  }

  #change(mutation: Change): void {
    const inode = this.#inode(mutation.path, mutation.pre);
    inode.changed |= mutation.changed;
    inode.own(mutation.attributes);
  }

  /** The inode at a path, which was `pre` before the record at hand. */
  #inode(path: BytePath, pre: Backing): RangeInode {
    if (path === ROOT) return this.root;
    const { dir, name } = this.#place(path);
    const known = dir.child(name);
    if (known != null) {
      if (known.origin !== undefined) known.old ??= pre;
      return known;
    }
    return this.#found(dir, name, pre);
  }

  #place(path: BytePath): RangePlace {
    const split = splitPath(path);
    if (split === undefined) throw new RangeError('the root has no name');
    let dir = this.root;
    for (const name of components(split.dir)) dir = dir.child(name) ?? this.#found(dir, name, undefined);
    return { dir, name: split.name };
  }

  /**
   * A name that no record of the range has made, so it was there at the start. A path that came out of a journal's
   * line would keep that whole line in memory; its own is as good.
   */
  #found(dir: RangeInode, name: Name, pre: Backing | undefined): RangeInode {
    const origin = dir.origin === undefined ? undefined : join(dir.origin, name);
    const old = pre?.kind === 'base' && pre.path === origin ? { ...pre, path: origin } : pre;
    const inode = new RangeInode(origin, old, old ?? DIRECTORY);
    if (origin !== undefined) this.start.set(origin, inode);
    dir.setChild(name, inode);
    return inode;
  }

  #set(at: RangePlace, inode: RangeInode | null): void {
    at.dir.setChild(at.name, inode);
  }
}

function bornAs({ type, object, target }: StageNew | StageKept): Backing {
  if (type === S_IFREG) return { kind: 'object', object, path: undefined };
  return type === S_IFLNK ? { kind: 'symlink', target: target ?? '' } : { kind: 'other', type };
}

function contentOf(object: StageNew['object'], pre: Backing): Backing {
  return { kind: 'object', object, path: 'path' in pre ? pre.path : undefined };
}

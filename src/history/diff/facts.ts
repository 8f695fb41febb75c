/**
 * What the base and the file store say about paths and content. A name that is not there is `undefined`; what
 * keeps a fact from being read otherwise (no permission, a broken disk) is thrown as SystemError, because to
 * take it for "not there" would list a file as deleted that is not.
 */
import type { BaseEntry, BaseTree } from '../../staging/base-tree.ts';
import type { ObjectStore } from '../../staging/object-store.ts';
import type { Backing } from '../../staging/recorder.ts';
import { incompleteObjects, isIncomplete } from '../../staging/store/incomplete.ts';
import type { BytePath, Name, ObjectId } from '../../sys/bytes.ts';
import { join, label, splitPath } from '../../sys/bytes.ts';
import type { Errno } from '../../sys/errno.ts';
import { EACCES, ENODATA, ENOENT, ENOTDIR, EOPNOTSUPP, SystemError } from '../../sys/errno.ts';
import * as libc from '../../sys/libc.ts';
import type { Stat } from '../../sys/stat.ts';
import { decodeStatx, S_IFLNK, S_IFMT, S_IFREG, STATX_SIZE } from '../../sys/stat.ts';

const CHUNK = 256 * 1024;

export class Facts {
  readonly base: BaseTree;
  readonly store: ObjectStore;
  readonly #statx = Buffer.alloc(STATX_SIZE);
  readonly #known: KnownFacts | undefined;
  #chunks: [Buffer, Buffer] | undefined;
  #incomplete: ReadonlySet<string> | undefined;

  /** `known`: what was found out is not asked for again (`KnownFacts`). */
  constructor(base: BaseTree, store: ObjectStore, known?: KnownFacts) {
    this.base = base;
    this.store = store;
    this.#known = known;
  }

  /** Attributes of a base entry. */
  at(dir: BytePath, name: Name): Stat | undefined {
    const stat = this.#known === undefined ? this.base.stat(dir, name) : this.#known.stat(this.base, dir, name);
    return typeof stat === 'number' ? absent(stat, () => join(dir, name)) : stat;
  }

  /** Attributes of a base path. */
  of(path: BytePath): Stat | undefined {
    const split = this.#known === undefined ? undefined : splitPath(path);
    if (split !== undefined) return this.at(split.dir, split.name);
    const stat = this.base.statPath(path);
    return typeof stat === 'number' ? absent(stat, () => path) : stat;
  }

  /** Attributes of a content object; undefined when it is not there. */
  objectStat(object: ObjectId): Stat | undefined {
    const known = this.#known?.objects.get(object);
    if (known !== undefined) return known;
    if (this.store.statInto(object, this.#statx) < 0) return undefined;
    const stat = decodeStatx(this.#statx);
    this.#known?.objects.set(object, stat);
    return stat;
  }

  /** Entries of a base directory; none when there is no such directory. undefined: it may not be listed. */
  list(dir: BytePath): BaseEntry[] | undefined {
    const entries = this.base.list(dir);
    if (entries === EACCES) return undefined;
    return typeof entries === 'number' ? (absent(entries, () => dir) ?? []) : entries;
  }

  /** Target of a symlink, in the base or born in the view. */
  target(link: Backing): string | undefined {
    if (link.kind === 'symlink') return link.target;
    if (link.kind !== 'base') return undefined;
    const target = this.base.readlink(link.path);
    return typeof target === 'number' ? absent(target, () => link.path) : target;
  }

  /** Names of a base path's extended attributes; none where the file system has none. */
  xattrNames(path: BytePath): string[] {
    const list = this.base.listxattr(path);
    if (typeof list !== 'number') return list.toString('latin1').split('\0').filter(Boolean);
    return list === EOPNOTSUPP ? [] : (absent(list, () => path) ?? []);
  }

  /** Value of a base path's extended attribute. */
  xattr(path: BytePath, name: string): Buffer | undefined {
    const value = this.base.getxattr(path, name);
    if (typeof value !== 'number') return value;
    return value === ENODATA || value === EOPNOTSUPP ? undefined : absent(value, () => path);
  }

  /** A descriptor to read a regular file's content from (the caller closes it), or a negative errno. */
  open(content: Backing): number {
    if (content.kind === 'object') return this.store.open(content.object);
    return content.kind === 'base' ? this.base.openRead(content.path) : -ENOENT;
  }

  /** Size in bytes of a regular file's content; undefined when it is not there. */
  size(content: Backing): number | undefined {
    if (content.kind === 'base') return this.of(content.path)?.size;
    return content.kind === 'object' ? this.objectStat(content.object)?.size : undefined;
  }

  /** Whether something that was written to a regular file could not be stored. */
  isIncomplete(content: Backing): boolean {
    this.#incomplete ??= incompleteObjects(this.store);
    return content.kind === 'object' && isIncomplete(this.store, content.object, this.#incomplete);
  }

  /** Whether two things are of one type and, as files or symlinks, hold the same bytes. */
  same(a: Backing, b: Backing): boolean {
    const type = typeOf(a);
    if (type !== typeOf(b)) return false;
    if (type === S_IFLNK) return this.target(a) === this.target(b);
    return type !== S_IFREG || isOneFile(a, b) || this.#sameContents(a, b);
  }

  #sameContents(a: Backing, b: Backing): boolean {
    if (this.#known === undefined || a.kind !== 'base' || b.kind !== 'object') return this.#sameBytes(a, b);
    const known = this.#known.compared.get(b.object);
    if (known?.path === a.path) return known.isSame;
    const isSame = this.#sameBytes(a, b);
    this.#known.compared.set(b.object, { path: a.path, isSame });
    return isSame;
  }

  #sameBytes(a: Backing, b: Backing): boolean {
    const size = this.size(a);
    if (size === undefined || size !== this.size(b)) return false;
    const [left, right] = [this.open(a), this.open(b)];
    try {
      // What cannot be read cannot be called the same.
      return left >= 0 && right >= 0 && this.#sameFiles(left, right);
    } finally {
      if (left >= 0) libc.close(left);
      if (right >= 0) libc.close(right);
    }
  }

  #sameFiles(left: number, right: number): boolean {
    this.#chunks ??= [Buffer.allocUnsafeSlow(CHUNK), Buffer.allocUnsafeSlow(CHUNK)];
    const [a, b] = this.#chunks;
    for (let at = 0; ; at += CHUNK) {
      const n = libc.pread(left, a, CHUNK, at);
      if (n < 0 || n !== libc.pread(right, b, CHUNK, at)) return false;
      if (n === 0) return true;
      if (a.compare(b, 0, n, 0, n) !== 0) return false;
    }
  }
}

/**
 * Attributes that were asked for once and contents that were compared once, for work that is done in one go, such as a plan or
 * a listing: its parts then speak of one state of the base, and each place costs one system call. Whoever makes it for a plan sees
 * to it that nothing of ours changes the base or the store meanwhile; what others change is found when the steps are carried out.
 */
export class KnownFacts {
  /** Content objects that are there. */
  readonly objects = new Map<ObjectId, Stat>();
  /** Content objects whose bytes were compared with those of a base file. */
  readonly compared = new Map<ObjectId, { readonly path: BytePath; readonly isSame: boolean }>();
  readonly #entries = new Map<BytePath, Map<Name, Stat | Errno>>();

  /** As `BaseTree.stat`. */
  stat(base: BaseTree, dir: BytePath, name: Name): Stat | Errno {
    const names = this.#names(dir);
    const known = names.get(name);
    if (known !== undefined) return known;
    const stat = base.stat(dir, name);
    names.set(name, stat);
    return stat;
  }

  #names(dir: BytePath): Map<Name, Stat | Errno> {
    const known = this.#entries.get(dir);
    if (known !== undefined) return known;
    const names = new Map<Name, Stat | Errno>();
    this.#entries.set(dir, names);
    return names;
  }
}

/** S_IFMT bits of what a name stands for; 0 = nothing. */
export function typeOf(backing: Backing): number {
  switch (backing.kind) {
    case 'absent':
      return 0;
    case 'base':
    case 'other':
      return backing.type & S_IFMT;
    case 'object':
      return S_IFREG;
    case 'symlink':
      return S_IFLNK;
  }
}

function isOneFile(a: Backing, b: Backing): boolean {
  if (a.kind === 'base') return b.kind === 'base' && a.path === b.path;
  return a.kind === 'object' && b.kind === 'object' && a.object === b.object;
}

function absent(errno: Errno, path: () => BytePath): undefined {
  if (errno === ENOENT || errno === ENOTDIR) return undefined;
  throw new SystemError(`cannot read ${label(path())}`, errno);
}

/**
 * A journal's records through the verbs of the override tree, in order, give the tree that the live view had. Knows
 * nothing of the base but what the records say.
 */

import { isSameTime } from '../../staging/compact.ts';
import {
  basePath,
  CHANGED_TIMES,
  Inode,
  type NewInode,
  type Staged,
  type Time,
  viewPath,
} from '../../staging/inode.ts';
import { copyStaged, keepExactly, keepUnder, nameKept } from '../../staging/kept.ts';
import { giveName } from '../../staging/names/hard-links.ts';
import { stagedPaths } from '../../staging/names/staged-names.ts';
import type { OverrideTree, Place } from '../../staging/override-tree.ts';
import type { Backing, Delete, Rename, StageKept, StageNew } from '../../staging/recorder.ts';
import { type BytePath, type Gen, type Ino, splitPath } from '../../sys/bytes.ts';
import { S_IFDIR, S_IFLNK, S_IFREG } from '../../sys/stat.ts';
import type { PlainLine } from '../log/plain-line.ts';
import type { JournalRecord } from '../log/record.ts';
import { LostBaseEntries } from './lost-base-entries.ts';

export interface ReplayOptions {
  /**
   * The base is another one than the records were made over, and the tree shows what that was. So every name that goes
   * leaves a tombstone, over nothing perhaps, and what is told as a difference from the base adds to what the tree has.
   * This finds a file at a place that the tree knows by another of its names.
   */
  readonly otherBase?: (at: Place) => Inode | undefined;
}

/** Applies records to one tree, one after the other. */
export class Replayer {
  readonly #tree: OverrideTree;
  /**
   * Overridden base files with several names, by the path of their base entry. The live view finds that two names
   * are one file by asking the base; here the old side of a record, which names the base entry, tells it.
   */
  readonly #linked = new Map<BytePath, Inode>();
  /** Directories that records were about, by path. */
  readonly #directories = new Map<BytePath, Inode>();
  /** That of the last line that `applyPlain` took. */
  #last: Inode | undefined;
  readonly #isElsewhere: boolean;
  readonly #otherBase: ReplayOptions['otherBase'];
  /** What the tree said of the base that the records were made over, if it is another one than today's. */
  readonly #rebuilt: ReadonlyMap<Inode, Staged>;
  readonly #lost: LostBaseEntries;

  constructor(tree: OverrideTree, options: ReplayOptions = {}) {
    this.#tree = tree;
    this.#otherBase = options.otherBase;
    this.#isElsewhere = this.#otherBase !== undefined;
    this.#rebuilt = this.#isElsewhere ? stagedBefore(tree) : new Map();
    this.#lost = new LostBaseEntries(tree, this.#rebuilt.keys());
    for (const inode of tree.linked.values()) this.#remember(inode);
  }

  /** Applies one record; markers and notes change nothing. */
  apply(record: JournalRecord): void {
    const { body, time } = record;
    const tree = this.#tree;
    switch (body.tag) {
      case 'S':
      case 'M':
        this.#stage(record);
        return;
      case 'D':
        this.#remove(body, record);
        return;
      case 'R':
        this.#rename(body, record);
        return;
      case 'L':
        tree.link(this.#inode(body.existing, body.of, body.ino), this.#place(body.path), time);
        return;
      case 'K':
      case 'A':
      case 'U':
        tree.clear();
        this.#linked.clear();
        this.#forgetDirectories();
        return;
      case 'P':
      case 'T':
      case 'X':
      case 'G':
      case 'C':
      case 'N':
        return;
    }
  }

  /** The same for a record as most are; false, and nothing done, where it takes `apply`. */
  applyPlain(line: PlainLine): boolean {
    if (this.#isElsewhere) return false;
    const dir = this.#directoryOf(line);
    const { name, generation: gen } = line;
    if (line.kind === 'new') {
      const { type, ino, object, mode, uid, gid, rdev } = line;
      const fresh = { type, ino, object, gen, mode, uid, gid, rdev, target: undefined };
      this.#tree.create({ dir, name }, fresh, line.time);
      return true;
    }
    const known = dir.children?.get(name);
    // Of a file with several names another one may be known.
    if (!known && this.#linked.size > 0) return false;
    const inode = known ?? this.#tree.scaffold({ dir, name }, line.type, line.ino);
    const { object, fingerprint } = line;
    if (line.kind === 'content') this.#tree.setContent(inode, { object, gen, fingerprint });
    else this.#tree.change(inode, line);
    this.#remember(inode);
    return true;
  }

  #directoryOf(line: PlainLine): Inode {
    if (line.isInSameDirectory() && this.#last !== undefined) return this.#last;
    const path = line.directory;
    const dir = this.#directories.get(path) ?? this.#tree.resolve(path, S_IFDIR, 0 as Ino);
    this.#directories.set(path, dir);
    this.#last = dir;
    return dir;
  }

  /** Directories have other paths now. */
  #forgetDirectories(): void {
    this.#directories.clear();
    this.#last = undefined;
  }

  #stage({ body, generation: gen, time }: JournalRecord): void {
    if (body.tag === 'S' && body.how === 'new') {
      this.#tree.create(this.#place(body.path), newInode(body, gen), time);
    } else if (body.tag === 'S' && body.how === 'content') {
      const inode = this.#inode(body.path, body.pre, body.ino);
      this.#tree.setContent(inode, { object: body.object, gen, fingerprint: body.fingerprint });
      if (this.#isElsewhere) timeByContent(inode, this.#rebuilt.get(inode));
      this.#remember(inode, body.pre);
    } else if (body.tag === 'S') {
      this.#keep(body, { gen, time });
    } else if (body.tag === 'M') {
      const inode = this.#inode(body.path, body.pre, body.ino);
      this.#tree.change(inode, body);
      this.#remember(inode, body.pre);
    }
  }

  #keep(body: StageKept, { gen, time }: { gen: Gen; time: Time }): void {
    const { original, path } = body;
    const isHere = original === 'here';
    const inode = isHere ? this.#inode(path, body.pre, body.ino) : new Inode(body.type, body.ino, undefined);
    if (!isHere) this.#nameKept(inode, path, time);
    keepExactly(this.#tree, inode, { ...body, gen });
    const before = isHere ? this.#rebuilt.get(inode) : undefined;
    if (before !== undefined) keepUnder(inode, before);
    this.#remember(inode, body.pre);
  }

  #nameKept(inode: Inode, path: BytePath, time: Time): void {
    const at = this.#place(path);
    if (at.dir.children?.get(at.name)?.children) this.#forgetDirectories();
    nameKept(this.#tree, { inode, at, time });
  }

  #remove(body: Delete, { time }: JournalRecord): void {
    const at = this.#place(body.path);
    // One that is told anew goes with all that is below it, and other directories come to have those paths.
    if (this.#known(at, body.pre)?.children) this.#forgetDirectories();
    this.#tree.remove(at, { ...body, hides: this.#isElsewhere || body.hides }, time);
  }

  #rename(body: Rename, { time }: JournalRecord): void {
    const from = this.#place(body.from);
    const to = this.#place(body.to);
    this.#known(from, body.pre) ?? this.#scaffold(from, body.pre, body.ino);
    const over = this.#known(to, body.over);
    // What hangs below a directory that moves has other paths now.
    if (from.dir.children?.get(from.name)?.children || over?.children) this.#forgetDirectories();
    const { stamp, overStamp } = body;
    const hides = this.#isElsewhere || body.hides;
    if (!body.exchange) {
      this.#tree.rename(from, to, { hides, stamp, overStamp, time });
      return;
    }
    if (over === undefined) this.#scaffold(to, body.over, 0 as Ino);
    this.#tree.exchange(from, to, { stamp, overStamp, time });
  }

  /** The directory and name of a path. Most records are about a directory that others were about. */
  #place(path: BytePath): Place {
    const split = splitPath(path);
    const dir = split && this.#directories.get(split.dir);
    if (split !== undefined && dir !== undefined) return { dir, name: split.name };
    const at = this.#tree.place(path);
    if (split !== undefined) this.#directories.set(split.dir, at.dir);
    return at;
  }

  /** The inode at a path, made known when the tree has nothing there yet. */
  #inode(path: BytePath, backing: Backing, ino: Ino): Inode {
    if (splitPath(path) === undefined) return this.#tree.root;
    const at = this.#place(path);
    return this.#known(at, backing) ?? this.#scaffold(at, backing, ino);
  }

  /** What the tree has at a place, also when it knows the file only under another of its names. */
  #known(at: Place, backing: Backing): Inode | undefined {
    const known = at.dir.children?.get(at.name);
    if (known) return known;
    const original = originalOf(backing);
    const linked = original === undefined ? undefined : this.#linked.get(original);
    if (linked === undefined) return this.#otherBase?.(at);
    giveName(linked, at);
    return linked;
  }

  #scaffold(at: Place, backing: Backing, ino: Ino): Inode {
    const inode = this.#tree.scaffold(at, typeOf(backing), ino);
    this.#lost.note(at, inode);
    return inode;
  }

  /** After the last record. */
  finish(time: Time): void {
    this.#lost.drop(time);
  }

  #remember(inode: Inode, told?: Backing): void {
    const nlink = inode.staged?.fingerprint?.nlink ?? 1;
    const original = nlink > 1 && inode.type !== S_IFDIR ? this.#originalOf(inode, told) : undefined;
    if (original !== undefined) this.#linked.set(original, inode);
  }

  /** In the base that the records were made over. Where that is another one than today's, the reconstruction shows it. */
  #originalOf(inode: Inode, told: Backing | undefined): BytePath | undefined {
    if (!this.#isElsewhere) return basePath(inode);
    return told === undefined ? viewPath(inode) : originalOf(told);
  }
}

/** Field by field: that is many times as fast as a spread, and a session has as many of these as files. */
function stagedBefore(tree: OverrideTree): Map<Inode, Staged> {
  const inodes = [tree.root, ...tree.linked.values(), ...[...stagedPaths(tree.root)].map(({ child }) => child)];
  const rebuilt = new Map<Inode, Staged>();
  for (const inode of inodes) {
    const staged = copyStaged(inode);
    if (staged !== undefined) rebuilt.set(inode, staged);
  }
  return rebuilt;
}

/** Unless a record has set it, the time of a file is that of its content, whatever the reconstruction said. */
function timeByContent({ staged }: Inode, rebuilt: Staged | undefined): void {
  if (staged === undefined || (staged.changed & CHANGED_TIMES) !== 0) return;
  const { mtime, ...others } = staged.attributes;
  if (isSameTime(mtime, rebuilt?.attributes.mtime)) staged.attributes = others;
}

function newInode(body: StageNew, gen: Gen): NewInode {
  const { type, ino, object, mode, uid, gid, rdev, target } = body;
  return { type, ino, object, gen, mode, uid, gid, rdev, target };
}

function originalOf(backing: Backing): BytePath | undefined {
  return backing.kind === 'base' || backing.kind === 'object' ? backing.path : undefined;
}

function typeOf(backing: Backing): number {
  switch (backing.kind) {
    case 'base':
    case 'other':
      return backing.type;
    case 'symlink':
      return S_IFLNK;
    case 'object':
    case 'absent':
      return S_IFREG;
  }
}

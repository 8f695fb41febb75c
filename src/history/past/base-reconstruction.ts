/**
 * A tree over today's base on which commits are taken back, or done again: the base over which the records of an earlier
 * time are replayed. It works by paths in the view and asks the base what is at them, as nobody recorded that.
 */
import type { Inode, Time } from '../../staging/inode.ts';
import {
  basePath,
  CHANGED_MODE,
  CHANGED_OWNER,
  CHANGED_TIMES,
  CHANGED_XATTR,
  fingerprintOf,
  NATURAL,
  TOMBSTONE,
} from '../../staging/inode.ts';
import { giveName } from '../../staging/names/hard-links.ts';
import { OverrideTree, type Place } from '../../staging/override-tree.ts';
import type { BytePath, Gen, Ino, ObjectId } from '../../sys/bytes.ts';
import { components, join, label, ROOT } from '../../sys/bytes.ts';
import { coarseTime } from '../../sys/libc.ts';
import type { Stat } from '../../sys/stat.ts';
import { isDirectory, S_IFDIR, S_IFREG } from '../../sys/stat.ts';
import { UserError } from '../../sys/user-error.ts';
import type { FileAttributes } from '../commit/apply/attributes.ts';
import type { LeftFile } from '../commit/conflict/left-contents.ts';
import type { Facts } from '../diff/facts.ts';
import { WHERE_TO_GO } from '../timeline/destination.ts';
import { Edits, hasOtherContent, type LeftMade } from './edits.ts';
import { NamesBelow } from './names-below.ts';

/** What is made at a place. */
export interface Made {
  readonly type: number;
  readonly ino: Ino;
  readonly object?: ObjectId;
  readonly rdev?: number;
  readonly target?: string | undefined;
  readonly attributes: FileAttributes;
}

/** All content is older than whatever is written next. */
const OLD = 0 as Gen;

export class BaseReconstruction {
  readonly tree: OverrideTree;
  readonly edits: Edits;
  readonly #facts: Facts;
  readonly #time: Time = coarseTime();

  /** `tree`: what is staged over the base to begin with. */
  constructor(facts: Facts, tree = new OverrideTree()) {
    this.tree = tree;
    this.#facts = facts;
    this.edits = new Edits(facts);
  }

  /** What a commit left at a path, before that is taken back: a file, or nothing. A later commit may have changed it. */
  expect(path: BytePath, left: LeftFile | undefined): void {
    const place = this.#leftAt(path);
    if (place !== undefined) this.edits.compare(place, left);
  }

  /** The same of a file that it gave attributes. */
  expectTime(path: BytePath, mtime: Time | undefined): void {
    const place = this.#leftAt(path);
    if (place !== undefined && mtime !== undefined) this.edits.compareTime(place, mtime);
  }

  /** The same of anything else that a commit has made; in a directory nothing else may be. */
  expectMade(path: BytePath, made: LeftMade): void {
    const place = this.#leftAt(path);
    if (place === undefined) return;
    const { dir, name } = this.#place(path);
    this.edits.compareMade(place, made, dir.children?.get(name)?.children);
  }

  /** The same of one more name of a file. */
  expectLink(existing: BytePath, path: BytePath): void {
    const [file, place] = [this.#leftAt(existing), this.#leftAt(path)];
    if (file !== undefined && place !== undefined) this.edits.compareLink(place, file);
  }

  /** Moves whatever is at a path, with all that is below it. */
  move(from: BytePath, to: BytePath): void {
    const source = this.#place(from);
    this.#need(source, from);
    this.tree.rename(source, this.#place(to), { hides: true, time: this.#time });
  }

  /** As `move`, from or to a name in the root that only we see: it has no part in the root's times. */
  moveByRoot(from: BytePath, to: BytePath): void {
    const staged = this.tree.stage(this.tree.root);
    const before = staged.attributes;
    this.move(from, to);
    staged.attributes = before;
  }

  /** Takes a name away. */
  remove(path: BytePath): void {
    const at = this.#place(path);
    // One name of several: the others count one less.
    const inode = this.#child(at);
    if (inode?.type === S_IFDIR) new NamesBelow(this.tree, this.#facts, this.#time).lose(inode);
    this.tree.remove(at, { hides: true }, this.#time);
  }

  /** Whether there is a regular file at a path that the base has under this name only. */
  hasPlainFile(path: BytePath): boolean {
    const inode = this.#child(this.#place(path));
    return inode?.type === S_IFREG && (inode.staged?.fingerprint?.nlink ?? 1) === 1;
  }

  /** Looks at what is at a path: a file with several names is known from then on, by all of them. */
  know(path: BytePath): void {
    if (path !== ROOT) this.#child(this.#place(path));
  }

  /** The file at a place that is known by another of its names. */
  linkedAt(at: Place): Inode | undefined {
    const { dir, name } = at;
    if (this.tree.linked.size === 0 || dir.base === undefined || dir.children?.has(name)) return undefined;
    const stat = this.#facts.at(dir.base, name);
    const isKnown = stat !== undefined && hasSeveralNames(stat) && this.tree.linked.has(keyOf(stat));
    return isKnown ? this.#fromBase(at, stat) : undefined;
  }

  /** Gives a path back to a file that is known by another of its names, in the place of whatever is there; whether it is known. */
  rejoin(path: BytePath, stat: Stat): boolean {
    const inode = hasSeveralNames(stat) ? this.tree.linked.get(keyOf(stat)) : undefined;
    if (inode?.parent === undefined) return false;
    const at = this.#place(path);
    if (this.#child(at) !== undefined) this.tree.remove(at, { hides: true }, this.#time);
    this.tree.link(inode, at, this.#time);
    // The name that the backups have of it counts already.
    this.tree.stage(inode).nlink -= 1;
    return true;
  }

  /** Makes something in the place of whatever is there. */
  make(path: BytePath, made: Made): void {
    const { type, ino, object = 0 as ObjectId, rdev = 0, target, attributes } = made;
    const { mode = 0o777, uid = 0, gid = 0 } = attributes;
    const fresh = { type, ino, object, gen: OLD, mode, uid, gid, rdev, target };
    this.#change(this.tree.create(this.#place(path), fresh, this.#time), attributes, 0);
  }

  /** Gives the file at a path other content, and the attributes that go with it. */
  fill(path: BytePath, object: ObjectId, attributes: FileAttributes): void {
    const inode = this.#inode(path);
    this.tree.setContent(inode, { object, gen: OLD });
    const staged = this.tree.stage(inode);
    // Unless it is said, the time is that of the content.
    const { mtime: _, ...others } = staged.attributes;
    staged.attributes = others;
    this.#change(inode, attributes, changedBy(attributes) & ~CHANGED_TIMES);
  }

  /** Takes the extended attributes from the file at a path that an original does not have. */
  strip(path: BytePath, { xattrs = [] }: FileAttributes): void {
    const inode = this.#inode(path);
    const base = basePath(inode);
    const names = new Set([
      ...(base === undefined ? [] : this.#facts.xattrNames(base)),
      ...(inode.staged?.xattrs?.keys() ?? []),
    ]);
    for (const { name } of xattrs) names.delete(name);
    for (const name of names) this.tree.change(inode, { attributes: {}, changed: 0, xattr: { name, value: null } });
  }

  /** One more name. */
  link(existing: BytePath, path: BytePath): void {
    this.tree.link(this.#inode(existing), this.#place(path), this.#time);
  }

  /** Sets attributes; `quietly`, as a side effect that is no change of its own. */
  adjust(path: BytePath, attributes: FileAttributes, quietly: boolean): void {
    this.#change(this.#inode(path), attributes, quietly ? 0 : changedBy(attributes));
  }

  #change(inode: Inode, { xattrs = [], ...attributes }: FileAttributes, changed: number): void {
    const set = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
    this.tree.change(inode, { attributes: set, changed });
    for (const { name, value } of xattrs) {
      this.tree.change(inode, { attributes: {}, changed: 0, xattr: { name, value } });
    }
  }

  /** The directory and name of a path; what the tree does not know on the way is the base's. */
  #place(path: BytePath): Place {
    const names = components(path);
    const name = names.pop();
    if (name === undefined) throw new RangeError('the root has no parent');
    let dir = this.tree.root;
    for (const step of names)
      dir = this.#child({ dir, name: step }) ?? this.tree.scaffold({ dir, name: step }, S_IFDIR, 0 as Ino);
    return { dir, name };
  }

  /** Where the base has today what a commit left at a path; undefined when a later commit has changed it. */
  #leftAt(path: BytePath): BytePath | undefined {
    const { dir, name } = this.#place(path);
    const known = dir.children?.get(name);
    if (known === TOMBSTONE) return undefined;
    if (known === undefined) return dir.base === undefined ? undefined : join(dir.base, name);
    return hasOtherContent(known) ? undefined : basePath(known);
  }

  #inode(path: BytePath): Inode {
    return path === ROOT ? this.tree.root : this.#need(this.#place(path), path);
  }

  #need(at: Place, path: BytePath): Inode {
    const inode = this.#child(at);
    if (inode !== undefined) return inode;
    throw new UserError(
      `${label(path)} was changed outside since it was committed, so what was before cannot be shown`,
      WHERE_TO_GO,
    );
  }

  #child(at: Place): Inode | undefined {
    const known = at.dir.children?.get(at.name);
    if (known !== undefined) return known ?? undefined;
    const stat = at.dir.base === undefined ? undefined : this.#facts.at(at.dir.base, at.name);
    return stat === undefined ? undefined : this.#fromBase(at, stat);
  }

  /** As the live view does, names of one file of the base get one inode. */
  #fromBase(at: Place, stat: Stat): Inode {
    const key = hasSeveralNames(stat) ? keyOf(stat) : undefined;
    const linked = key === undefined ? undefined : this.tree.linked.get(key);
    if (linked !== undefined) {
      if (linked.parent === undefined) linked.base = NATURAL;
      giveName(linked, at);
      return linked;
    }
    const inode = this.tree.scaffold(at, stat.mode, stat.ino as Ino);
    if (key !== undefined) this.tree.change(inode, { attributes: {}, changed: 0, fingerprint: fingerprintOf(stat) });
    return inode;
  }
}

/** Whether a file has more than one name. */
export function hasSeveralNames({ mode, nlink }: Stat): boolean {
  return nlink > 1 && !isDirectory(mode);
}

function keyOf({ dev, ino }: Stat): string {
  return `${dev}:${ino}`;
}

function changedBy({ mode, uid, gid, atime, mtime, xattrs = [] }: FileAttributes): number {
  const owner = uid !== undefined || gid !== undefined;
  const times = atime !== undefined || mtime !== undefined;
  return (
    (mode === undefined ? 0 : CHANGED_MODE) |
    (owner ? CHANGED_OWNER : 0) |
    (times ? CHANGED_TIMES : 0) |
    (xattrs.length > 0 ? CHANGED_XATTR : 0)
  );
}

/**
 * What somebody has changed of the base since the time that is shown. A tree of the past is put over the base of today, and what
 * it overrides there was, before that, what its records say or what the commits since have left. Where it is neither, the tree must not
 * take it for what it has overridden: a commit would write over it.
 */

import {
  type BaseStamp,
  isMoved,
  stampOfDirectory,
  stampOfFile,
  stampOfTree,
  UNKNOWN,
} from '../../staging/base-stamps.ts';
import { basePath, type Fingerprint, fingerprintOf, type Inode, type Time, TOMBSTONE } from '../../staging/inode.ts';
import { isInPlace, stagedDentries } from '../../staging/names/staged-names.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { BytePath, Ino } from '../../sys/bytes.ts';
import { join, splitPath } from '../../sys/bytes.ts';
import { isRegular, S_IFDIR, S_IFLNK, S_IFMT, S_IFREG, type Stat } from '../../sys/stat.ts';
import { type LeftFile, leftPrint } from '../commit/conflict/left-contents.ts';
import type { Facts } from '../diff/facts.ts';

/** Anything else that a commit has made there. */
export interface LeftMade {
  readonly type: number;
  readonly target?: string | undefined;
}

/** What a place of the base was; no stamp: nothing. */
interface Before {
  readonly was: BaseStamp | undefined;
  readonly print?: Fingerprint;
}

/** How far it can be told by what a tree says of a place that somebody has changed it. */
interface Trusted {
  /** What commits have changed since. */
  readonly ours: Ours;
  /** Whether stamps are today what they were then where nobody has changed anything. */
  readonly areStampsSafe: boolean;
}

/** That of nothing that the base could have. */
const NEVER = stampOfTree(stampOfDirectory(0 as Ino), []);

export class Edits {
  readonly #facts: Facts;
  readonly #found = new Map<BytePath, Before>();

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** `path`: in the base; `left`: what the last commit that changed it has left there, undefined: nothing. */
  compare(path: BytePath, left: LeftFile | undefined): void {
    const stat = this.#facts.of(path);
    if (stat === undefined) return;
    if (left === undefined) this.#found.set(path, { was: undefined });
    else {
      const mtime = left.attributes.mtime ?? fingerprintOf(stat).mtime;
      const print = { ...leftPrint(left, mtime), nlink: stat.nlink };
      if (!isAs(stat, print)) this.#found.set(path, { was: stampOfFile(S_IFREG, print), print });
    }
  }

  /** The same of a directory, of whose entries it knows these; of a symlink, or node. */
  compareMade(path: BytePath, { type, target }: LeftMade, known: Inode['children']): void {
    const stat = this.#facts.of(path);
    if (stat === undefined) return;
    const isIt = (stat.mode & S_IFMT) === type && (type !== S_IFLNK || this.#facts.base.readlink(path) === target);
    const hasMore = isIt && type === S_IFDIR && this.#facts.list(path)?.some(({ name }) => !known?.has(name));
    if (!isIt || hasMore) this.#found.set(path, { was: NEVER });
  }

  /** The same of a file that it gave attributes, of which it left the content as it was, with this time. */
  compareTime(path: BytePath, mtime: Time): void {
    const stat = this.#facts.of(path);
    if (stat === undefined || !isRegular(stat.mode)) return;
    const print = { ...fingerprintOf(stat), mtime, ctime: { sec: 0, nsec: 0 } };
    if (!isAs(stat, print)) this.#found.set(path, { was: stampOfFile(S_IFREG, print), print });
  }

  /** The same of a name that it gave to a file, which is at `file`. */
  compareLink(path: BytePath, file: BytePath): void {
    const [stat, other] = [this.#facts.of(path), this.#facts.of(file)];
    if (stat !== undefined && (stat.ino !== other?.ino || stat.dev !== other.dev))
      this.#found.set(path, { was: NEVER });
  }

  /** What a tree says now of places that no commit has changed since. To be called when it has been compared with the base of today. */
  recorded(tree: OverrideTree, { ours, areStampsSafe }: Trusted): () => void {
    const prints = [...filesOf(tree)].flatMap(([path, { type, staged }]) => {
      const print = type === S_IFREG ? staged?.fingerprint : undefined;
      return print === undefined || ours.hasContent(path, print) ? [] : [[path, print] as const];
    });
    const taken = [...takenPlaces(tree)].filter(([path]) => !ours.hasPlace(path));
    const stamps = areStampsSafe ? [...tree.stamps.entries()].filter(([path]) => !ours.hasPlace(path)) : [];
    return () => {
      for (const [path, print] of prints) this.#comparePrint(path, print);
      for (const [path, print] of taken) this.#compareTaken(path, print);
      for (const [path, was] of stamps) this.#compareStamp(path, was, tree.stamps.get(path));
    };
  }

  /** Has a tree that was compared with the base of today say what was there before. */
  keep(tree: OverrideTree): void {
    if (this.#found.size === 0) return;
    const files = filesOf(tree);
    for (const [path, before] of this.#found) {
      const { print } = before;
      const linked = print === undefined ? undefined : tree.linked.get(`${print.dev}:${print.ino}`);
      const staged = (files.get(path) ?? linked)?.staged;
      if (staged !== undefined && print !== undefined) staged.fingerprint = print;
      noteStamp(tree, path, before.was);
    }
  }

  #comparePrint(path: BytePath, print: Fingerprint): void {
    const stat = this.#facts.of(path);
    if (stat === undefined || !isAs(stat, print)) this.#found.set(path, { was: stampOfFile(S_IFREG, print), print });
  }

  /** A place at which there was nothing, or a further name of a file with that print. */
  #compareTaken(path: BytePath, print: Fingerprint | undefined): void {
    const stat = this.#facts.of(path);
    if (stat === undefined || (stat.ino === print?.ino && stat.dev === print.dev)) return;
    this.#found.set(path, { was: print === undefined ? undefined : stampOfFile(S_IFREG, print) });
  }

  /** `now`: of the same place today. */
  #compareStamp(path: BytePath, was: BaseStamp, now: BaseStamp | undefined): void {
    if (now === undefined || was === UNKNOWN || now === was || isMoved(now) !== isMoved(was)) return;
    this.#found.set(path, { was });
  }
}

/** The times that we give a file ourselves, by moving it, do not count. */
function isAs(stat: Stat, { size, mtime }: Fingerprint): boolean {
  return isRegular(stat.mode) && stat.size === size && stat.mtimeSec === mtime.sec && stat.mtimeNsec === mtime.nsec;
}

function filesOf(tree: OverrideTree): Map<BytePath, Inode> {
  const files = new Map<BytePath, Inode>();
  for (const { child } of stagedDentries(tree.root)) {
    const path = child.type === S_IFDIR ? undefined : basePath(child);
    if (path !== undefined) files.set(path, child);
  }
  return files;
}

/** In a directory that is deleted, it is the directory that has changed. */
function noteStamp({ stamps }: OverrideTree, path: BytePath, was: BaseStamp | undefined): void {
  if (stamps.get(path) !== undefined) {
    stamps.drop(path);
    if (was !== undefined) stamps.put(path, was);
    return;
  }
  for (let at = splitPath(path); at !== undefined; at = splitPath(at.dir)) {
    const around = stamps.get(at.dir);
    if (around === undefined || isMoved(around)) continue;
    stamps.drop(at.dir);
    stamps.put(at.dir, NEVER);
    return;
  }
}

/** Places of the base that something else has, or has lost, and of which there is no stamp; of a file with hard links its print. */
function* takenPlaces({ root, stamps }: OverrideTree): Generator<[BytePath, Fingerprint | undefined]> {
  for (const { dir, name, child } of stagedDentries(root)) {
    if (dir.base === undefined || isInPlace(dir, name, child)) continue;
    const path = join(dir.base, name);
    const print = child.type === S_IFDIR ? undefined : child.staged?.fingerprint;
    if (stamps.get(path) === undefined) yield [path, print !== undefined && print.nlink > 1 ? print : undefined];
  }
}

/** What a tree has changed of the base. */
export class Ours {
  readonly #places = new Set<BytePath>();
  /** Files that it shows somewhere, also with other attributes: whether their content is another. */
  readonly #originals = new Map<BytePath, boolean>();
  /** Files with hard links of which the content is another, by their numbers. */
  readonly #linked = new Set<string>();

  constructor({ root, linked }: OverrideTree) {
    this.#walk(root);
    for (const [key, inode] of linked) if (hasOtherContent(inode)) this.#linked.add(key);
  }

  /** Whether it has changed a place, or something below it. */
  hasPlace(path: BytePath): boolean {
    return this.#places.has(path);
  }

  /** Whether it has changed the content that a file at this place has, or had by any of its names. */
  hasContent(path: BytePath, { dev, ino }: Fingerprint): boolean {
    return (this.#originals.get(path) ?? this.#places.has(path)) || this.#linked.has(`${dev}:${ino}`);
  }

  #walk(dir: Inode): void {
    for (const [name, child] of dir.children ?? []) {
      const isStaged = child === TOMBSTONE || child.staged !== undefined;
      if (isStaged && dir.base !== undefined) this.#add(join(dir.base, name));
      if (child === TOMBSTONE) continue;
      const own = isStaged ? basePath(child) : undefined;
      if (own !== undefined) {
        this.#add(own);
        this.#originals.set(own, hasOtherContent(child));
      }
      if (child.children !== undefined) this.#walk(child);
    }
  }

  #add(path: BytePath): void {
    for (let at: BytePath | undefined = path; at !== undefined && !this.#places.has(at); at = splitPath(at)?.dir)
      this.#places.add(at);
  }
}

/** Whether it has lost what the base has as its content, and when that was written. */
export function hasOtherContent({ staged }: Inode): boolean {
  return staged !== undefined && (staged.object !== 0 || staged.attributes.mtime !== undefined);
}

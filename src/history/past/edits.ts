/**
 * What somebody has changed of the base since the time that is shown. A tree of the past is put over the base of today, and what
 * it overrides there was, before that, what its records say or what the commits since have left. Where it is neither, the tree must not
 * take it for what it has overridden: a commit would write over it.
 */
import { basePath, type Fingerprint, fingerprintOf, type Inode, type Time, TOMBSTONE } from '../../staging/inode.ts';
import { isMoved, type Mark, markOfDirectory, markOfFile, markOfTree, UNKNOWN } from '../../staging/marks.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { BytePath, Ino } from '../../sys/bytes.ts';
import { join, splitPath } from '../../sys/bytes.ts';
import { isRegular, S_IFDIR, S_IFREG, type Stat } from '../../sys/stat.ts';
import type { FileAttributes } from '../apply/attributes.ts';
import type { Facts } from '../compare/facts.ts';
import { stagedDentries } from '../compare/origins.ts';

/** A file that a commit put into the base. */
export interface Left {
  readonly id: { readonly dev: number; readonly ino: number };
  readonly size: number;
  readonly attributes: FileAttributes;
}

/** What a place of the base was; no mark: nothing. */
interface Before {
  readonly was: Mark | undefined;
  readonly print?: Fingerprint;
}

/** How far it can be told by what a tree says of a place that somebody has changed it. */
interface Trusted {
  /** Whether a commit has changed it since. */
  readonly isOurs: (path: BytePath) => boolean;
  /** Whether marks are today what they were then where nobody has changed anything. */
  readonly isMarkSafe: boolean;
}

/** That of no directory. */
const NO_DIRECTORY = markOfTree(markOfDirectory(0 as Ino), []);

export class Edits {
  readonly #facts: Facts;
  readonly #found = new Map<BytePath, Before>();

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** `path`: in the base; `left`: what the last commit that changed it has left there, undefined: nothing. */
  compare(path: BytePath, left: Left | undefined): void {
    const stat = this.#facts.of(path);
    if (stat === undefined) return;
    if (left === undefined) this.#found.set(path, { was: undefined });
    else {
      const mtime = left.attributes.mtime ?? fingerprintOf(stat).mtime;
      const print = { ...leftPrint(left, mtime), nlink: stat.nlink };
      if (!isAs(stat, print)) this.#found.set(path, { was: markOfFile(S_IFREG, print), print });
    }
  }

  /** What a tree says now of places that no commit has changed since. To be called when it has been compared with the base of today. */
  recorded(tree: OverrideTree, { isOurs, isMarkSafe }: Trusted): () => void {
    const prints = [...filesOf(tree)].flatMap(([path, { type, staged }]) => {
      const print = type === S_IFREG && !isOurs(path) ? staged?.fingerprint : undefined;
      // What is written to it by another of its names is not told of this one.
      return print === undefined || print.nlink > 1 ? [] : [[path, print] as const];
    });
    const marks = isMarkSafe ? [...tree.marks.entries()].filter(([path]) => !isOurs(path)) : [];
    return () => {
      for (const [path, print] of prints) this.#comparePrint(path, print);
      for (const [path, was] of marks) this.#compareMark(path, was, tree.marks.get(path));
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
      mark(tree, path, before.was);
    }
  }

  #comparePrint(path: BytePath, print: Fingerprint): void {
    const stat = this.#facts.of(path);
    if (stat === undefined || !isAs(stat, print)) this.#found.set(path, { was: markOfFile(S_IFREG, print), print });
  }

  /** `now`: of the same place today. */
  #compareMark(path: BytePath, was: Mark, now: Mark | undefined): void {
    if (now === undefined || was === UNKNOWN || now === was || isMoved(now) !== isMoved(was)) return;
    this.#found.set(path, { was });
  }
}

/** What is known of a file that a commit put into the base; nobody knows which ctime it got. */
export function leftPrint(
  { id: { dev, ino }, size }: Omit<Left, 'attributes'>,
  mtime: Time,
): Omit<Fingerprint, 'nlink'> {
  return { dev, ino, size, mtime, ctime: { sec: 0, nsec: 0 } };
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
function mark({ marks }: OverrideTree, path: BytePath, was: Mark | undefined): void {
  if (marks.get(path) !== undefined) {
    marks.drop(path);
    if (was !== undefined) marks.put(path, was);
    return;
  }
  for (let at = splitPath(path); at !== undefined; at = splitPath(at.dir)) {
    const around = marks.get(at.dir);
    if (around === undefined || isMoved(around)) continue;
    marks.drop(at.dir);
    marks.put(at.dir, NO_DIRECTORY);
    return;
  }
}

/** Whether a tree has changed a place of the base, or something below it. */
export function changedPlaces(tree: OverrideTree): (path: BytePath) => boolean {
  const places = new Set<BytePath>();
  const add = (path: BytePath): void => {
    for (let at: BytePath | undefined = path; at !== undefined && !places.has(at); at = splitPath(at)?.dir)
      places.add(at);
  };
  const walk = (dir: Inode): void => {
    for (const [name, child] of dir.children ?? []) {
      const isStaged = child === TOMBSTONE || child.staged !== undefined;
      if (isStaged && dir.base !== undefined) add(join(dir.base, name));
      const own = isStaged && child !== TOMBSTONE ? basePath(child) : undefined;
      if (own !== undefined) add(own);
      if (child?.children !== undefined) walk(child);
    }
  };
  walk(tree.root);
  for (const [path] of tree.marks.entries()) add(path);
  return (path) => places.has(path);
}

/**
 * Makes the steps of a commit; reads the override tree and facts, changes nothing. One walk over the override
 * tree, parents before children, sorts what it finds into phases, and the order of the phases is what makes
 * swaps, rotations and nested moves come out right:
 *
 *     keep      nothing; when it is taken back, last of all, directories get their times back
 *     rewrite   content of files that keep their inode, while everything is where the base has it
 *     save      what moves gets a temporary name in its own directory, so that every name is free
 *     aside     what is deleted or replaced gets a temporary name, too
 *     place     directories and files get to where the view has them, parents first
 *     link      further names
 *     adjust    attributes of files
 *     finish    attributes of directories, children before parents: all of the above changed their times
 */
import type { Dentry, Inode } from '../../../staging/inode.ts';
import { basePath, TOMBSTONE, viewPath } from '../../../staging/inode.ts';
import { isInPlace } from '../../../staging/names/staged-names.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';
import type { BytePath, Name } from '../../../sys/bytes.ts';
import { join, ROOT } from '../../../sys/bytes.ts';
import type { Stat } from '../../../sys/stat.ts';
import { isDirectory, S_IFDIR, S_IFREG } from '../../../sys/stat.ts';
import type { Facts } from '../../diff/facts.ts';
import { listIfCheap } from '../../diff/levels.ts';
import { isAtHome } from '../../diff/origins.ts';
import type { Directory, Slot } from '../apply/directories.ts';
import { Draft, identityOf } from './draft.ts';
import type { Target } from './file-steps.ts';
import { FileSteps } from './file-steps.ts';
import { MovesOut } from './moves-out.ts';
import { adjustment, attributesOfNew } from './wanted.ts';

const RESTORED_MODE = 0o755;

/** A file with several names: one that it has in the base already, and those that it gets. */
interface Names {
  anchor: Target | undefined;
  readonly others: Target[];
}

/** A directory of the view on the walk. */
interface Visit {
  readonly dir: Inode;
  readonly directory: Directory;
  readonly path: BytePath;
  /** Names the base has in its base entry, if they were listed. */
  readonly baseNames: ReadonlySet<Name> | undefined;
}

export class Planner {
  readonly #tree: OverrideTree;
  readonly #facts: Facts;
  readonly #draft: Draft;
  readonly #files: FileSteps;
  readonly #names = new Map<Inode, Names>();
  /** Changed files of the base with hard links, of which the walk has not met a name yet. */
  readonly #unmet: Set<Inode>;

  constructor(tree: OverrideTree, options: { facts: Facts; project: BytePath; backups: BytePath }) {
    this.#tree = tree;
    this.#facts = options.facts;
    this.#unmet = new Set(tree.linked.values());
    this.#draft = new Draft({ ...options, movesOut: new MovesOut(tree.root, options.facts) });
    this.#files = new FileSteps(this.#draft);
  }

  plan(): Draft {
    this.#files.save();
    this.#directory(this.#tree.root, this.#draft.directories.ofBase(ROOT), ROOT);
    for (const [inode, names] of this.#names) this.#severalNames(inode, names);
    for (const inode of this.#unmet) this.#unseen(inode);
    for (const [directory, path] of this.#draft.directories.worked) this.#keep(directory, path);
    return this.#draft;
  }

  #directory(dir: Inode, directory: Directory, path: BytePath): void {
    const names = [...(dir.children ?? [])].filter(([, child]) => child === TOMBSTONE || child.staged !== undefined);
    const { base } = dir;
    const baseNames = base === undefined ? undefined : listIfCheap(base, names.length, this.#facts);
    const visit = { dir, directory, path, baseNames };
    for (const [name, child] of names.sort(inStoreOrder)) {
      if (child === TOMBSTONE) this.#clear(visit, name, false);
      else this.#child(visit, name, child);
    }
    this.#finish(visit);
  }

  #child(visit: Visit, name: Name, child: Inode): void {
    const path = join(visit.path, name);
    const slot = { dir: visit.directory, name };
    this.#unmet.delete(child);
    const home = isAtHome({ dir: visit.dir, name }, child, this.#facts);
    if (child.type === S_IFDIR) this.#childDirectory(visit, { slot, path, home }, child);
    else if ((child.staged?.nlink ?? 1) > 1) this.#oneOfSeveral(visit, { slot, path, home }, child);
    else if (home) {
      this.#noteContent(visit, child);
      this.#files.stay(child, { slot, path, over: undefined });
    } else if (this.#draft.movesOut.isLost(child)) this.#clear(visit, name, false);
    else this.#files.arrive(child, { slot, path, over: this.#clear(visit, name, this.#isPlaced(child)) }, undefined);
  }

  /** Whether the inode gets to its place as content from the store, not as an entry of the base that moves. */
  #isPlaced(child: Inode): boolean {
    const origin = basePath(child);
    return child.type === S_IFREG && (origin === undefined || this.#draft.movesOut.leaving.get(origin) !== child);
  }

  /** New content is put in the place of the old one by a rename in this directory. */
  #noteContent(visit: Visit, child: Inode): void {
    if (child.staged !== undefined && child.staged.object !== 0) this.#draft.works(visit.dir, visit.directory);
  }

  #childDirectory(visit: Visit, at: { slot: Slot; path: BytePath; home: boolean }, child: Inode): void {
    const directory = this.#draft.directories.ofInode(child, visit.directory, at.slot.name);
    if (at.home && this.#isLost(child)) {
      // Nothing is left to change there; what is made in it needs the directory back.
      if (!bringsContent(child)) return;
      this.#clear(visit, at.slot.name, false);
      this.#draft.restored.add(directory);
      this.#files.restore(child, at);
    } else if (!at.home) {
      const over = this.#clear(visit, at.slot.name, false);
      this.#files.arrive(child, { slot: at.slot, path: at.path, over }, directory);
    }
    this.#directory(child, directory, at.path);
  }

  #isLost({ base }: Inode): boolean {
    const stat = base === undefined ? undefined : this.#facts.of(base);
    return stat === undefined || !isDirectory(stat.mode);
  }

  #oneOfSeveral(visit: Visit, at: { slot: Slot; path: BytePath; home: boolean }, child: Inode): void {
    const names = this.#names.get(child) ?? { anchor: undefined, others: [] };
    this.#names.set(child, names);
    const target = { slot: at.slot, path: at.path, over: undefined };
    if (!at.home) {
      this.#clear(visit, at.slot.name, false);
      names.others.push(target);
    } else {
      names.anchor ??= target;
      this.#noteContent(visit, child);
    }
  }

  #severalNames(inode: Inode, { anchor, others }: Names): void {
    const [first, ...rest] = anchor === undefined ? others : [anchor, ...others];
    if (first === undefined) return;
    if (anchor === undefined) this.#files.arrive(inode, first, undefined);
    else this.#files.stay(inode, anchor);
    for (const { slot: at, path } of rest) {
      this.#draft.add('link', { do: 'link', from: first.slot, at, path, spare: this.#draft.spareName() });
    }
  }

  /** A file with several names in the base that was changed through one which then was removed. */
  #unseen(inode: Inode): void {
    const path = basePath(inode);
    const staged = inode.staged;
    if (staged === undefined || path === undefined || staged.nlink === 0) return;
    // Somebody may have met it by another name, where nothing else is staged.
    const told = { path: viewPath(inode) ?? path, slot: this.#standing(inode) };
    if (staged.object !== 0) this.#files.rewrite(inode, told);
    else this.#files.adjustUnseen(inode, told);
  }

  /** The name that a file of the base has in the view, if it has it in the base. */
  #standing(inode: Inode): Slot | undefined {
    const { parent: dir, name } = inode;
    if (dir?.base === undefined || viewPath(inode) === undefined) return undefined;
    if (!isAtHome({ dir, name }, inode, this.#facts)) return undefined;
    return { dir: this.#draft.directories.ofBase(dir.base), name };
  }

  /**
   * Frees a name that the view gives to something else, or to nothing. With `keepFile` a file of the base stays
   * to be replaced in one action; returns what it is like.
   */
  #clear({ dir, directory, baseNames }: Visit, name: Name, keepFile: boolean): Stat | undefined {
    this.#draft.works(dir, directory);
    if (dir.base === undefined || baseNames?.has(name) === false) return undefined;
    const path = join(dir.base, name);
    const stat = this.#facts.at(dir.base, name);
    if (stat === undefined || this.#draft.movesOut.leaving.has(path)) return undefined;
    if (keepFile && !isDirectory(stat.mode)) return stat;
    this.#draft.setAside({ path, why: 'aside', stat });
    return undefined;
  }

  #keep(directory: Directory, path: BytePath): void {
    const stat = this.#facts.of(path);
    if (stat === undefined) return;
    const before = { mtime: { sec: stat.mtimeSec, nsec: stat.mtimeNsec } };
    this.#draft.add('keep', {
      do: 'adjust',
      at: directory,
      id: identityOf(stat),
      path,
      attributes: {},
      before,
      lenient: true,
      says: undefined,
    });
  }

  /** Attributes of a directory, when all that changes its times is done. */
  #finish(visit: Visit): void {
    const { dir, directory, path } = visit;
    const isRestored = this.#draft.restored.has(directory);
    if (dir.base !== undefined && !isRestored) {
      this.#finishOriginal(visit, dir.base);
      return;
    }
    const own = attributesOfNew(dir);
    // What mode it had before is not known any more.
    const attributes = isRestored ? { ...own, mode: own.mode ?? RESTORED_MODE } : own;
    this.#draft.add('finish', {
      do: 'adjust',
      at: directory,
      id: undefined,
      path,
      attributes,
      before: {},
      lenient: false,
      says: undefined,
    });
  }

  #finishOriginal({ dir, directory, path }: Visit, base: BytePath): void {
    const worked = this.#draft.directories.worked.has(directory);
    if (!worked && !isAdjusted(dir)) return;
    const stat = this.#facts.of(base);
    if (stat === undefined || !isDirectory(stat.mode)) {
      this.#draft.refuse(base, 'it is not a directory any more');
      return;
    }
    this.#draft.modes.set(directory, dir.staged?.attributes.mode ?? stat.mode & 0o7777);
    const change = adjustment(dir, { path: base, stat }, this.#facts);
    if (change === undefined && !worked) return;
    const mtime = dir.staged?.attributes.mtime ?? { sec: stat.mtimeSec, nsec: stat.mtimeNsec };
    const attributes = worked ? { ...change?.attributes, mtime } : (change?.attributes ?? {});
    const lenient = (dir.staged?.changed ?? 0) === 0;
    const { before = {}, says } = change ?? {};
    const id = identityOf(stat);
    this.#draft.add('finish', { do: 'adjust', at: directory, id, path, attributes, before, lenient, says });
  }
}

/** Whether something below is to be put there. */
function bringsContent(dir: Inode): boolean {
  return [...(dir.children ?? [])].some(([name, child]) => {
    if (child === TOMBSTONE || child.staged === undefined) return false;
    if (!isInPlace(dir, name, child)) return true;
    return child.type === S_IFDIR ? bringsContent(child) : child.staged.object !== 0;
  });
}

function isAdjusted(dir: Inode): boolean {
  const { ctime: _, ...attributes } = dir.staged?.attributes ?? {};
  return Object.keys(attributes).length > 0 || dir.staged?.xattrs !== undefined;
}

/**
 * By content object, then by name: neighbours in the store were made one after the other, and taking them in that
 * order halves the time that 100,000 renames take on ext4.
 */
function inStoreOrder([a, x]: [Name, Dentry], [b, y]: [Name, Dentry]): number {
  return (x?.staged?.object ?? 0) - (y?.staged?.object ?? 0) || (a < b ? -1 : 1);
}

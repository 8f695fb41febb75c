/**
 * From a name to an inode: the override tree first, then the base. Keeps one inode for all names of a base file
 * with several, and notices when a base file is not the one the kernel was told about.
 */
import { type BytePath, type Ino, join } from '../sys/bytes.ts';
import type { Errno } from '../sys/errno.ts';
import { ENOENT, ESTALE, OK } from '../sys/errno.ts';
import { appendTo } from '../sys/grouped.ts';
import type { Stat } from '../sys/stat.ts';
import { S_IFDIR, S_IFMT, S_IFREG } from '../sys/stat.ts';
import { small } from './compact.ts';
import { isAsSeen, isVersionSeen, noteSeen } from './copy-up/seen-version.ts';
import { basePath, Inode, NATURAL, TOMBSTONE, viewPath } from './inode.ts';
import type { Layers } from './layers.ts';
import { giveName, giveOwnName } from './names/hard-links.ts';
import type { Place } from './override-tree.ts';

/** Of the layers, those that say what is there. */
type ReadLayers = Pick<Layers, 'tree' | 'base' | 'files'>;

export class Resolver {
  readonly #layers: ReadLayers;
  /** Called with attributes that were read on the way, so that nobody reads them twice. */
  readonly #learned: (inode: Inode, stat: Stat) => void;
  /** Base files with several names, while the kernel knows them: their further names and their key in `tree.linked`. */
  readonly #moreNames = new Map<Inode, Place[]>();
  readonly #linkKeys = new Map<Inode, string>();
  /** Where files were that the base has changed since: somebody may have them open. */
  readonly #former = new WeakMap<Inode, Place>();

  /** Base files that have changed, of which the kernel is about to learn: their names go on meaning the same node. */
  readonly awaited = new Set<Inode>();

  constructor(layers: ReadLayers, learned: (inode: Inode, stat: Stat) => void) {
    this.#layers = layers;
    this.#learned = learned;
  }

  /**
   * Where the base has what has that name: there, if it has anything of that name there, else where its base entry is. Of a file with several
   * names each is one of its own. Undefined: nothing is there, or what was born in the view.
   */
  baseOf({ dir, name }: Place): BytePath | undefined {
    const known = dir.children?.get(name);
    if (known === TOMBSTONE || (known !== undefined && known.base === undefined)) return undefined;
    if (dir.base !== undefined && this.#layers.base.stat(dir.base, name) !== ENOENT) return join(dir.base, name);
    return known === undefined ? undefined : basePath(known);
  }

  /** The inode a name stands for now; makes one for a base entry that was not known yet. */
  child(at: Place): Inode | Errno {
    const known = at.dir.children?.get(at.name);
    if (known === TOMBSTONE) return ENOENT;
    if (known !== undefined && !this.#mayHaveDrifted(known, at)) return known;
    const dirBase = at.dir.base;
    if (dirBase === undefined) return known ?? ENOENT;
    // What changes from now on is told: what is read now may be kept for long.
    this.#layers.base.watch(dirBase);
    const stat = this.#layers.base.stat(dirBase, at.name);
    if (typeof stat === 'number') {
      if (known !== undefined) this.#forgetDrifted(known, at);
      return stat;
    }
    if (known !== undefined) {
      const isOne = isSameOne(known, stat);
      // It is known as it was until the kernel has dropped its pages, also if its size and time are the same again.
      if (isOne && this.awaited.has(known)) return known;
      if (sameFile(known, stat)) {
        this.#learned(known, stat);
        return known;
      }
      if (isOne) this.forgetChanged(known);
      else this.#forgetDrifted(known, at);
    }
    return this.#fromBase(at, stat);
  }

  /**
   * Something happened in the base to a name of a file that the kernel knows: whether it is another file now, or none ('gone'); the
   * same with other content ('changed'), of another size ('resized'), changed and with its time set back ('dated'); or just as it was.
   */
  look(at: Place): 'gone' | 'changed' | 'resized' | 'dated' | 'same' {
    const known = at.dir.children?.get(at.name);
    if (!known || known.staged !== undefined || at.dir.base === undefined) return 'same';
    const stat = this.#layers.base.stat(at.dir.base, at.name);
    if (typeof stat === 'number' || !isSameOne(known, stat)) {
      // Any other one is asked about with the next lookup: until then what is written to it has a name.
      if (known.children !== undefined || this.hasMoreNames(known)) this.#forgetDrifted(known, at);
      return 'gone';
    }
    if (known.type !== S_IFREG || isVersionSeen(known, stat)) return 'same';
    if (isAsSeen(known, stat)) return 'dated';
    return known.seenSize === stat.size ? 'changed' : 'resized';
  }

  /**
   * Before attributes of a file are changed. ESTALE: the base has it where it was known, with other content since, and the kernel another
   * node for it. One that has been replaced there, or removed, goes on by its other names, or without a name, as outside; but one that is
   * about to be written keeps its name, or what is written would have none.
   */
  settle(inode: Inode): Errno {
    const { parent, name, staged, type, base } = inode;
    const at = parent === undefined ? this.#former.get(inode) : { dir: parent, name };
    const isTheBase = staged === undefined && type === S_IFREG && (parent === undefined || base === NATURAL);
    if (at?.dir.base === undefined || !isTheBase) return OK;
    const stat = this.#layers.base.stat(at.dir.base, at.name);
    if (typeof stat === 'number' ? stat !== ENOENT : isSameOne(inode, stat))
      return parent === undefined && typeof stat !== 'number' && !isAsSeen(inode, stat) ? ESTALE : OK;
    if (parent !== undefined && this.#layers.files.pinned(inode) === undefined) this.#forgetDrifted(inode, at);
    return OK;
  }

  /**
   * A file that the base has changed gets the name back that it was known by, if the base still has it there. Returns the
   * places that meant another inode; 'taken' when that one has changes; undefined for any other inode.
   */
  giveBack(inode: Inode): readonly Place[] | 'taken' | undefined {
    const at = this.#former.get(inode);
    const now = at?.dir.children?.get(at.name);
    if (at?.dir.base === undefined || now === TOMBSTONE || viewPath(at.dir) === undefined) return undefined;
    if (now?.staged !== undefined) return now.ino === inode.ino ? 'taken' : undefined;
    const stat = this.#layers.base.stat(at.dir.base, at.name);
    if (typeof stat === 'number' || !isSameOne(inode, stat)) return undefined;
    const places = now === undefined ? [] : this.placesOf(now);
    if (now !== undefined) this.forgetChanged(now);
    this.#former.delete(inode);
    giveOwnName(inode, at);
    Object.assign(inode, { base: NATURAL, stale: false });
    this.#rememberLink(inode, linkKeyOf(stat));
    return [at, ...places];
  }

  /** The kernel let go of an inode that is merely the base's: it is found there again when it is needed. */
  release(inode: Inode): void {
    this.awaited.delete(inode);
    if (inode.parent?.children?.get(inode.name) === inode) inode.parent.children.delete(inode.name);
    for (const at of this.#moreNames.get(inode) ?? []) {
      if (at.dir.children?.get(at.name) === inode) at.dir.children.delete(at.name);
    }
    this.#moreNames.delete(inode);
    this.#forgetLink(inode);
  }

  /** Whether a file is known to have several names, here or in the base. */
  hasMoreNames(inode: Inode): boolean {
    return this.#linkKeys.has(inode) || this.#moreNames.has(inode) || (inode.staged?.fingerprint?.nlink ?? 1) > 1;
  }

  /** The places at which an inode was found. */
  placesOf(inode: Inode): Place[] {
    const own = inode.parent === undefined ? [] : [{ dir: inode.parent, name: inode.name }];
    return [...own, ...(this.#moreNames.get(inode) ?? [])];
  }

  /** Takes an inode out of all the places where the base has it, and forgets that it may have several; returns them. */
  dropNames(inode: Inode): Place[] {
    const places = this.placesOf(inode);
    this.#moreNames.delete(inode);
    this.#forgetLink(inode);
    return places.filter(({ dir, name }) => dir.children?.get(name) === inode && dir.children.delete(name));
  }

  /** Which files have several names is to be learned anew, as the base has changed as a whole; returns those that had. */
  forgetLinks(): ReadonlySet<Inode> {
    const linked = new Set([...this.#linkKeys.keys(), ...this.#moreNames.keys(), ...this.#layers.tree.linked.values()]);
    this.#moreNames.clear();
    this.#linkKeys.clear();
    this.#layers.tree.linked.clear();
    return linked;
  }

  /** The same where the names in the view stay as they are: only which file of the base they are of is to be learned. */
  forgetLinkKeys(): void {
    this.#linkKeys.clear();
    this.#layers.tree.linked.clear();
  }

  /** A name that is known already, and what the base says about it. */
  learnLink(inode: Inode, at: Place, stat: Stat): void {
    if (inode.parent === at.dir && inode.name === at.name) this.#rememberLink(inode, linkKeyOf(stat));
    else appendTo(this.#moreNames, inode, at);
  }

  /** Only what is exactly the base's can drift; an overridden name keeps what it overrides. */
  #mayHaveDrifted(inode: Inode, { dir }: Place): boolean {
    if (inode.staged !== undefined || dir.base === undefined) return false;
    return inode.stale || inode.nodeId === 0 || !this.#layers.base.watch(dir.base);
  }

  /** A name stands for something else now, or for nothing; a file that has others goes on by those. */
  #forgetDrifted(inode: Inode, at: Place): void {
    at.dir.children?.delete(at.name);
    this.#layers.files.retain(inode);
    this.#forgetBelow(inode);
    const isOwn = inode.parent === at.dir && inode.name === at.name;
    const others = this.#moreNames.get(inode)?.filter(({ dir, name }) => dir !== at.dir || name !== at.name) ?? [];
    const next = isOwn ? others.shift() : undefined;
    if (others.length > 0) this.#moreNames.set(inode, others);
    else this.#moreNames.delete(inode);
    if (!isOwn) return;
    if (next === undefined) {
      this.#forgetLink(inode);
      if (inode.base === NATURAL) inode.base = basePath(inode);
    } else inode.name = next.name;
    inode.parent = next?.dir;
  }

  /** Where a directory was are other files now: what has names in it and elsewhere goes on by those. */
  #forgetBelow(dir: Inode): void {
    for (const [name, child] of dir.children ?? []) {
      if (child === TOMBSTONE || child.staged !== undefined) continue;
      if (child.children !== undefined) this.#forgetBelow(child);
      else if (this.hasMoreNames(child)) this.#forgetDrifted(child, { dir, name });
    }
  }

  /** The same file of the base with other content: by all of its names it is another one for the kernel. */
  forgetChanged(inode: Inode): void {
    this.awaited.delete(inode);
    const base = basePath(inode);
    if (inode.parent !== undefined) this.#former.set(inode, { dir: inode.parent, name: inode.name });
    this.dropNames(inode);
    if (inode.base === NATURAL) inode.base = base;
    inode.parent = undefined;
    this.#layers.files.forget(inode);
  }

  /** An inode without a name for who has a file open, of which the kernel gets another node, as it does of any that the base has changed. */
  asItWas(inode: Inode): Inode {
    const { type, ino, parent: dir, name, seenSize, seenMtime, seenCtime, seenLinks } = inode;
    const old = Object.assign(new Inode(type, ino, basePath(inode)), { seenSize, seenMtime, seenCtime, seenLinks });
    if (dir !== undefined) this.#former.set(old, { dir, name });
    return old;
  }

  #fromBase(at: Place, stat: Stat): Inode {
    const linkKey = linkKeyOf(stat);
    const linked = linkKey === undefined ? undefined : this.#layers.tree.linked.get(linkKey);
    if (linked !== undefined) return this.#anotherName(linked, at);
    const inode = this.#layers.tree.scaffold(at, stat.mode & S_IFMT, stat.ino as Ino);
    remember(inode, stat);
    this.#learned(inode, stat);
    this.#rememberLink(inode, linkKey);
    return inode;
  }

  #forgetLink(inode: Inode): void {
    const key = this.#linkKeys.get(inode);
    if (key === undefined) return;
    this.#linkKeys.delete(inode);
    // After an abort the key may be that of another inode, which was found in the base since.
    if (this.#layers.tree.linked.get(key) === inode) this.#layers.tree.linked.delete(key);
  }

  #rememberLink(inode: Inode, linkKey: string | undefined): void {
    if (linkKey === undefined) return;
    this.#layers.tree.linked.set(linkKey, inode);
    this.#linkKeys.set(inode, linkKey);
  }

  /** A further base name of a file that is known by another one. */
  #anotherName(inode: Inode, at: Place): Inode {
    if (inode.parent !== undefined) appendTo(this.#moreNames, inode, at);
    giveName(inode, at);
    return inode;
  }
}

/** Whether it is that very file, in whatever state. */
export function isSameOne(inode: Inode, stat: Stat): boolean {
  return (stat.mode & S_IFMT) === inode.type && (inode.ino === 0 || inode.ino === stat.ino);
}

/** What names of one base file have in common; undefined for a file with one name. */
function linkKeyOf(stat: Stat): string | undefined {
  return stat.nlink > 1 && (stat.mode & S_IFMT) !== S_IFDIR ? `${stat.dev}:${stat.ino}` : undefined;
}

/** Notes what the base looked like, so that a later lookup can tell that it changed. */
export function remember(inode: Inode, stat: Parameters<typeof noteSeen>[1] & Pick<Stat, 'ino'>): void {
  inode.ino = small(stat.ino) as Ino;
  noteSeen(inode, stat);
}

/** Whether it is the file that was found, as it was then. */
export function isAsFound(inode: Inode, stat: Stat): boolean {
  return isSameOne(inode, stat) && isAsSeen(inode, stat);
}

/**
 * Whether the base still has the same file in the same state. A changed regular file gets a new node id: under
 * the write-back cache the kernel would go on believing its own size and time of the old one.
 */
function sameFile(inode: Inode, stat: Stat): boolean {
  if (!isSameOne(inode, stat)) return false;
  if (inode.type === S_IFREG && inode.ino !== 0 && !isAsSeen(inode, stat)) return false;
  remember(inode, stat);
  return true;
}

/** The steps for single inodes: to be at a place with the content and the attributes they have in the view. */
import type { Inode } from '../../../staging/inode.ts';
import { basePath } from '../../../staging/inode.ts';
import type { BytePath } from '../../../sys/bytes.ts';
import type { Stat } from '../../../sys/stat.ts';
import { isDirectory, S_IFDIR, S_IFMT, S_IFREG } from '../../../sys/stat.ts';
import { lacking } from '../apply/attributes.ts';
import type { Directory, Slot } from '../apply/directories.ts';
import type { Draft } from './draft.ts';
import { identityOf, looksOf, seenAlone, seenOf } from './draft.ts';
import type { Original } from './wanted.ts';
import { adjustment, attributesOfContent, attributesOfNew, beforeOf, changedXattrs } from './wanted.ts';

/** Where an inode is to be, and what is there in the base. */
export interface Target {
  readonly slot: Slot;
  readonly path: BytePath;
  /** The file of the base that is there and is to be replaced. */
  readonly over: Stat | undefined;
}

/** A file of the base that stays what it is: by which path people are told of it, and a name that it has before and after. */
export interface FileSpot {
  readonly path: BytePath;
  readonly slot?: Slot | undefined;
}

export class FileSteps {
  readonly #draft: Draft;
  /** Base path -> temporary place of what moves. */
  readonly #saved = new Map<BytePath, Slot>();

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  /** Plans the `save` phase. */
  save(): void {
    const { movesOut, directories, facts } = this.#draft;
    for (const [path, inode] of movesOut.leaving) {
      if (inode.type === S_IFDIR) directories.ofBase(path);
      const stat = facts.of(path);
      const isThere = stat !== undefined && (stat.mode & S_IFMT) === inode.type;
      if (!isThere) this.#draft.refuse(path, 'it was renamed, but the original is not there any more');
      const slot = isThere ? this.#draft.setAside({ path, why: 'save', stat }) : undefined;
      if (slot !== undefined) this.#saved.set(path, slot);
    }
  }

  /** An inode whose base entry is at its place already: content or attributes. */
  stay(inode: Inode, target: Target): void {
    const original = this.#original(inode);
    if (inode.staged === undefined || inode.staged.object === 0) {
      if (original !== undefined && (original.stat.mode & S_IFMT) === inode.type) this.#adjust(inode, target, original);
    } else if (original === undefined || (original.stat.mode & S_IFMT) !== S_IFREG) {
      this.#stayInstead(inode, target, original);
    } else if (this.#draft.movesOut.mustRewrite(original.stat)) {
      this.rewrite(inode, target);
    } else {
      this.#content(inode, { ...target, over: original.stat }, original);
    }
  }

  /** An inode that is made at its place, or moved there. `directory` is its object, if it is one. */
  arrive(inode: Inode, target: Target, directory: Directory | undefined): void {
    const origin = basePath(inode);
    if (origin === undefined) {
      if (inode.type === S_IFREG) this.#content(inode, target, undefined);
      else this.#make(inode, target);
    } else if (this.#draft.movesOut.leaving.get(origin) === inode) {
      this.#move(inode, { ...target, origin, directory });
    } else if (inode.staged !== undefined && inode.staged.object !== 0) {
      this.#content(inode, target, this.#original(inode));
    } else {
      this.#draft.refuse(target.path, 'its original is not where it was in the base any more');
    }
  }

  /** A directory whose base entry is not there any more. */
  restore(dir: Inode, { slot, path }: Pick<Target, 'slot' | 'path'>): void {
    this.#make(dir, { slot, path, over: undefined });
  }

  /** New content for a file of the base, before anything moves. `slot`: a name that it keeps, if it has several and one is known. */
  rewrite(inode: Inode, { path, slot }: FileSpot): void {
    const original = this.#original(inode);
    const at = slot ?? (original && this.#draft.directories.base(original.path));
    const stat = this.#objectStat(inode, path);
    if (original === undefined || at === undefined || stat === undefined || inode.staged === undefined) return;
    const { facts } = this.#draft;
    const xattrs = changedXattrs(inode, original.path, facts);
    this.#draft.add('rewrite', {
      do: 'rewrite',
      object: inode.staged.object,
      path,
      at,
      id: identityOf(original.stat),
      size: stat.size,
      kept: this.#draft.keptName(),
      attributes: { ...attributesOfContent(inode, { object: stat, original }, facts), xattrs },
      before: beforeOf(xattrs, original, facts),
      seen: seenOf(original.stat),
    });
  }

  /** Attributes of a file of the base, before anything moves; `slot` as for `rewrite`. */
  adjustUnseen(inode: Inode, { path, slot }: FileSpot): void {
    const original = this.#original(inode);
    const at = slot ?? (original && this.#draft.directories.base(original.path));
    const change = original === undefined ? undefined : adjustment(inode, original, this.#draft.facts);
    if (at !== undefined && change !== undefined) {
      const id = original && identityOf(original.stat);
      this.#draft.add('rewrite', { do: 'adjust', at, id, path, lenient: false, ...change });
    }
  }

  #adjust(inode: Inode, target: Target, original: Original): void {
    const change = adjustment(inode, original, this.#draft.facts);
    if (change === undefined) return;
    const { slot: at, path } = target;
    const id = identityOf(original.stat);
    this.#draft.add('adjust', { do: 'adjust', at, id, path, lenient: false, ...change });
  }

  /** The base has something else at the base entry's place, or nothing: the content is put there anew. */
  #stayInstead(inode: Inode, target: Target, other: Original | undefined): void {
    const isFile = other !== undefined && !isDirectory(other.stat.mode);
    if (other !== undefined && !isFile) this.#draft.setAside({ ...other, why: 'aside' });
    this.#content(inode, { ...target, over: isFile ? other.stat : undefined }, undefined);
  }

  #move(inode: Inode, target: Target & { origin: BytePath; directory: Directory | undefined }): void {
    const { origin, directory, slot, path } = target;
    const from = this.#saved.get(origin);
    const original = this.#original(inode);
    if (from === undefined || original === undefined) return;
    const names = { spare: this.#draft.spareName(), kept: this.#draft.keptName() };
    const what = { id: identityOf(original.stat), looks: looksOf(original.stat), directory, origin };
    this.#draft.add('place', { do: 'move', why: 'place', path, from, to: slot, ...names, ...what });
    if (directory !== undefined && from.dir !== slot.dir) {
      this.#draft.travellers.set(directory, origin);
      this.#draft.modes.set(directory, inode.staged?.attributes.mode ?? original.stat.mode & 0o7777);
    }
    if (inode.type === S_IFDIR) return;
    if (inode.staged !== undefined && inode.staged.object !== 0) this.rewrite(inode, { path });
    else this.#adjust(inode, target, original);
  }

  #content(inode: Inode, target: Target, original: Original | undefined): void {
    const { slot: at, path } = target;
    const stat = this.#objectStat(inode, path);
    if (stat === undefined || inode.staged === undefined) return;
    const attributes = attributesOfContent(inode, { object: stat, original }, this.#draft.facts);
    const adjust = lacking(attributes, stat);
    const superseded = original !== undefined && this.#draft.movesOut.isSuperseded(original.path);
    // Written out: there may be a hundred thousand, and put together from parts each would take twice the memory.
    this.#draft.add('place', {
      do: 'place',
      path,
      object: inode.staged.object,
      id: identityOf(stat),
      size: stat.size,
      at,
      over: target.over && identityOf(target.over),
      seen: target.over && seenAlone(target.over),
      origin: superseded ? original.path : undefined,
      spare: this.#draft.spareName(),
      kept: this.#draft.keptName(),
      attributes,
      adjust,
      own: adjust?.mtime && { sec: stat.mtimeSec, nsec: stat.mtimeNsec },
    });
  }

  #make(inode: Inode, target: Target): void {
    const { staged, type } = inode;
    const attributes = type === S_IFDIR ? {} : attributesOfNew(inode);
    const node = { target: staged?.target, rdev: staged?.rdev ?? 0 };
    this.#draft.add('place', { do: 'make', type, at: target.slot, path: target.path, attributes, ...node });
  }

  #original(inode: Inode): Original | undefined {
    const path = basePath(inode);
    const stat = path === undefined ? undefined : this.#draft.facts.of(path);
    return path === undefined || stat === undefined ? undefined : { path, stat };
  }

  #objectStat(inode: Inode, path: BytePath): Stat | undefined {
    const object = inode.staged?.object;
    const stat = object === undefined || object === 0 ? undefined : this.#draft.facts.objectStat(object);
    if (stat !== undefined) return stat;
    this.#draft.refuse(path, 'its content is missing from the file store');
    return undefined;
  }
}

/**
 * The ways in which a whole override tree gives way while processes go on using the view: it became the base's
 * (commit), or another one is shown (travel; abort: an empty one).
 */
import type { Name } from '../../sys/bytes.ts';
import { ENOENT } from '../../sys/errno.ts';
import type { Content } from '../content.ts';
import { noteSeen } from '../copy-up/seen-version.ts';
import type { Core } from '../core.ts';
import type { Directories } from '../directories.ts';
import { basePath, type Inode } from '../inode.ts';
import { baseChanged, type Invalidation, staysIn } from '../invalidation.ts';
import { OverrideTree } from '../override-tree.ts';
import type { Echoes } from '../watch/echoes.ts';
import { LateLook } from '../watch/late-look.ts';
import { DetachedDirectories } from './detached.ts';
import { becomeBase, type PlacedObjects } from './rebase.ts';
import { type Committed, movedPath, type Prints, rebasePart } from './rebase-part.ts';
import { restage } from './restage.ts';
import { type Shown, switchTree } from './switch-tree.ts';

/** What knows of the tree that gives way, besides the core. */
interface Readers {
  readonly content: Content;
  readonly directories: Directories;
  readonly echoes: Echoes;
}

export class TreeSwitch {
  readonly lateLook: LateLook;
  readonly #core: Core;
  readonly #readers: Readers;
  readonly #detached = new DetachedDirectories();

  constructor(core: Core, readers: Readers) {
    this.#core = core;
    this.#readers = readers;
    this.lateLook = new LateLook(core.base);
  }

  /** Before a commit: a deleted file that is still open must outlive its base entry in the base. */
  holdUnnamed(): void {
    const { table, files } = this.#core.layers;
    for (const inode of table.live()) {
      const unnamed = inode.parent === undefined && inode.base !== undefined && inode.children === undefined;
      if (unnamed && (inode.staged === undefined || inode.staged.object === 0)) files.pin(inode);
    }
  }

  /**
   * After a commit: nothing looks different; every name the view has is the base's own, but for what `since` has, which stays staged over
   * it and is to be shown next. Of what is not `placed` the base is asked. Returns what the kernel must forget.
   */
  rebase(placed: PlacedObjects = new Map(), since?: OverrideTree): Invalidation[] {
    this.#forgetContents();
    return this.#watch(becomeBase(this.#core, placed, since));
  }

  /** As `rebase`, after a part was committed. `prints` is what was recorded. */
  rebasePart(committed: Committed, prints: Prints): Invalidation[] {
    const { tree, base, resolver, layers } = this.#core;
    this.#forgetContents();
    const forget = this.#watch(rebasePart(tree, committed, { base, resolver, prints }));
    for (const inode of layers.table.live()) {
      const isOrphan = inode.parent === undefined && inode !== tree.root;
      if (isOrphan && inode.base !== undefined) inode.base = movedPath(inode.base, committed.moved);
    }
    return forget;
  }

  /** After an abort: the view shows the base. The caller has recorded it, and tells the kernel. */
  discard(): Shown {
    return this.show(new OverrideTree());
  }

  /**
   * Shows what `target` does, a tree that nobody uses and that is used up: after a travel over the same base; after an
   * undo, or a commit of an earlier state, over another base, and the same as now. The caller has recorded it, and tells the kernel.
   */
  show(target: OverrideTree, over: 'same base' | 'other base' = 'same base'): Shown {
    // An open directory stream goes on where it was: cookies follow from the base's order and from names.
    this.#readers.directories.forgetAll();
    this.#readers.content.copyUps.forgetAll();
    return over === 'same base' ? this.#switch(target) : this.#restage(target);
  }

  #forgetContents(): void {
    const { base, layers } = this.#core;
    this.#readers.content.copyUps.forgetAll();
    // Descriptors of objects that became base files would write to the base.
    layers.files.clear((inode) => inode.parent === undefined);
    this.#readers.directories.forgetAll();
    // Directories of the base have moved: descriptors kept by path are of others now.
    base.shed();
    this.#detached.forget();
  }

  /** When a commit was taken back: the base changed, and the view is to stay as it is. */
  #restage(target: OverrideTree): Shown {
    const { tree, base, resolver } = this.#core;
    base.shed();
    this.#detached.forget();
    const links = new Map(tree.linked);
    resolver.forgetLinkKeys();
    const { elsewhere, changed, original } = restage(this.#core, target, links);
    const { invalidations, moved } = this.#switch(target);
    for (const inode of original) this.#noteSeenAgain(inode);
    const attributes = changed.filter(({ nodeId }) => nodeId !== 0).map(forgetAttributes);
    return { invalidations: [...invalidations, ...attributes, ...this.#watch(elsewhere)], moved };
  }

  /** We have set back what the base says of a file. */
  #noteSeenAgain(inode: Inode): void {
    const path = basePath(inode);
    const stat = path === undefined ? ENOENT : this.#core.base.statPath(path);
    if (typeof stat !== 'number') noteSeen(inode, stat);
  }

  /**
   * What only the view could change the kernel keeps for long. Directories that the base has now, or has elsewhere, are
   * watched for that; of what cannot be, the kernel must forget what it knows.
   */
  #watch(directories: readonly Inode[]): Invalidation[] {
    const { base, resolver } = this.#core;
    return directories.flatMap((dir) => {
      if (dir.base === undefined || dir.nodeId === 0) return [];
      const wasWatched = base.isWatched(dir.base);
      const isWatched = base.watch(dir.base);
      if (isWatched && !wasWatched) this.lateLook.note(dir);
      return isWatched ? [] : baseChanged(dir, undefined, staysIn(base), resolver);
    });
  }

  #switch(target: OverrideTree): Shown {
    const { tree, resolver, layers } = this.#core;
    const statOf = this.#core.statOf.bind(this.#core);
    const differs = (dir: Inode, name: Name, was: Inode | undefined): void => {
      this.#readers.echoes.note(dir, name, 'born', was);
    };
    return switchTree({ tree, resolver, files: layers.files, detached: this.#detached, statOf, differs }, target);
  }
}

function forgetAttributes({ nodeId }: Inode): Invalidation {
  return { kind: 'inode', nodeId };
}

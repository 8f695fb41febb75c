/**
 * The ways in which a whole override tree gives way while processes go on using the view: it became the base's
 * (commit), or another one is shown (travel; abort: an empty one).
 */

import type { Name } from '../sys/bytes.ts';
import { ENOENT } from '../sys/errno.ts';
import { noteSeen } from './copy-up/seen-version.ts';
import type { Core } from './core.ts';
import { basePath, type Inode } from './inode.ts';
import { baseChanged, type Invalidation, staysIn } from './invalidation.ts';
import type { OverrideTree } from './override-tree.ts';
import { becomeBase, type PlacedObjects } from './rebase.ts';
import { type Committed, type Prints, rebasePart } from './rebase-part.ts';
import { DetachedDirectories } from './switch/detached.ts';
import { restage } from './switch/restage.ts';
import { type Shown, switchTree } from './switch/switch-tree.ts';
import type { Echoes } from './watch/echoes.ts';
import { LateLook } from './watch/late-look.ts';

export class TreeSwitch {
  readonly lateLook: LateLook;
  readonly #core: Core;
  readonly #detached = new DetachedDirectories();

  readonly #echoes: Echoes;

  constructor(core: Core, echoes: Echoes) {
    this.#core = core;
    this.#echoes = echoes;
    this.lateLook = new LateLook(core.base);
  }

  /** Every name the view has is the base's own, but for what `since` has. */
  becomeBase(placed: PlacedObjects, since: OverrideTree | undefined): Invalidation[] {
    const { tree, base, resolver } = this.#core;
    this.#detached.forget();
    return this.#watch(becomeBase(tree, { base, resolver, placed, since }));
  }

  /** A part of what the view has is the base's own. */
  rebasePart(committed: Committed, prints: Prints): Invalidation[] {
    const { tree, base, resolver } = this.#core;
    this.#detached.forget();
    return this.#watch(rebasePart(tree, committed, { base, resolver, prints }));
  }

  /** As `show`, when a commit was taken back: the base changed, and the view is to stay as it is. */
  restage(target: OverrideTree): Shown {
    const { tree, base, resolver, parts } = this.#core;
    base.shed();
    this.#detached.forget();
    const links = new Map(tree.linked);
    resolver.forgetLinkKeys();
    const { elsewhere, changed, original } = restage(tree, target, { files: parts.files, links });
    const { invalidations, moved } = this.show(target);
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

  /** The view shows `target`, which is used up. */
  show(target: OverrideTree): Shown {
    const { tree, resolver, parts } = this.#core;
    const statOf = this.#core.statOf.bind(this.#core);
    const differs = (dir: Inode, name: Name, was: Inode | undefined): void => {
      this.#echoes.note(dir, name, 'born', was);
    };
    return switchTree({ tree, resolver, files: parts.files, detached: this.#detached, statOf, differs }, target);
  }
}

function forgetAttributes({ nodeId }: Inode): Invalidation {
  return { kind: 'inode', nodeId };
}

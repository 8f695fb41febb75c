/** What somebody changed outside, as the view takes it: what the kernel must forget, and what is to be echoed (echoes.ts). */
import { type BytePath, join, type Name } from '../../sys/bytes.ts';
import type { Core } from '../core.ts';
import type { Directories } from '../directories.ts';
import { type Inode, TOMBSTONE } from '../inode.ts';
import type { SearchedDirectories } from '../inode-table.ts';
import {
  baseChanged,
  ChangedBaseFiles,
  everythingChanged,
  type Invalidation,
  NOTHING_STAYS,
  staysIn,
} from '../invalidation.ts';
import type { Happened } from './base-watch.ts';
import type { Echoes } from './echoes.ts';
import type { LateLook } from './late-look.ts';

/** A directory of the base, or a name in it. */
export interface BasePlace {
  readonly dir: BytePath;
  readonly name: Name | undefined;
}

export class BaseChanges {
  readonly originals: ChangedBaseFiles;
  readonly echoes: Echoes;
  readonly #core: Core;
  readonly #directories: Directories;
  readonly #lateLook: LateLook;

  constructor(
    core: Core,
    { directories, lateLook, echoes }: { directories: Directories; lateLook: LateLook; echoes: Echoes },
  ) {
    this.#core = core;
    this.#directories = directories;
    this.#lateLook = lateLook;
    this.originals = new ChangedBaseFiles(core.layers, core.resolver);
    this.echoes = echoes;
  }

  /**
   * The watch saw a change in a base directory; returns what the kernel must forget. `searched`: for changes that are told at once, as
   * a commit and its undo leave thousands in directories that the view has moved, or does not know any more.
   */
  changed({ dir, name }: BasePlace, what: Happened | 'remounted', searched?: SearchedDirectories): Invalidation[] {
    const inode = this.#core.layers.table.directory(dir, searched);
    if (inode === undefined) return name === undefined ? [] : this.originals.changed(join(dir, name), undefined);
    this.#directories.forget(inode);
    const { base, resolver } = this.#core;
    const found = baseChanged(inode, name, what === 'remounted' ? NOTHING_STAYS : staysIn(base), resolver);
    if (name === undefined) return found;
    const before = inode.children?.get(name);
    const { lost, keepsPages } = this.#look(inode, name, what);
    const told = found.flatMap((one): Invalidation[] => {
      if (one.kind === 'entry') return [lost === undefined ? one : { ...one, gone: lost }];
      return keepsPages && one.nodeId === before?.nodeId ? [] : [one];
    });
    return [...told, ...this.originals.changed(join(dir, name), inode.children?.get(name))];
  }

  /**
   * The size of a file is known at last (awaited/fetched.ts): its name gets a node that has it, at once, as who opens it is about to
   * look it up anew. Returns what the kernel must forget.
   */
  resized(dir: BytePath, name: Name): Invalidation[] {
    const inode = this.#core.layers.table.directory(dir);
    const known = inode?.children?.get(name);
    if (inode === undefined || !known || known.staged !== undefined) return [];
    const found = baseChanged(inode, name, NOTHING_STAYS, this.#core.resolver);
    this.#core.resolver.forgetChanged(known);
    return found;
  }

  /** Events were lost: everything known from the base may be out of date. */
  overflow(): Invalidation[] {
    const { resolver, layers } = this.#core;
    this.#directories.forgetAll();
    return everythingChanged(layers, resolver);
  }

  /** Does a part of a late look (late-look.ts): what the kernel must forget; undefined when it is over. */
  lookLate(): readonly Invalidation[] | undefined {
    if (this.#lateLook.isOver) return undefined;
    const searched: SearchedDirectories = {};
    return this.#lateLook.step().flatMap((at) => this.changed(at, 'written', searched));
  }

  /**
   * Looks at what has a name now. `lost`: the node that it stood for, if that has no name any more. `keepsPages`: of a file that has another size
   * the kernel drops its pages together with the size, when that is told; new content up to an old size would be nobody's.
   */
  #look(dir: Inode, name: Name, what: Happened | 'remounted'): { lost?: Inode['nodeId']; keepsPages?: boolean } {
    const { resolver } = this.#core;
    const known = dir.children?.get(name);
    if (known === TOMBSTONE || known?.staged !== undefined) return {};
    const isWritten = known !== undefined && this.#core.layers.files.pinned(known) !== undefined;
    const outcome = resolver.look({ dir, name });
    if (what === 'remounted') return {};
    const isNoted = !isWritten && this.echoes.note(dir, name, what, outcome === 'gone' ? known : undefined);
    if (known === undefined || known.nodeId === 0 || outcome === 'same') return {};
    // Permissions and links alone do that, too.
    if (outcome === 'dated' && (what !== 'written' || !isNoted)) return {};
    if (outcome === 'gone') {
      const hasOthers = resolver.placesOf(known).some((at) => at.dir !== dir || at.name !== name);
      return hasOthers ? {} : { lost: known.nodeId };
    }
    if (isNoted) {
      resolver.awaited.add(known);
      return { keepsPages: outcome === 'resized' };
    }
    resolver.forgetChanged(known);
    return { lost: known.nodeId };
  }
}

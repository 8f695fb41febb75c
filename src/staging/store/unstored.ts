/**
 * What was written in the view, taken by the kernel's cache, and then refused by the store: the disk is full, or broken, or the quota
 * is reached; or it was written over content that somebody has changed outside (copy-up/seen-version.ts). The kernel would go on showing its pages and, under write-back, its own size, neither of which it can be told to
 * correct. So the node goes out of use: the name is looked up anew, under another node id, and shows what is stored, as commit and a
 * restart do; whoever has the file open gets the errno again. The program hears of it from close(2) or fsync(2), if it asks, and the
 * person from the summary of the run.
 */
import type { BytePath, NodeId } from '../../sys/bytes.ts';
import { type Errno, ESTALE } from '../../sys/errno.ts';
import type { Returns } from '../copy-up/returns.ts';
import type { Core } from '../core.ts';
import { type Inode, viewPath } from '../inode.ts';
import type { Invalidation } from '../invalidation.ts';
import { namesOf } from '../names/hard-links.ts';
import { markIncomplete } from './incomplete.ts';

/** Names beyond these are counted only. */
const MOST_NAMED = 100;

/** Files of which not everything could be stored. */
export interface Losses {
  /** Why the first one was refused; undefined: everything was stored. */
  readonly errno: Errno | undefined;
  readonly paths: readonly BytePath[];
  /** How many more there are. */
  readonly more: number;
  /** The session's quota in bytes, if anything was refused for it: what was written, a new file, a record. */
  readonly quota: number | undefined;
}

export class Unstored {
  /** Something must be forgotten, the sooner the better; called within the request, whose answer the kernel may wait for first. */
  onLost: () => void = () => undefined;
  readonly #core: Core;
  readonly #returns: Returns;
  readonly #paths = new Set<BytePath>();
  #forget: Invalidation[] = [];
  #errno: Errno | undefined;
  #more = 0;

  constructor(core: Core, returns: Returns) {
    [this.#core, this.#returns] = [core, returns];
  }

  /** The kernel has lost a part of what it was given for an inode. */
  lost(inode: Inode, errno: Errno): void {
    const { nodeId } = inode;
    if (nodeId === 0) return;
    this.#core.layers.table.retire(inode, errno);
    const forget: Invalidation[] = [{ kind: 'inode', nodeId }];
    for (const { dir, name } of namesOf(inode)) {
      if (dir.nodeId !== 0) forget.push({ kind: 'entry', parent: dir.nodeId, name });
    }
    this.#returns.add(forget);
    this.#forget.push(...forget);
    this.#errno ??= errno;
    const object = inode.staged?.object ?? 0;
    if (object !== 0 && errno !== ESTALE) markIncomplete(this.#core.layers.store, object);
    const path = viewPath(inode);
    if (path !== undefined) this.#note(path);
    this.onLost();
  }

  /** The answer to whoever has a file open, of a node that is unknown: why it was refused before. */
  refusal(nodeId: NodeId): Errno {
    return this.#core.layers.table.whyRetired(nodeId) ?? ESTALE;
  }

  /** What nobody has been told yet; `tell`: from now on somebody has. */
  losses({ tell }: { readonly tell: boolean }): Losses {
    const losses = { errno: this.#errno, paths: [...this.#paths], more: this.#more };
    if (!tell) return { ...losses, quota: undefined };
    this.#paths.clear();
    [this.#errno, this.#more] = [undefined, 0];
    return { ...losses, quota: this.#core.layers.quota.takeRefusal() };
  }

  /**
   * What the kernel has to have forgotten before anybody may believe what it shows, of all that was lost since the last call. It is
   * told each time, but of its own accord nobody waits until it has.
   */
  takeForgotten(): readonly Invalidation[] {
    const forget = this.#forget;
    this.#forget = [];
    return forget;
  }

  #note(path: BytePath): void {
    if (this.#paths.has(path)) return;
    if (this.#paths.size < MOST_NAMED) this.#paths.add(path);
    else this.#more += 1;
  }
}

/**
 * A file that was changed outside may be another node for the kernel from then on (resolver.ts). Whoever has it open goes on
 * with the old one. When that is changed, and what the kernel was told of is to be had, it takes its name back, and
 * the change outside is a conflict: neither side's work is lost without a word.
 */
import type { Caller } from '../../fuse/filesystem.ts';
import type { Errno } from '../../sys/errno.ts';
import { EIO, ESTALE, OK } from '../../sys/errno.ts';
import type { Core } from '../core.ts';
import type { Inode } from '../inode.ts';
import { viewPath } from '../inode.ts';
import type { Invalidation } from '../invalidation.ts';
import { goneFingerprint } from './seen-version.ts';

export class Returns {
  readonly #core: Core;
  #forget: Invalidation[] = [];

  constructor(core: Core) {
    this.#core = core;
  }

  /** Before an inode is changed. ESTALE: another one has its name, with changes of its own. */
  comeBack(inode: Inode, caller: Caller): Errno {
    if (inode.parent !== undefined || inode.staged !== undefined) return OK;
    const places = this.#core.resolver.giveBack(inode);
    if (places === undefined) return OK;
    if (places === 'taken') return ESTALE;
    for (const { dir, name } of places) {
      if (dir.nodeId !== 0) this.#forget.push({ kind: 'entry', parent: dir.nodeId, name });
    }
    const error = this.#claim(inode, caller);
    if (error !== OK) inode.stale = true;
    return error;
  }

  /** Notes more of what the kernel must forget. */
  add(more: readonly Invalidation[]): void {
    this.#forget.push(...more);
  }

  /** What the kernel must forget: names that are of the old node again. */
  take(): readonly Invalidation[] {
    const forget = this.#forget;
    if (forget.length > 0) this.#forget = [];
    return forget;
  }

  #claim(inode: Inode, caller: Caller): Errno {
    const core = this.#core;
    const [path, print] = [viewPath(inode), core.fingerprint(inode)];
    if (path === undefined || print === undefined) return EIO;
    const fingerprint = goneFingerprint(inode, print);
    const change = { attributes: {}, changed: 0, xattr: undefined, fingerprint };
    const pre = core.backing(inode);
    const error = core.record({ tag: 'M', path, ino: inode.ino, pre, ...change }, core.now(), caller);
    if (error === OK) core.tree.change(inode, change);
    return error;
  }
}

/** What the base does not have yet, and must be fetched before a request can be answered: names and contents of sources. */
import type { Caller, Ticket } from '../../fuse/filesystem.ts';
import { type BytePath, join, type Name, type NodeId } from '../../sys/bytes.ts';
import { EAGAIN, EBUSY, EIO, type Errno, ESTALE, EXDEV, OK } from '../../sys/errno.ts';
import { isMounted, isMountPoint } from '../../sys/mounts.ts';
import { S_IFREG } from '../../sys/stat.ts';
import type { BaseTree } from '../base-tree.ts';
import type { ContentFiles } from '../content-files.ts';
import { basePath, type Inode, TOMBSTONE, viewPath } from '../inode.ts';
import { type InodeTable, ROOT_ID } from '../inode-table.ts';
import type { Invalidation } from '../invalidation.ts';
import { isAsFound } from '../resolver.ts';

/** Who fetches it. The daemon's pending fetches implement it. */
export interface Fetcher {
  /** LATER: it is on its way, and the request of that ticket will be served anew; else why it does not come, or OK. */
  content(path: BytePath, ticket: Ticket): Errno;
  /** The same of what is at a path, before that is looked up, or listed. */
  name(path: BytePath, ticket: Ticket): Errno;
  /** The directory of the source that a path is below, or is. */
  sourceOf(path: BytePath): BytePath | undefined;
  /** Whether a source is at a path, or below it. */
  isAbove(path: BytePath): boolean;
}

/** A name in a directory of the view. */
interface At {
  readonly parent: NodeId;
  readonly name: Name;
}

/** What it takes of the core. */
interface CorePart {
  readonly base: Pick<BaseTree, 'statOpen'>;
  readonly layers: { readonly files: Pick<ContentFiles, 'of'>; readonly table: Pick<InodeTable, 'get'> };
  node(nodeId: NodeId): Inode | Errno;
  directory(nodeId: NodeId): Inode | Errno;
}

export class Arrivals {
  /** Without one nothing comes. */
  fetcher: Fetcher | undefined;
  readonly #core: CorePart;
  /** Files that somebody has opened to write: what a mapping writes the kernel tells much later. */
  readonly #written = new WeakSet<Inode>();

  constructor(core: CorePart) {
    this.#core = core;
  }

  /** The base has said EAGAIN of the content of a file. Without a ticket nobody can wait for it. */
  content(inode: Inode, ticket: Ticket | undefined): Errno {
    const path = basePath(inode);
    if (path === undefined || ticket === undefined) return EIO;
    return this.fetcher?.content(path, ticket) ?? EIO;
  }

  /**
   * Before somebody who has opened a file reads it. ESTALE: its size, which nobody knew, is another than the kernel was told, or its
   * source has put another file in its place meanwhile; who opens it looks its name up anew, and gets a node that has the true one.
   */
  opened(nodeId: NodeId, { ticket }: Caller): Errno {
    if (this.fetcher === undefined) return OK;
    const inode = this.#core.node(nodeId);
    if (typeof inode === 'number' || inode.type !== S_IFREG || (inode.staged?.object ?? 0) !== 0) return OK;
    const path = basePath(inode);
    if (path === undefined || !isMounted(path)) return OK;
    const fd = this.#core.layers.files.of(inode);
    if (fd === -EAGAIN) return this.content(inode, ticket);
    if (fd === -ESTALE) return ESTALE;
    const stat = fd < 0 ? undefined : this.#core.base.statOpen(fd);
    if (stat === undefined || typeof stat === 'number' || inode.staged !== undefined) return OK;
    return isAsFound(inode, stat) ? OK : ESTALE;
  }

  /** Somebody opens a file to write. */
  openedToWrite(nodeId: NodeId): void {
    const inode = this.fetcher === undefined ? ESTALE : this.#core.node(nodeId);
    if (typeof inode !== 'number') this.#written.add(inode);
  }

  /** Whether somebody has, since the kernel knows it. */
  isWritten(inode: Inode): boolean {
    return this.#written.has(inode);
  }

  /** Before something gets another name: a source is a file system of its own, and stays where it is. */
  moved(from: At, to: At): Errno {
    if (this.fetcher === undefined) return OK;
    const [old, fresh] = [this.#pathOf(from), this.#pathOf(to)];
    if (old === undefined || fresh === undefined) return OK;
    if (this.fetcher.isAbove(old) || this.fetcher.isAbove(fresh)) return EBUSY;
    return this.fetcher.sourceOf(old) === this.fetcher.sourceOf(fresh) ? OK : EXDEV;
  }

  /** Whether nobody in the view has a file of the base, or could have it open, and nothing is staged over it. */
  isUnknown(path: BytePath): boolean {
    return this.#walk(path) === 'unknown';
  }

  /** What the kernel has to forget before that is so, for a file of which it only remembers the name; nothing for any other. */
  forgettable(path: BytePath): Invalidation[] {
    const found = this.#walk(path);
    if (found === 'unknown' || found === 'staged' || found.parent === undefined) return [];
    return [{ kind: 'entry', parent: found.parent.nodeId, name: found.name }];
  }

  /** The inode at a path of the base, if it is known and nothing more. What has left its place has left something there. */
  #walk(path: BytePath): Inode | 'unknown' | 'staged' {
    let at: Inode | undefined = this.#core.layers.table.get(ROOT_ID);
    let base = '';
    for (const name of path.slice(1).split('/') as Name[]) {
      const next: Inode | null | undefined = at?.children?.get(name);
      base = `${base}/${name}`;
      if (next === TOMBSTONE) return 'staged';
      if (next === undefined) return 'unknown';
      if (basePath(next) !== base) return 'staged';
      at = next;
    }
    return at === undefined || at.children !== undefined || at.staged !== undefined ? 'staged' : at;
  }

  #pathOf({ parent, name }: At): BytePath | undefined {
    const dir = this.#core.directory(parent);
    const path = typeof dir === 'number' ? undefined : viewPath(dir);
    return path === undefined ? undefined : join(path, name);
  }

  /** Before a name is looked up. */
  name(parent: NodeId, name: Name, { ticket }: Caller): Errno {
    if (this.fetcher === undefined) return OK;
    const dir = this.#core.directory(parent);
    if (typeof dir === 'number' || dir.base === undefined || dir.children?.get(name) === TOMBSTONE) return OK;
    if (!isMounted(dir.base) && !isMountPoint(dir.base, name)) return OK;
    return this.fetcher.name(join(dir.base, name), ticket);
  }

  /** Before a directory is listed: the kernel may know it from a listing of the one above. */
  listed(nodeId: NodeId, { ticket }: Caller): Errno {
    const dir = this.fetcher === undefined ? ESTALE : this.#core.directory(nodeId);
    if (typeof dir === 'number' || dir.base === undefined || !isMounted(dir.base)) return OK;
    return this.fetcher?.name(dir.base, ticket) ?? OK;
  }
}

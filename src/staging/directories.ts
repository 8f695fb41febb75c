/**
 * Merged directory listings. The kernel never opens a directory here, it only asks for entries after a cookie,
 * so cookies must hold by themselves, across calls and while names come and go:
 *
 *     1, 2             "." and ".."
 *     3 ...            index in the base's own listing + 3 (a deleted name leaves its index unused)
 *     2^32 + ...       names only the view has, by the persistent id of their inode
 */
import type { DirectorySink } from '../fuse/filesystem.ts';
import type { Ino, Name, NodeId } from '../sys/bytes.ts';
import type { Errno } from '../sys/errno.ts';
import { ENOTEMPTY, OK } from '../sys/errno.ts';
import { S_IFDIR } from '../sys/stat.ts';
import type { BaseEntry } from './base-tree.ts';
import type { Core } from './core.ts';
import type { Inode } from './inode.ts';
import { TOMBSTONE } from './inode.ts';

const FIRST_BASE = 3;
const FIRST_STAGED = 2 ** 32;
/** Names of one inode in one directory (hard links) share its id; this many can be told apart. */
const NAMES_PER_ID = 1024;
const MAX_CACHED_ENTRIES = 30_000;

interface Listing {
  readonly entries: readonly BaseEntry[];
  readonly names: ReadonlySet<Name> | undefined;
}

export class Directories {
  readonly #core: Core;
  /** Base listings in use, least recently used first. */
  readonly #listings = new Map<Inode, Listing>();
  #cachedEntries = 0;

  constructor(core: Core) {
    this.#core = core;
  }

  readdir(nodeId: NodeId, cookie: number, sink: DirectorySink, plus: boolean): Errno {
    const dir = this.#core.directory(nodeId);
    if (typeof dir === 'number') return dir;
    const listing = this.#listing(dir, cookie === 0);
    if (typeof listing === 'number') return listing;
    if (!this.#emitDots(dir, cookie, sink)) return OK;
    if (cookie < FIRST_STAGED && !this.#emitBase(dir, { listing, cookie, sink, plus })) return OK;
    this.#emitStaged(dir, { listing, cookie, sink, plus });
    return OK;
  }

  /** OK or ENOTEMPTY, by the merged listing. */
  isEmpty(dir: Inode): Errno {
    const listing = this.#listing(dir, true);
    if (typeof listing === 'number') return listing;
    for (const entry of listing.entries) {
      if (dir.children?.get(entry.name) !== TOMBSTONE) return ENOTEMPTY;
    }
    for (const [name, child] of dir.children ?? []) {
      if (child !== TOMBSTONE && isOverride(child, dir, name)) return ENOTEMPTY;
    }
    return OK;
  }

  /** The base listing of this directory may be out of date. */
  forget(dir: Inode): void {
    const listing = this.#listings.get(dir);
    if (listing === undefined) return;
    this.#cachedEntries -= listing.entries.length;
    this.#listings.delete(dir);
  }

  forgetAll(): void {
    this.#listings.clear();
    this.#cachedEntries = 0;
  }

  #emitDots(dir: Inode, cookie: number, sink: DirectorySink): boolean {
    const dots: readonly [Name, Inode][] = [
      ['.' as Name, dir],
      ['..' as Name, dir.parent ?? dir],
    ];
    for (const [i, [name, inode]] of dots.entries()) {
      if (cookie > i) continue;
      if (!sink.fits(name)) return false;
      sink.add(name, inode.ino || (1 as Ino), S_IFDIR, i + 1);
    }
    return true;
  }

  #emitBase(dir: Inode, job: Job): boolean {
    const { entries } = job.listing;
    for (let i = Math.max(0, job.cookie - FIRST_BASE + 1); i < entries.length; i++) {
      const entry = entries[i];
      if (entry === undefined) break;
      const known = dir.children?.get(entry.name);
      if (known === TOMBSTONE) continue;
      if (!job.sink.fits(entry.name)) return false;
      this.#emit(dir, entry.name, { ...job, next: i + FIRST_BASE, ino: entry.ino as Ino, type: entry.type, known });
    }
    return true;
  }

  #emitStaged(dir: Inode, job: Job): void {
    for (const { name, child, cookie } of this.#stagedNames(dir, job.listing)) {
      if (cookie <= job.cookie) continue;
      if (!job.sink.fits(name)) return;
      this.#emit(dir, name, { ...job, next: cookie, ino: child.ino, type: child.type, known: child });
    }
  }

  #emit(dir: Inode, name: Name, entry: Job & { next: number; ino: Ino; type: number; known: Inode | undefined }): void {
    const ino = entry.known?.ino || entry.ino;
    const type = entry.known?.type ?? entry.type;
    if (!entry.plus) {
      entry.sink.add(name, ino, type, entry.next);
      return;
    }
    const inode = this.#core.child({ dir, name });
    // Gone from the base since it was listed: without an entry the kernel will look it up and see.
    const found = typeof inode === 'number' ? undefined : this.#core.entry(inode);
    if (found === undefined || typeof found === 'number') entry.sink.add(name, ino, type, entry.next);
    else entry.sink.add(name, found.stat.ino as Ino, found.stat.mode, entry.next, found);
  }

  #stagedNames(dir: Inode, listing: Listing): StagedName[] {
    const names: StagedName[] = [];
    const perId = new Map<number, number>();
    for (const [name, child] of dir.children ?? []) {
      if (child === TOMBSTONE || child.staged === undefined || listing.names?.has(name)) continue;
      const nth = perId.get(child.staged.id) ?? 0;
      perId.set(child.staged.id, nth + 1);
      names.push({ name, child, cookie: FIRST_STAGED + child.staged.id * NAMES_PER_ID + nth });
    }
    return names.sort((a, b) => a.cookie - b.cookie);
  }

  #listing(dir: Inode, fromStart: boolean): Listing | Errno {
    if (dir.base === undefined) return NOTHING;
    const cached = this.#listings.get(dir);
    if (cached !== undefined && (!fromStart || this.#core.base.watch(dir.base))) return cached;
    // Watched before it is read: a change in between is reported then.
    this.#core.base.watch(dir.base);
    const entries = this.#core.base.list(dir.base);
    if (typeof entries === 'number') return entries;
    const listing = { entries, names: new Set(entries.map((entry) => entry.name)) };
    this.#keep(dir, listing);
    return listing;
  }

  #keep(dir: Inode, listing: Listing): void {
    this.forget(dir);
    for (const [old] of this.#listings) {
      if (this.#cachedEntries + listing.entries.length <= MAX_CACHED_ENTRIES) break;
      this.forget(old);
    }
    this.#listings.set(dir, listing);
    this.#cachedEntries += listing.entries.length;
  }
}

interface Job {
  readonly listing: Listing;
  readonly cookie: number;
  readonly sink: DirectorySink;
  readonly plus: boolean;
}

interface StagedName {
  readonly name: Name;
  readonly child: Inode;
  readonly cookie: number;
}

const NOTHING: Listing = { entries: [], names: undefined };

/** Whether a known child is there because of the view, not merely known from the base. */
function isOverride(child: Inode, dir: Inode, name: Name): boolean {
  if (child.staged === undefined) return false;
  return child.parent !== dir || child.name !== name || dir.base === undefined || child.base !== '';
}

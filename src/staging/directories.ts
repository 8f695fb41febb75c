/**
 * Merged directory listings. The kernel never opens a directory here, it only asks for entries after a cookie,
 * so cookies must hold by themselves, across calls and while names come and go:
 *
 *     1, 2             "." and ".."
 *     3 ...            index in the base's own listing + 3 (a deleted name leaves its index unused)
 *     2^32 + ...       names only the view has, by a hash of the name
 *
 * A hash, not the order of creation: who rewrites the files of a directory one by one while reading it (a new file
 * renamed over each) must not find each of them again at the end, for ever.
 */
import type { DirectorySink } from '../fuse/filesystem.ts';
import type { Ino, Name, NodeId } from '../sys/bytes.ts';
import type { Errno } from '../sys/errno.ts';
import { ENOENT, ENOTEMPTY, OK } from '../sys/errno.ts';
import { S_IFDIR } from '../sys/stat.ts';
import { isLost } from './backing.ts';
import type { BaseEntry } from './base-tree.ts';
import type { Core } from './core.ts';
import type { Inode } from './inode.ts';
import { isNatural, TOMBSTONE } from './inode.ts';
import type { Place } from './override-tree.ts';

const FIRST_BASE = 3;
const FIRST_STAGED = 2 ** 32;
const MAX_CACHED_ENTRIES = 30_000;
/** Directories that are read at the same time, each by some calls of its own. */
const MAX_SORTED = 8;

/** What the base has in a directory. */
class Listing {
  readonly entries: readonly BaseEntry[];
  #names: ReadonlySet<Name> | undefined;

  constructor(entries: readonly BaseEntry[]) {
    this.entries = entries;
  }

  /** Asked only of directories in which something is staged. */
  has(name: Name): boolean {
    this.#names ??= new Set(this.entries.map((entry) => entry.name));
    return this.#names.has(name);
  }
}

export class Directories {
  readonly #core: Core;
  /** Base listings in use, those read first first. */
  readonly #listings = new Map<Inode, Listing>();
  #cachedEntries = 0;
  /** The names only the view has, in order, of directories that are being read: for their next calls. Those sorted first first. */
  readonly #sorted = new Map<Inode, readonly StagedName[]>();

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
      const known = dir.children?.get(entry.name);
      if (known !== TOMBSTONE && !this.#hidesOnly(known)) return ENOTEMPTY;
    }
    for (const child of dir.children?.values() ?? [])
      if (child !== TOMBSTONE && child.staged !== undefined && !isLost(child, this.#core)) return ENOTEMPTY;
    return OK;
  }

  /** The base listing of this directory may be out of date. */
  forget(dir: Inode): void {
    this.#sorted.delete(dir);
    const listing = this.#listings.get(dir);
    if (listing === undefined) return;
    this.#cachedEntries -= listing.entries.length;
    this.#listings.delete(dir);
  }

  forgetAll(): void {
    this.#listings.clear();
    this.#cachedEntries = 0;
    this.#sorted.clear();
  }

  #emitDots(dir: Inode, cookie: number, sink: DirectorySink): boolean {
    if (cookie === 0 && !emitDot(sink, '.' as Name, dir)) return false;
    return cookie > 1 || emitDot(sink, '..' as Name, dir.parent ?? dir);
  }

  #emitBase(dir: Inode, job: Job): boolean {
    const { entries } = job.listing;
    for (let i = Math.max(0, job.cookie - FIRST_BASE + 1); i < entries.length; i++) {
      const entry = entries[i];
      if (entry === undefined) break;
      const known = dir.children?.get(entry.name);
      if (known === TOMBSTONE || this.#hidesOnly(known)) continue;
      if (!job.sink.fits(entry.name)) return false;
      const ino = known?.ino || (entry.ino as Ino);
      this.#emit(job, { dir, name: entry.name }, { ino, type: known?.type ?? entry.type, next: i + FIRST_BASE });
    }
    return true;
  }

  #emitStaged(dir: Inode, job: Job): void {
    const names = this.#stagedNames(dir, job);
    for (let i = firstAfter(names, job.cookie); i < names.length; i++) {
      const { name, cookie } = names[i] as StagedName;
      const child = dir.children?.get(name);
      // Gone since the names were sorted.
      if (child === undefined || child === TOMBSTONE || child.staged === undefined) continue;
      if (!job.sink.fits(name)) return;
      this.#emit(job, { dir, name }, { ino: child.ino, type: child.type, next: cookie });
    }
  }

  #emit({ sink, plus }: Job, at: Place, shown: Shown): void {
    const { ino, type, next } = shown;
    if (!plus) {
      sink.add(at.name, ino, type, next);
      return;
    }
    const inode = this.#core.child(at);
    // Gone from the base since it was listed: without an entry the kernel will look it up and see.
    const found = typeof inode === 'number' ? undefined : this.#core.entry(inode);
    if (found === undefined || typeof found === 'number') sink.add(at.name, ino, type, next);
    else sink.add(at.name, found.stat.ino as Ino, found.stat.mode, next, found);
  }

  /** Sorted when the reading of them begins; what is made later may be left out, as on any file system. */
  #stagedNames(dir: Inode, job: Job): readonly StagedName[] {
    const sorted = this.#sorted.get(dir);
    if (job.cookie >= FIRST_STAGED && sorted !== undefined) return sorted;
    const names: StagedName[] = [];
    for (const [name, child] of dir.children ?? []) {
      if (child === TOMBSTONE || child.staged === undefined || job.listing.has(name)) continue;
      // Its base entry is gone, and nothing is left to show.
      if (isLost(child, this.#core)) continue;
      names.push({ name, cookie: FIRST_STAGED + hashOf(name) });
    }
    names.sort((a, b) => a.cookie - b.cookie);
    this.#sorted.delete(dir);
    const [first] = this.#sorted.keys();
    if (first !== undefined && this.#sorted.size >= MAX_SORTED) this.#sorted.delete(first);
    this.#sorted.set(dir, names);
    return names;
  }

  /** Whether something else than what the base has there stands at a name, and its base entry is gone. */
  #hidesOnly(known: Inode | undefined): boolean {
    return known?.staged !== undefined && !isNatural(known) && isLost(known, this.#core);
  }

  #listing(dir: Inode, fromStart: boolean): Listing | Errno {
    if (dir.base === undefined) return NOTHING;
    const cached = this.#listings.get(dir);
    if (cached !== undefined && (!fromStart || this.#core.base.watch(dir.base))) return cached;
    // Watched before it is read: a change in between is reported then.
    this.#core.base.watch(dir.base);
    const entries = this.#core.base.list(dir.base);
    // The base's directory is gone, but not what is staged in it.
    if (entries === ENOENT && dir.staged !== undefined) return NOTHING;
    if (typeof entries === 'number') return entries;
    const listing = new Listing(entries);
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

/** Its cookie is the length of its name; false when it does not fit. */
function emitDot(sink: DirectorySink, name: Name, inode: Inode): boolean {
  if (!sink.fits(name)) return false;
  sink.add(name, inode.ino || (1 as Ino), S_IFDIR, name.length);
  return true;
}

interface Job {
  readonly listing: Listing;
  readonly cookie: number;
  readonly sink: DirectorySink;
  readonly plus: boolean;
}

/** What a listing says of a name, and where the next one begins. */
interface Shown {
  readonly ino: Ino;
  readonly type: number;
  readonly next: number;
}

interface StagedName {
  readonly name: Name;
  readonly cookie: number;
}

/** Index of the first name behind a cookie. */
function firstAfter(names: readonly StagedName[], cookie: number): number {
  let low = 0;
  for (let high = names.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((names[middle]?.cookie ?? 0) <= cookie) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** 52 bits of a name (two rounds of FNV-1a): two names of one directory that share them are not to be expected. */
function hashOf(name: Name): number {
  let a = 0x811c9dc5;
  let b = 0x050c5d1f;
  for (let i = 0; i < name.length; i++) {
    a = Math.imul(a ^ name.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ name.charCodeAt(name.length - 1 - i), 0x01000193);
  }
  return (a >>> 0) * 2 ** 20 + (b >>> 12);
}

const NOTHING = new Listing([]);

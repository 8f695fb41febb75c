/**
 * What a source has said, as a directory tree of this machine: names, sizes and times at once, contents when somebody asks for them
 * (staging/awaited/fetched.ts). The view shows it as it shows any directory, and what changes here is a change outside. Lives in the thread of
 * the sources; contents are filled in by the FUSE thread, between two requests.
 *
 *     ROOT/guide/oauth.md            what the view has at AT/guide/oauth.md
 *     STATE/index.json               which revision each of them is, and which version of the tree
 *     STATE/new                      what is about to take its place in ROOT
 *     STATE/secret                   see `#markOf`
 */
import { createHash, randomBytes } from 'node:crypto';
import { AWAITED, FETCHED } from '../../staging/awaited/fetched.ts';
import { EEXIST, SystemError } from '../../sys/errno.ts';
import { makeDirectories, makeHollow, makeSymlink, removeOne, replace, setModified } from '../../sys/files/hollow.ts';
import { lookAt, readBytes, readText, removeName, savePieces, saveText } from '../../sys/files/text-files.ts';
import type { Entry, Listing } from '../source.ts';
import { EntryTable, parseTable } from './entry-table.ts';
import { above, type LeftOut, showable } from './names.ts';
import { Present } from './present.ts';
import { forgetRecent } from './recent.ts';

const LONGEST_TARGET = 4096;

export interface Changes {
  readonly changed: number;
  readonly removed: number;
  readonly leftOut: readonly LeftOut[];
}

/** Whether a mirror with this state shows a tree that was read whole. */
export function hasTree(state: string): boolean {
  return lookAt(indexIn(state)) !== undefined;
}

function indexIn(state: string): string {
  return `${state}/index.json`;
}

export class Mirror {
  readonly root: string;
  /** The directory of what is known of it. */
  readonly state: string;
  readonly present: Present;
  #entries = new EntryTable();
  #version: string | undefined;
  #checkedAt = 0;
  #leftOut: readonly LeftOut[] = [];
  readonly #secret: string;

  /** Both directories are made if need be. What was said before counts until the next `show`. */
  constructor({ root, state }: { readonly root: string; readonly state: string }) {
    this.root = root;
    this.state = state;
    this.present = new Present(root);
    makeDirectories(root);
    makeDirectories(state);
    this.#secret = secretIn(`${state}/secret`);
    const file = readBytes(this.#index);
    const index = file === undefined ? undefined : parseTable(file);
    if (index === undefined) return;
    this.#version = index.version;
    this.#checkedAt = lookAt(this.#index)?.mtimeMs ?? 0;
    this.#entries = index.table;
  }

  /** The version of the tree that is shown; undefined: none was ever read. */
  get version(): string | undefined {
    return this.#version;
  }

  /** When the source last said that this is its tree, in milliseconds since 1970. */
  get checkedAt(): number {
    return this.#checkedAt;
  }

  get leftOut(): readonly LeftOut[] {
    return this.#leftOut;
  }

  get entries(): EntryTable {
    return this.#entries;
  }

  /** The inode number of the file that shows this revision; undefined: none does. */
  inoOf(path: string, rev: string): number | undefined {
    return this.#entries.get(path)?.rev === rev ? lookAt(`${this.root}/${path}`)?.ino : undefined;
  }

  /** The source has said that nothing has changed. */
  confirm(): void {
    this.#checkedAt = Date.now();
    setModified(this.#index, this.#checkedAt);
  }

  /** Shows a listing. `targets` are those of its symlinks. Throws a SystemError when this machine has no room for it. */
  show(listing: Listing, targets: ReadonlyMap<string, string>): Changes {
    const { entries, leftOut } = showable(listing.entries);
    const made = new Set<string>();
    const isFirst = this.#version === undefined;
    const gone: Entry[] = [];
    for (const entry of this.#entries.values()) if (!entries.has(entry.path)) gone.push(entry);
    for (const { path, kind } of gone) this.#remove(path, kind, entries);
    let changed = 0;
    const shown: Entry[] = [];
    for (const entry of entries.values()) {
      const known = this.#entries.get(entry.path);
      shown.push(asShown(entry, known));
      if (known?.rev === entry.rev && known.kind === entry.kind) continue;
      this.#place(entry, { known, target: targets.get(entry.path), made });
      changed += 1;
      if (isFirst && entry.size === 0) this.present.comes(entry.path);
    }
    if (isFirst) this.present.made(made);
    this.#keep(listing.version, new EntryTable(shown), leftOut);
    return { changed, removed: gone.length, leftOut };
  }

  /** A commit has made the source what ROOT is at a path; undefined: nothing is there. */
  committed(path: string, rev: string | undefined, entry: Omit<Entry, 'rev' | 'path'>): void {
    this.#entries.set(path, rev === undefined ? undefined : { ...entry, path, rev });
  }

  /** After `committed`: what is shown is a version of ours until the source is asked again. */
  saveCommitted(): void {
    this.#keep(`${this.#version} and ours`, this.#entries.settled(), this.#leftOut);
  }

  /** What is shown at these paths may be something else than the source has: the next `show` puts it right. */
  distrust(paths: readonly string[]): void {
    for (const path of paths) {
      const entry = this.#entries.get(path);
      this.#entries.set(path, { path, kind: 'file', size: undefined, mtime: 0, acl: [], ...entry, rev: '?' });
    }
    this.saveCommitted();
  }

  #keep(version: string, entries: EntryTable, leftOut: readonly LeftOut[]): void {
    this.#entries = entries;
    this.#version = version;
    this.#checkedAt = Date.now();
    this.#leftOut = leftOut;
    // A commit may have written into the files that were there.
    forgetRecent();
    savePieces(this.#index, entries.render(version));
  }

  /** Its time is when the source last said that this is its tree. */
  get #index(): string {
    return indexIn(this.state);
  }

  #place(
    { path, kind, size, mtime, rev }: Entry,
    { known, target, made }: { known: Entry | undefined; target: string | undefined; made: Set<string> },
  ): void {
    const at = `${this.root}/${path}`;
    if (known !== undefined && known.kind !== kind) this.#remove(path, known.kind, new Map());
    const dir = kind === 'directory' ? path : (above(path)[0] ?? '');
    if (!made.has(dir)) makeDirectories(dir === '' ? this.root : `${this.root}/${dir}`);
    made.add(dir);
    if (kind === 'directory') return;
    const isFresh = known === undefined && this.#version === undefined;
    const fresh = isFresh ? at : `${this.state}/new`;
    const mode = size === 0 ? FETCHED : AWAITED;
    const make = (): void => {
      if (kind === 'symlink') makeSymlink(fresh, target ?? '?');
      else makeHollow(fresh, { size: size ?? 0, mtime, nanoseconds: this.#markOf(rev), mode });
    };
    makeAgain(fresh, make);
    if (!isFresh) replace(fresh, at);
  }

  /**
   * A source may give another content the time and the length of the one before. The nanoseconds tell its revisions apart, so
   * that to whoever compares times the file has changed. A revision can tell how much else there is (a number that each
   * change of an index counts up): nobody must be able to find it from these.
   */
  #markOf(rev: string): number {
    return createHash('sha256').update(this.#secret).update(rev).digest().readUInt32LE() % 1_000_000;
  }

  /** Removes an entry, with the directories above it that nothing is in any more. */
  #remove(path: string, kind: Entry['kind'], kept: ReadonlyMap<string, Entry>): void {
    if (!removeOne(`${this.root}/${path}`, kind === 'directory' ? 'directory' : 'file')) return;
    for (const dir of above(path)) {
      if (kept.has(dir) || !removeOne(`${this.root}/${dir}`, 'directory')) return;
    }
  }
}

/** What is known of a revision stays what is shown of it: a time that the source tells anew is no change. */
function asShown(entry: Entry, known: Entry | undefined): Entry {
  if (known?.rev !== entry.rev || (known.size === entry.size && known.mtime === entry.mtime)) return entry;
  return { ...entry, size: known.size, mtime: known.mtime };
}

/** Made once: what is shown of a revision stays as it is. */
function secretIn(file: string): string {
  const known = readText(file);
  if (known !== undefined && known !== '') return known;
  const secret = randomBytes(16).toString('hex');
  saveText(file, secret);
  return secret;
}

/** Makes something; what a crash has left in its place goes before. */
function makeAgain(path: string, make: () => void): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof SystemError) || error.errno !== EEXIST) throw error;
    removeName(path);
    make();
  }
}

/** The target that a symlink has; undefined for what can be none. */
export function targetOf(content: Uint8Array): string | undefined {
  const target = Buffer.from(content).toString('utf8');
  return target !== '' && !target.includes('\0') && content.length < LONGEST_TARGET ? target : undefined;
}

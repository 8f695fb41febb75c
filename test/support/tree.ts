/**
 * A directory tree as data: what two trees must agree in to be "the same, byte for byte".
 *
 * Everything is read relative to directory descriptors and names are byte strings (see src/sys/bytes.ts), so
 * names with any bytes and paths beyond PATH_MAX are read as they are. The same code reads the host's
 * directories in the test process and the view's in a process inside it (tree-main.ts).
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { label } from '../../src/sys/bytes.ts';
import { EACCES, EPERM } from '../../src/sys/errno.ts';
import * as libc from '../../src/sys/libc.ts';
import {
  decodeStatx,
  isDirectory,
  isRegular,
  isSymlink,
  S_IFBLK,
  S_IFCHR,
  S_IFDIR,
  S_IFIFO,
  S_IFLNK,
  S_IFMT,
  S_IFREG,
  S_IFSOCK,
  STATX_SIZE,
  type Stat,
} from '../../src/sys/stat.ts';

export interface TreeEntry {
  /** Relative to the root of the tree, as bytes; the root itself is ''. */
  readonly path: string;
  readonly type: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size?: number;
  /** Of the content, or `unreadable` for a reader without permission. */
  readonly sha256?: string;
  readonly target?: string;
  /** First path (in byte order) of the group of names within this tree that share the inode. */
  readonly sameAs?: string;
  readonly nlink?: number;
  readonly rdev?: number;
  readonly mtime?: string;
  readonly ino?: number;
  /** Attribute name to value in hex; `user.*` only, other namespaces belong to the host. */
  readonly xattrs?: Readonly<Record<string, string>>;
}

export interface TreeOptions {
  /** Include modification times (nanoseconds). */
  readonly mtime?: boolean;
  /** Include inode numbers. */
  readonly ino?: boolean;
  /** Regular expressions (source text) on relative paths; what matches, and all below it, is left out. */
  readonly skip?: readonly string[];
}

/** What a session adds to its project; never part of a comparison. */
const OURS = ['^\\.yolofs$', '^\\.yolofs\\.toml$'];

const TYPES: Readonly<Record<number, string>> = {
  [S_IFSOCK]: 'socket',
  [S_IFLNK]: 'symlink',
  [S_IFREG]: 'file',
  [S_IFBLK]: 'block device',
  [S_IFDIR]: 'directory',
  [S_IFCHR]: 'character device',
  [S_IFIFO]: 'fifo',
};

/** Reads the whole tree below `root` (text), sorted by path bytes. Throws when anything in it cannot be read. */
export function readTree(root: string, options: TreeOptions = {}): TreeEntry[] {
  const skip = [...OURS, ...(options.skip ?? [])].map((source) => new RegExp(source));
  const reader = new TreeReader(options, skip);
  reader.visit({ dirfd: libc.AT_FDCWD, name: Buffer.from(root).toString('latin1'), path: '' });
  return reader.finish();
}

interface Place {
  readonly dirfd: number;
  readonly name: string;
  readonly path: string;
}

class TreeReader {
  readonly #options: TreeOptions;
  readonly #skip: readonly RegExp[];
  readonly #entries: TreeEntry[] = [];
  readonly #inodes = new Map<string, string[]>();

  constructor(options: TreeOptions, skip: readonly RegExp[]) {
    this.#options = options;
    this.#skip = skip;
  }

  visit(place: Place): void {
    const stat = statAt(place);
    this.#entries.push({
      path: place.path,
      type: TYPES[stat.mode & S_IFMT] ?? 'unknown',
      mode: stat.mode & 0o7777,
      uid: stat.uid,
      gid: stat.gid,
      ...this.#content(place, stat),
      ...(this.#options.mtime === true ? { mtime: `${stat.mtimeSec}.${String(stat.mtimeNsec).padStart(9, '0')}` } : {}),
      ...(this.#options.ino === true ? { ino: stat.ino } : {}),
      ...xattrsOf(place, stat),
    });
    if (isDirectory(stat.mode)) this.#visitChildren(place);
  }

  /** The entries in order, with the hard-link groups filled in. */
  finish(): TreeEntry[] {
    const firstOf = new Map<string, string>();
    for (const group of this.#inodes.values()) {
      group.sort();
      if (group.length > 1) for (const path of group) firstOf.set(path, group[0] ?? path);
    }
    return this.#entries
      .map((entry) => ({ ...entry, ...(firstOf.has(entry.path) ? { sameAs: firstOf.get(entry.path) ?? '' } : {}) }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  #content(place: Place, stat: Stat): Partial<TreeEntry> {
    if (isDirectory(stat.mode)) return {};
    if (isSymlink(stat.mode)) return { target: ok(libc.readlinkAt(place.dirfd, place.name), 'readlink', place) };
    const key = `${stat.dev}:${stat.ino}`;
    this.#inodes.set(key, [...(this.#inodes.get(key) ?? []), place.path]);
    if (!isRegular(stat.mode)) return { nlink: stat.nlink, rdev: stat.rdev };
    return { nlink: stat.nlink, size: stat.size, sha256: digest(place, stat) };
  }

  #visitChildren(place: Place): void {
    const fd = ok(
      libc.openAt(place.dirfd, place.name, libc.O_RDONLY | libc.O_DIRECTORY | libc.O_NOFOLLOW),
      'open',
      place,
    );
    try {
      for (const name of namesIn(fd, place)) {
        const path = place.path === '' ? name : `${place.path}/${name}`;
        if (!this.#skip.some((pattern) => pattern.test(path))) this.visit({ dirfd: fd, name, path });
      }
    } finally {
      libc.close(fd);
    }
  }
}

function ok<T extends string | number>(result: T | number, call: string, place: Place): T {
  if (typeof result === 'number' && result < 0)
    throw new Error(`${call} of ${label(place.path) || '.'}: errno ${-result}`);
  return result as T;
}

function statAt(place: Place): Stat {
  const buffer = Buffer.alloc(STATX_SIZE);
  ok(libc.statxInto(place.dirfd, place.name, buffer), 'stat', place);
  return decodeStatx(buffer);
}

function namesIn(fd: number, place: Place): string[] {
  const names: string[] = [];
  const buffer = Buffer.alloc(65536);
  for (;;) {
    const bytes = ok(libc.getdents(fd, buffer), 'readdir', place);
    if (bytes === 0) return names;
    for (let at = 0; at < bytes; at += buffer.readUInt16LE(at + 16)) {
      const name = buffer.toString('latin1', at + 19, buffer.indexOf(0, at + 19));
      if (name !== '.' && name !== '..') names.push(name);
    }
  }
}

const chunk = Buffer.allocUnsafeSlow(1 << 20);

function digest(place: Place, stat: Stat): string {
  // Looking must not change what is looked at: no access times where we may.
  let fd = libc.openAt(place.dirfd, place.name, libc.O_RDONLY | libc.O_NOFOLLOW | libc.O_NOATIME);
  if (fd === -EPERM) fd = libc.openAt(place.dirfd, place.name, libc.O_RDONLY | libc.O_NOFOLLOW);
  if (fd === -EACCES) return 'unreadable';
  try {
    const hash = createHash('sha256');
    let size = 0;
    for (let bytes = readSync(ok(fd, 'open', place), chunk); bytes > 0; bytes = readSync(fd, chunk)) {
      hash.update(chunk.subarray(0, bytes));
      size += bytes;
    }
    if (size !== stat.size) throw new Error(`${label(place.path)} has ${size} bytes, stat says ${stat.size}`);
    return hash.digest('hex');
  } finally {
    libc.close(fd);
  }
}

const list = Buffer.allocUnsafeSlow(65536);
const value = Buffer.allocUnsafeSlow(65536);

function xattrsOf(place: Place, stat: Stat): { xattrs?: Record<string, string> } {
  if (!isRegular(stat.mode) && !isDirectory(stat.mode)) return {};
  const length = libc.listxattrAt(place.dirfd, place.name, list);
  if (length <= 0) return {};
  const names = list
    .toString('latin1', 0, length)
    .split('\0')
    .filter((name) => name.startsWith('user.'));
  if (names.length === 0) return {};
  const read = (name: string): string =>
    value.toString('hex', 0, ok(libc.getxattrAt(place.dirfd, place.name, name, value), 'getxattr', place));
  return { xattrs: Object.fromEntries(names.sort().map((name) => [name, read(name)])) };
}

/** The differences between two trees, one line each, for people; none when they are the same. */
export function diffTrees(expected: readonly TreeEntry[], actual: readonly TreeEntry[]): string[] {
  const left = new Map(expected.map((entry) => [entry.path, entry]));
  const right = new Map(actual.map((entry) => [entry.path, entry]));
  const lines: string[] = [];
  for (const path of [...new Set([...left.keys(), ...right.keys()])].sort()) {
    const a = left.get(path);
    const b = right.get(path);
    if (a === undefined) lines.push(`${label(path)}: not expected, a ${b?.type}`);
    else if (b === undefined) lines.push(`${label(path)}: missing, should be a ${a.type}`);
    else lines.push(...diffEntries(a, b));
  }
  return lines;
}

function diffEntries(a: TreeEntry, b: TreeEntry): string[] {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])] as (keyof TreeEntry)[];
  const show = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value));
  return keys
    .filter((key) => show(a[key]) !== show(b[key]))
    .map((key) => `${label(a.path) || '.'}: ${key} should be ${show(a[key])}, is ${show(b[key])}`);
}

/** Fails with a list of differences (the first 40) unless both trees are the same. */
export function assertSameTree(actual: readonly TreeEntry[], expected: readonly TreeEntry[], message: string): void {
  const lines = diffTrees(expected, actual);
  if (lines.length === 0) return;
  const more = lines.length > 40 ? `\n  ... and ${lines.length - 40} more` : '';
  assert.fail(`${message}: ${lines.length} differences\n  ${lines.slice(0, 40).join('\n  ')}${more}`);
}

/** One hash over a whole tree: for "nothing changed" where the details do not matter. */
export function hashTree(root: string, options: TreeOptions = { mtime: true, ino: true }): string {
  return createHash('sha256')
    .update(JSON.stringify(readTree(root, options)))
    .digest('hex');
}

/**
 * A full copy of a directory as plain data: what the naive model keeps for every generation. It reads and makes real
 * directories with node:fs and shares nothing with what it judges.
 */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as libc from '../../../src/sys/libc.ts';

export type NodeType = 'file' | 'directory' | 'symlink' | 'fifo' | 'other';

export interface Node {
  readonly type: NodeType;
  readonly mode: number;
  /** `uid:gid`, where that may be changed. */
  readonly owner: string | undefined;
  /** A file's bytes, a symlink's target. */
  readonly content: string;
  /** Only times that a step has set: all others are the clock's. */
  readonly mtime: number | undefined;
  /** The least path of those that name the same file, when there are several. */
  readonly sameAs: string | undefined;
  readonly xattrs: Readonly<Record<string, string>>;
}

/** Paths are bytes (one code unit each), relative, parents before children. */
export type Image = ReadonlyMap<string, Node>;

/** Steps set times in this range (seconds since 1970), the clock never does. */
const SET_FROM = 1_000_000_000;
export const setTime = (n: number): number => SET_FROM + n;
const isSet = (seconds: number): boolean => seconds >= SET_FROM && seconds < SET_FROM + 1_000_000;

/** What the session adds to its project. */
const OURS = '.yolofs';
/** The attributes that steps use. */
export const XATTRS = ['user.a', 'user.b'] as const;

export const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

const TYPES: ReadonlyMap<number, NodeType> = new Map([
  [0o100000, 'file'],
  [0o040000, 'directory'],
  [0o120000, 'symlink'],
  [0o010000, 'fifo'],
]);

export function typeOf(mode: number): NodeType {
  return TYPES.get(mode & 0o170000) ?? 'other';
}

/** One thing as somebody sees it, before hard links are brought together. */
export interface Seen extends Omit<Node, 'sameAs'> {
  readonly path: string;
  /** The same for all names of one file. */
  readonly identity: number;
}

/** Brings names of one file together. */
export function toImage(seen: readonly Seen[]): Image {
  const groups = new Map<number, string[]>();
  for (const { type, identity, path } of seen) {
    if (type !== 'directory') groups.set(identity, [...(groups.get(identity) ?? []), path].sort());
  }
  const entries = seen.map(({ path, identity, ...node }): [string, Node] => {
    const group = groups.get(identity) ?? [];
    return [path, { ...node, sameAs: group.length > 1 ? group[0] : undefined }];
  });
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function setMtime(seconds: number): number | undefined {
  return isSet(seconds) ? seconds : undefined;
}

export function ownerOf(uid: number, gid: number): string | undefined {
  return process.getuid?.() === 0 ? `${uid}:${gid}` : undefined;
}

/** Reads a real directory. */
export function readImage(root: string): Image {
  const seen: Seen[] = [];
  const walk = (dir: string): void => {
    for (const name of fs.readdirSync(bytes(`${root}/${dir}`), 'latin1')) {
      if (dir === '' && name === OURS) continue;
      const path = dir === '' ? name : `${dir}/${name}`;
      const found = readNode(`${root}/${path}`, path);
      seen.push(found);
      if (found.type === 'directory') walk(path);
    }
  };
  walk('');
  return toImage(seen);
}

function readNode(at: string, path: string): Seen {
  const stat = fs.lstatSync(bytes(at));
  const type = typeOf(stat.mode);
  let content = '';
  if (type === 'file') content = fs.readFileSync(bytes(at), 'latin1');
  if (type === 'symlink') content = fs.readlinkSync(bytes(at), 'latin1');
  const xattrs = type === 'file' || type === 'directory' ? readXattrs(at) : {};
  const mtime = setMtime(Math.floor(stat.mtimeMs / 1000));
  const owner = ownerOf(stat.uid, stat.gid);
  return { path, type, mode: stat.mode & 0o7777, owner, content, mtime, xattrs, identity: stat.ino };
}

export function readXattrs(at: string): Record<string, string> {
  const value = Buffer.alloc(256);
  const found: Record<string, string> = {};
  for (const name of XATTRS) {
    const length = libc.getxattrAt(libc.AT_FDCWD, at, name, value);
    if (length >= 0) found[name] = value.toString('latin1', 0, length);
  }
  return found;
}

/** Makes a real directory hold exactly this. */
export function writeImage(root: string, image: Image): void {
  clear(root);
  for (const [path, node] of image) makeNode(root, path, node);
  // Children last: making them changes their directory's time.
  for (const [path, node] of [...image].reverse()) finishNode(`${root}/${path}`, node);
}

export function clear(root: string): void {
  for (const name of fs.readdirSync(bytes(root), 'latin1')) {
    if (name !== OURS) removeTree(`${root}/${name}`);
  }
}

/** rm -rf, for names of any bytes. */
export function removeTree(at: string): void {
  if (fs.lstatSync(bytes(at)).isDirectory()) {
    for (const name of fs.readdirSync(bytes(at), 'latin1')) removeTree(`${at}/${name}`);
    fs.rmdirSync(bytes(at));
  } else fs.unlinkSync(bytes(at));
}

function makeNode(root: string, path: string, node: Node): void {
  const at = bytes(`${root}/${path}`);
  if (node.sameAs !== undefined && node.sameAs !== path) fs.linkSync(bytes(`${root}/${node.sameAs}`), at);
  else if (node.type === 'directory') fs.mkdirSync(at);
  else if (node.type === 'file') fs.writeFileSync(at, node.content, 'latin1');
  else if (node.type === 'symlink') fs.symlinkSync(bytes(node.content), at);
  else libc.mknodAt(libc.AT_FDCWD, `${root}/${path}`, 0o010600, 0);
}

function finishNode(at: string, node: Node): void {
  const [uid, gid] = (node.owner ?? '').split(':').map(Number);
  if (uid !== undefined && gid !== undefined) fs.lchownSync(bytes(at), uid, gid);
  // After the owner, which takes set-id bits away.
  if (node.type !== 'symlink') fs.chmodSync(bytes(at), node.mode);
  for (const [name, value] of Object.entries(node.xattrs)) {
    libc.setxattrAt(libc.AT_FDCWD, at, name, bytes(value));
  }
  const now = Math.floor(Date.now() / 1000);
  if (node.type !== 'symlink') fs.utimesSync(bytes(at), now, node.mtime ?? now);
}

/** The differences, one line each, but for paths at which they do not count; none when both are the same. */
export function differences(
  expected: Image,
  actual: Image,
  isExcused: (path: string) => boolean = () => false,
): string[] {
  const lines: string[] = [];
  for (const path of new Set([...expected.keys(), ...actual.keys()])) {
    const [want, have] = [describe(expected.get(path)), describe(actual.get(path))];
    if (want !== have && !isExcused(path)) lines.push(`${JSON.stringify(path)}: should be ${want}, is ${have}`);
  }
  return lines;
}

/** Fails when two trees are not the same; `what` the second is. */
export function same(expected: Image, actual: Image, what: string): void {
  const lines = differences(expected, actual);
  if (lines.length > 0) assert.fail(`${what} is not what it should be:\n  ${lines.slice(0, 12).join('\n  ')}`);
}

/**
 * Whether only files differ, in what they are: names of one may have become files of their own, each with what either had. Of what else
 * has several names (symlinks, fifos) that differs, whether they are one, and with that their attributes.
 */
export function isParted(expected: Image, actual: Image): boolean {
  return differences(expected, actual, (path) => areParted(expected.get(path), actual.get(path))).length === 0;
}

function areParted(one: Node | undefined, other: Node | undefined): boolean {
  if (one === undefined || other === undefined || one.type !== other.type) return false;
  if (one.type === 'file') return true;
  return one.sameAs !== other.sameAs && one.content === other.content && one.type !== 'directory';
}

function describe(node: Node | undefined): string {
  if (node === undefined) return 'absent';
  const { type, mode, owner, content, mtime, sameAs, xattrs } = node;
  const parts = [type, type === 'symlink' ? '' : mode.toString(8), JSON.stringify(content)];
  if (owner !== undefined && owner !== '0:0') parts.push(owner);
  if (mtime !== undefined && type !== 'symlink') parts.push(`mtime=${mtime}`);
  if (sameAs !== undefined) parts.push(`sameAs=${JSON.stringify(sameAs)}`);
  if (Object.keys(xattrs).length > 0) parts.push(JSON.stringify(xattrs));
  return parts.join(' ');
}

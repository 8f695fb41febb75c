/**
 * Where a symlink of the view leads for programs outside of it. As it stands it would lead them out of the mount, to the real file
 * of that name, and an agent could have a person's editor write there: so what is not plainly below the link's own directory is
 * given as an absolute path below the mount, without a symlink and without `..` in it.
 */
import type { FileSystem } from '../../fuse/filesystem.ts';
import { type BytePath, components, join, type Name, type NodeId, ROOT, splitPath } from '../../sys/bytes.ts';
import { S_IFLNK, S_IFMT } from '../../sys/stat.ts';

export interface Outside {
  readonly fs: Pick<FileSystem, 'lookup' | 'readlink' | 'forget'>;
  /** Where the view is mounted. */
  readonly at: BytePath;
}

const ROOT_NODE = 1 as NodeId;
/** As Linux allows. */
const MOST_LINKS = 40;

/** `link`: the symlink's own path in the view; undefined: it has lost its name. */
export function targetOutside({ fs, at }: Outside, link: BytePath | undefined, target: string): string {
  if (!target.startsWith('/') && !target.split('/').includes('..')) return target;
  const dir = (link === undefined ? undefined : splitPath(link)?.dir) ?? ROOT;
  const path = resolveInView(fs, dir, target);
  return path === ROOT ? at : at + path;
}

/** Of what there is not all names are taken as they stand. */
function resolveInView(fs: Outside['fs'], dir: BytePath, target: string): BytePath {
  const left = partsOf(target).reverse();
  let at: BytePath[] = target.startsWith('/') ? [] : waysTo(dir);
  for (let links = 0, next = left.pop(); next !== undefined; next = left.pop()) {
    if (next === '..') {
      at.pop();
      continue;
    }
    const path = join(at.at(-1) ?? ROOT, next as Name);
    const to = links < MOST_LINKS ? linkAt(fs, path) : undefined;
    if (to === undefined) {
      at.push(path);
      continue;
    }
    links++;
    if (to.startsWith('/')) at = [];
    left.push(...partsOf(to).reverse());
  }
  return at.at(-1) ?? ROOT;
}

function partsOf(target: string): string[] {
  return target.split('/').filter((part) => part !== '' && part !== '.');
}

/** All directories on the way to a path, and it. */
function waysTo(path: BytePath): BytePath[] {
  const ways: BytePath[] = [];
  for (const name of components(path)) ways.push(join(ways.at(-1) ?? ROOT, name));
  return ways;
}

/** The target of a symlink in the view; undefined for anything else. No part of the way to it is a symlink. */
function linkAt(fs: Outside['fs'], path: BytePath): string | undefined {
  let node = ROOT_NODE;
  let isLink = false;
  for (const name of components(path)) {
    const entry = fs.lookup(node, name);
    if (node !== ROOT_NODE) fs.forget(node, 1);
    if (typeof entry === 'number' || !('stat' in entry)) return undefined;
    node = entry.nodeId;
    isLink = (entry.stat.mode & S_IFMT) === S_IFLNK;
  }
  const target = isLink ? fs.readlink(node) : undefined;
  if (node !== ROOT_NODE) fs.forget(node, 1);
  return typeof target === 'string' ? target : undefined;
}

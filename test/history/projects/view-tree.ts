/** The view of a StagedProject in the form of support/tree.ts, so that it can be compared with real directories. */
import { createHash } from 'node:crypto';
import type { BytePath, NodeId } from '../../../src/sys/bytes.ts';
import { S_IFDIR, S_IFLNK, S_IFMT, S_IFREG, type Stat } from '../../../src/sys/stat.ts';
import { CALLER } from '../../staging/view-driver.ts';
import { readTree, type TreeEntry, type TreeOptions } from '../../support/tree.ts';
import type { StagedProject } from './staged-project.ts';

const TYPES: Readonly<Record<number, string>> = {
  [S_IFDIR]: 'directory',
  [S_IFLNK]: 'symlink',
  [S_IFREG]: 'file',
  4096: 'fifo',
};

/** Everything at and below the project, with modification times. */
export function readView(project: StagedProject): TreeEntry[] {
  const { overlay, dir } = project.view;
  const entries: TreeEntry[] = [];
  const groups = new Map<number, string[]>();
  const visit = (path: BytePath, relative: string): void => {
    const node = project.driver.resolve(path) as NodeId;
    const attr = overlay.getattr(node);
    if (typeof attr === 'number') throw new Error(`getattr ${path}: ${attr}`);
    const { stat } = attr;
    const type = stat.mode & S_IFMT;
    if (type !== S_IFDIR && type !== S_IFLNK) groups.set(node, [...(groups.get(node) ?? []), relative]);
    entries.push({
      path: relative,
      type: TYPES[type] ?? 'unknown',
      mode: stat.mode & 0o7777,
      uid: stat.uid,
      gid: stat.gid,
      ...content(project, node, stat),
      mtime: `${stat.mtimeSec}.${String(stat.mtimeNsec).padStart(9, '0')}`,
      ...xattrs(project, node, type),
    });
    if (type !== S_IFDIR) return;
    for (const name of project.driver.list(path)) {
      visit(`${path}/${name}` as BytePath, relative === '' ? name : `${relative}/${name}`);
    }
  };
  visit(dir, '');
  const first = new Map<string, string>();
  for (const group of groups.values()) {
    const [least = ''] = group.sort();
    if (group.length > 1) for (const path of group) first.set(path, least);
  }
  return entries
    .map((entry) => (first.has(entry.path) ? { ...entry, sameAs: first.get(entry.path) ?? '' } : entry))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A real directory in the same form. */
export function readPlain(dir: string, options: TreeOptions = {}): TreeEntry[] {
  return readTree(dir, options);
}

/** A tree without what only the clock decides. */
export function withoutTimes(entries: readonly TreeEntry[]): TreeEntry[] {
  return entries.map(({ mtime: _, ...entry }) => entry);
}

function content(project: StagedProject, node: NodeId, stat: Stat): Partial<TreeEntry> {
  const { overlay } = project.view;
  const type = stat.mode & S_IFMT;
  if (type === S_IFDIR) return {};
  if (type === S_IFLNK) return { target: String(overlay.readlink(node)) };
  if (type !== S_IFREG) return { nlink: stat.nlink, rdev: stat.rdev };
  const bytes = Buffer.alloc(stat.size);
  if (overlay.read(node, 0, bytes) !== stat.size) throw new Error('short read');
  return { nlink: stat.nlink, size: stat.size, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function xattrs(project: StagedProject, node: NodeId, type: number): Partial<TreeEntry> {
  if (type !== S_IFREG && type !== S_IFDIR) return {};
  const list = project.view.overlay.listxattr(node);
  if (typeof list === 'number') return {};
  const names = list
    .toString('latin1')
    .split('\0')
    .filter((name) => name.startsWith('user.'))
    .sort();
  if (names.length === 0) return {};
  const value = (name: string): string => {
    const bytes = project.view.overlay.getxattr(node, name, CALLER);
    return typeof bytes === 'number' ? `errno ${bytes}` : bytes.toString('hex');
  };
  return { xattrs: Object.fromEntries(names.map((name) => [name, value(name)])) };
}

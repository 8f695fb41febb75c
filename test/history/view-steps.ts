/** Random changes of a `HistoryView`, the kinds of mutations that history records, and what comes between them. */

import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Ticket } from '../../src/fuse/filesystem.ts';
import { type BytePath, isWithin, type NodeId, splitPath } from '../../src/sys/bytes.ts';
import { RENAME_EXCHANGE } from '../../src/sys/libc.ts';
import { S_IFDIR, S_IFIFO, S_IFMT, S_IFREG } from '../../src/sys/stat.ts';
import { fc } from '../random/fast-check.ts';
import type { HistoryView } from './history-view.ts';

const CALLER = { uid: 1000, gid: 1000, pid: 42, ticket: 0 as Ticket };

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', '-', 'd\n', '\xff', 'x'.repeat(255));
// Mostly what the base has and a few more, so that steps meet.
const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('c', 'a', 'a/a', 'a/b', 'a/b/c', 'a/c', 'b', 'b/a', 'b/a/a', 'b/b', 'b/c') },
  { weight: 4, arbitrary: fc.constantFrom('d', 'e', 'a/d', 'b/d', 'd/d', 'e/a') },
  { weight: 1, arbitrary: fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/')) },
);

export const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('create', 'mkdir', 'symlink', 'fifo'), path }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('unlink', 'rmdir'), path }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom('rename', 'rename', 'exchange', 'link'), path, to: path }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('write', 'truncate', 'look'), path }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('chmod', 'chown', 'touch', 'xattr', 'unxattr'), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('tmpfile'), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('snapshot', 'restart', 'note') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('flush') }) },
) as fc.Arbitrary<Step>;

export interface Step {
  readonly kind: string;
  readonly path?: string;
  readonly to?: string;
}

/** A base with a bit of everything; two groups of hard links. */
export function fill(dir: string): void {
  mkdirSync(`${dir}/a/b`, { recursive: true });
  mkdirSync(`${dir}/b/a`, { recursive: true });
  writeFileSync(`${dir}/c`, 'base c');
  writeFileSync(`${dir}/a/a`, 'base a/a');
  writeFileSync(`${dir}/a/b/c`, 'base a/b/c');
  symlinkSync('a', `${dir}/a/c`);
  linkSync(`${dir}/c`, `${dir}/b/c`);
  linkSync(`${dir}/c`, `${dir}/b/a/a`);
  linkSync(`${dir}/a/a`, `${dir}/b/b`);
}

/** Does one step, as far as the present state allows it; errors of the view are fine, it must only tell history the truth. */
export async function take(view: HistoryView, { kind, path = '', to = '' }: Step): Promise<void> {
  const at = `${view.dir}/${path}` as BytePath;
  const other = `${view.dir}/${to}` as BytePath;
  if (kind === 'restart') return view.restart();
  if (kind === 'flush') view.history.flush(view.tree);
  else if (kind === 'snapshot') view.history.snapshot('s\n');
  else if (kind === 'note') view.history.journal.append(note);
  else if (to !== '') twoPaths(view, kind, [at, other]);
  else names(view, kind, at) || inodes(view, kind, at);
}

const note = {
  ...{ generation: 0 as never, time: { sec: 1, nsec: 0 }, who: { run: 0, pid: 0, process: undefined } },
  body: { tag: 'N', fields: ['', '-', '\t'] },
} as const;

function twoPaths(view: HistoryView, kind: string, [at, to]: [BytePath, BytePath]): void {
  // The kernel refuses these by itself.
  if (kind !== 'link' && (isWithin(to, at) || isWithin(at, to))) return;
  if (kind === 'link') view.driver.link(at, to);
  else if (typeAt(view, parentOf(at)) === S_IFDIR && typeAt(view, parentOf(to)) === S_IFDIR) {
    view.driver.rename(at, to, kind === 'exchange' ? RENAME_EXCHANGE : 0);
  }
}

/** Steps that make or remove a name; whether `kind` was one. */
function names(view: HistoryView, kind: string, at: BytePath): boolean {
  const { driver, overlay } = view;
  const dir = driver.resolve(parentOf(at)) as NodeId;
  const name = splitPath(at)?.name;
  if (typeAt(view, parentOf(at)) !== S_IFDIR || name === undefined) return true;
  if (kind === 'create') driver.create(at, 0o644);
  else if (kind === 'mkdir') driver.mkdir(at, 0o755);
  else if (kind === 'symlink') driver.symlink('to\n-\xff', at);
  else if (kind === 'fifo') overlay.mknod(dir, name, { mode: S_IFIFO | 0o600, rdev: 0, umask: 0 }, CALLER);
  else if (kind === 'unlink') driver.unlink(at);
  else if (kind === 'rmdir') driver.rmdir(at);
  else if (kind === 'look') driver.resolve(at);
  else if (kind === 'tmpfile') {
    const made = overlay.tmpfile(dir, { mode: 0o600, rdev: 0, umask: 0 }, CALLER);
    if (typeof made === 'number') return true;
    overlay.write(made.nodeId, 0, Buffer.from('tmp'), CALLER);
    overlay.link(made.nodeId, dir, name, CALLER);
  } else return false;
  return true;
}

function inodes(view: HistoryView, kind: string, at: BytePath): void {
  const { driver, overlay } = view;
  const node = driver.resolve(at);
  if (node < 0) return;
  const nodeId = node as NodeId;
  const isFile = typeAt(view, at) === S_IFREG;
  if (kind === 'write' && isFile) driver.write(at, 3, 'written');
  else if (kind === 'truncate' && isFile) driver.truncate(at, 2);
  else if (kind === 'chmod') driver.chmod(at, 0o750);
  else if (kind === 'chown') overlay.setattr(nodeId, { uid: 7, gid: 8 }, CALLER);
  else if (kind === 'touch') overlay.setattr(nodeId, { mtime: { sec: -5, nsec: 1 }, atime: 'now' }, CALLER);
  else if (kind === 'xattr') overlay.setxattr(nodeId, 'user.x', Buffer.from([0, 9, 10, 255]), 0, CALLER);
  else if (kind === 'unxattr') overlay.removexattr(nodeId, 'user.x', CALLER);
}

function typeAt(view: HistoryView, path: BytePath): number {
  const node = view.driver.resolve(path);
  const attr = node < 0 ? 0 : view.overlay.getattr(node as NodeId);
  return typeof attr === 'number' ? 0 : attr.stat.mode & S_IFMT;
}

function parentOf(path: BytePath): BytePath {
  return splitPath(path)?.dir ?? path;
}

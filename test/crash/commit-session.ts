/** A session without a mount for crashes of commit and undo: a base with much in it, and 200 changes of every kind. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { LiveView } from '../../src/daemon/live-view.ts';
import { recoverCommits } from '../../src/history/commits/recover.ts';
import { type Layout, layoutOf } from '../../src/history/layout.ts';
import type { Overlay } from '../../src/staging/overlay.ts';
import type { BytePath } from '../../src/sys/bytes.ts';
import { StagedProject } from '../history/staged-project.ts';
import { ViewDriver } from '../staging/view-driver.ts';
import { readTree, type TreeEntry } from '../support/tree.ts';

/** A commit of everything. */
export const ALL = { paths: [], wishes: { ours: [], theirs: [], merge: false } } as const;

export interface Place {
  readonly root: string;
  /** The directory whose files change; the session lies beside it. */
  readonly base: string;
  readonly layout: Layout;
}

export function placeAt(root: string): Place {
  return { root, base: `${root}/base`, layout: layoutOf(`${root}/session`) };
}

/** Serves the session, as the daemon does; the caller closes it. */
export async function openLive({ layout }: Place): Promise<LiveView> {
  const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, groups: [], mapsAll: true };
  await recoverCommits(layout);
  return new LiveView({ layout, owner, durable: true, maxFiles: 64, rules: [] });
}

/** All that can be compared of the base; hard links by their groups, as the attic has some of their names. */
export function treeOf({ base }: Place, options: { readonly ino?: boolean } = {}): TreeEntry[] {
  return readTree(base, { mtime: true, ...options }).map(({ nlink: _, ...entry }) => entry);
}

/** Temporary names that anything has left. */
export function leftovers({ root, layout }: Place): string[] {
  const names = fs.readdirSync(`${root}/base`, { recursive: true, encoding: 'utf8' });
  const logs = fs.existsSync(layout.commits) ? fs.readdirSync(layout.commits) : [];
  const unfinished = logs.filter(
    (log) => !/^(?:steps|undone)$/m.test(fs.readdirSync(`${layout.commits}/${log}`).join('\n')),
  );
  return [...names.filter((name) => name.includes('.yolofs-')), ...unfinished.map((log) => `commits/${log}`)];
}

/** Puts a base in place; `other`, if given, becomes a directory of it on another file system. */
export function fillBase({ base, layout }: Place, withOther: boolean): void {
  fs.mkdirSync(`${layout.project}/.yolofs`, { recursive: true });
  fs.mkdirSync(base);
  fs.mkdirSync(`${base}/other`);
  if (withOther) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'none', `${base}/other`]);
  for (let i = 0; i < GROUPS; i++) fillGroup(`${base}/g${i}`);
  fs.mkdirSync(`${base}/other/tree/deep`, { recursive: true });
  for (const name of ['a', 'b', 'c', 'd', 'tree/f', 'tree/deep/f'])
    fs.writeFileSync(`${base}/other/${name}`, `other ${name}\n`);
}

export function emptyBase({ base, root }: Place, withOther: boolean): void {
  // A test that fails may have files open there.
  if (withOther) execFileSync('umount', ['-l', `${base}/other`]);
  fs.rmSync(root, { recursive: true, force: true });
}

const GROUPS = 10;

function fillGroup(dir: string): void {
  for (const sub of ['sub/in/deep', 'gone/in', 'swap1', 'swap2', 'outer/inner'])
    fs.mkdirSync(`${dir}/${sub}`, { recursive: true });
  const files = [
    'edit',
    'mode',
    'rm',
    'mv',
    'mvedit',
    'x1',
    'x2',
    'r1',
    'r2',
    'r3',
    'link',
    'attr',
    'type',
    'odd\n\xff',
  ];
  for (const name of files) fs.writeFileSync(`${dir}/${name}`, `${name} of ${dir.slice(-2)}\n`);
  for (const name of [
    'sub/f',
    'sub/in/f',
    'sub/in/deep/f',
    'gone/f',
    'gone/in/f',
    'swap1/f',
    'swap2/f',
    'outer/f',
    'outer/inner/f',
  ]) {
    fs.writeFileSync(`${dir}/${name}`, `${name}\n`);
  }
  fs.linkSync(`${dir}/link`, `${dir}/sub/link2`);
  fs.symlinkSync('edit', `${dir}/symlink`);
  fs.chmodSync(`${dir}/gone/in`, 0o750);
  fs.utimesSync(`${dir}/mv`, 1000, 2000);
  fs.utimesSync(`${dir}/sub`, 3000, 4000);
}

/** Stages changes of every kind, about twenty in each of ten directories, and some across file systems. */
export function stageAll(overlay: Overlay, { base }: Place): void {
  const p = new StagedProject();
  const { close } = p.view;
  p.view = { ...p.view, overlay, dir: base as BytePath };
  p.driver = new ViewDriver(overlay);
  for (let i = 0; i < GROUPS; i++) stageGroup(p, `g${i}`);
  p.append('other/a', 'more').rm('other/b').mv('other/c', 'g0/from-other').mv('g0/mode', 'other/to-other');
  p.mv('other/tree', 'g1/tree')
    .write('g1/tree/new', 'n')
    .rm('g1/tree/f')
    .write('other/new', 'n')
    .link('other/d', 'g2/linked');
  close();
}

function stageGroup(p: StagedProject, g: string): void {
  p.write(`${g}/new`, 'new\n')
    .append(`${g}/edit`, 'more\n')
    .chmod(`${g}/mode`, 0o600)
    .rm(`${g}/rm`)
    .mv(`${g}/mv`, `${g}/moved`);
  p.mv(`${g}/mvedit`, `${g}/sub/mvedit`).append(`${g}/sub/mvedit`, 'more\n').exchange(`${g}/x1`, `${g}/x2`);
  p.mv(`${g}/r1`, `${g}/t`).mv(`${g}/r2`, `${g}/r1`).mv(`${g}/r3`, `${g}/r2`).mv(`${g}/t`, `${g}/r3`);
  p.append(`${g}/link`, 'more\n').setxattr(`${g}/attr`, 'user.k', 'v').chown(`${g}/attr`, 7, 8);
  p.rm(`${g}/type`).mkdir(`${g}/type`).write(`${g}/type/f`, 'f').symlink('f', `${g}/type/l`).mkfifo(`${g}/type/p`);
  p.rmTree(`${g}/gone`)
    .write(`${g}/gone`, 'a file\n')
    .exchange(`${g}/swap1`, `${g}/swap2`)
    .write(`${g}/swap1/new`, 'n');
  p.mv(`${g}/outer/inner`, `${g}/inner`).mv(`${g}/outer`, `${g}/inner/outer`).append(`${g}/inner/outer/f`, 'x');
  p.mv(`${g}/sub`, `${g}/sub2`).rm(`${g}/sub2/in/f`).write(`${g}/sub2/in/g`, 'g').mv(`${g}/sub2/in/deep`, `${g}/deep`);
  p.mkdir(`${g}/made`, 0o700)
    .link(`${g}/new`, `${g}/made/new2`)
    .utimes(`${g}/made`, { sec: 5, nsec: 6 })
    .mv(`${g}/odd\n\xff`, `${g}/made/odd`);
}

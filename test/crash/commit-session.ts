/** A base with much in it, and changes of every kind: what the crash matrix works on. */
import * as fs from 'node:fs';
import type { BytePath } from '../../src/sys/bytes.ts';
import { StagedProject } from '../history/projects/staged-project.ts';
import { ViewDriver } from '../staging/view-driver.ts';
import type { CrashWorld } from './crash-world.ts';

/** A commit of everything. */
export const ALL = { paths: [], wishes: { ours: [], theirs: [], merge: false } } as const;

/** Fills a base; what `other` is on another file system, if that is mounted there. */
export function fillBase(base: string, groups: number): void {
  for (let i = 0; i < groups; i++) fillGroup(`${base}/g${i}`);
  fs.mkdirSync(`${base}/other/tree/deep`, { recursive: true });
  for (const name of ['a', 'b', 'c', 'd', 'tree/f', 'tree/deep/f'])
    fs.writeFileSync(`${base}/other/${name}`, `other ${name}\n`);
}

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

/** Stages changes of every kind, about twenty in each of so many directories, and some across file systems. */
export function stageAll(world: CrashWorld, groups: number): void {
  const p = new StagedProject();
  const { close } = p.view;
  const { overlay } = world.live;
  p.view = { ...p.view, overlay, dir: world.place.base as BytePath };
  p.driver = new ViewDriver(overlay);
  for (let i = 0; i < groups; i++) stageGroup(p, `g${i}`);
  p.append('other/a', 'more').rm('other/b').mv('other/c', 'g0/from-other').mv('g0/mode', 'other/to-other');
  p.mv('other/tree', 'g0/tree')
    .write('g0/tree/new', 'n')
    .rm('g0/tree/f')
    .write('other/new', 'n')
    .link('other/d', 'g0/linked');
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

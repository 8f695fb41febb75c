/** What somebody else does to the real files, in the midst of a session. */
import * as fs from 'node:fs';
import { MergeBases } from '../../../../src/history/commit/conflict/merge-bases.ts';
import type { Layout } from '../../../../src/history/layout.ts';
import { HostTree } from '../../../../src/staging/host-tree.ts';
import { type BytePath, toBytePath } from '../../../../src/sys/bytes.ts';
import * as libc from '../../../../src/sys/libc.ts';
import { bytes, type Image, readXattrs } from '../image.ts';
import { differing } from '../part.ts';
import type { EditHow } from '../steps.ts';
import type { Foreign } from './foreign.ts';

export interface EditOrder {
  readonly how: EditHow;
  readonly n: number;
  /** No other file ever has this line. */
  readonly line: string;
}

interface Trees {
  readonly base: Image;
  readonly view: Image;
  readonly foreign: Pick<Foreign, 'isFar'>;
}

/** The path that an order is about: of four orders three meet what is staged, if they can. '' when there is none. */
export function pathOfEdit({ how, n }: EditOrder, { base, view, foreign }: Trees): string {
  const files = how === 'create' ? freeNames(base) : filesOf(base);
  const all = how === 'chmod' ? files.filter((path) => foreign.isFar(path)) : files;
  const staged = new Set(differing(base, view));
  const meeting = all.filter((path) => staged.has(path));
  const choice = n % 4 !== 3 && meeting.length > 0 ? meeting : all;
  return choice[(n >> 2) % choice.length] ?? '';
}

/**
 * Carries it out. `gone` gets a descriptor of a file that loses its name: the view may show it yet, and a new file must not get
 * its inode number, by which the model tells files from each other.
 */
export function editOutside({ how, n, line }: EditOrder, at: string, gone: number[]): void {
  if (how === 'remove' || how === 'replace') gone.push(fs.openSync(bytes(at), 'r'));
  if (how === 'create' || how === 'write') fs.writeFileSync(bytes(at), line);
  else if (how === 'append') fs.appendFileSync(bytes(at), line);
  else if (how === 'remove') fs.unlinkSync(bytes(at));
  else if (how === 'chmod') fs.chmodSync(bytes(at), n % 3 === 0 ? 0o640 : 0o711);
  else {
    const found = fs.statSync(bytes(at));
    const aside = `${at}~`;
    // With its attributes: those that nobody has staged are the base's, also of a file with staged content.
    fs.writeFileSync(bytes(aside), line);
    fs.lchownSync(bytes(aside), found.uid, found.gid);
    fs.chmodSync(bytes(aside), found.mode & 0o7777);
    for (const [name, value] of Object.entries(readXattrs(at)))
      libc.setxattrAt(libc.AT_FDCWD, aside, name, bytes(value));
    fs.renameSync(bytes(`${at}~`), bytes(at));
  }
}

function filesOf(image: Image): string[] {
  return [...image].filter(([, { type }]) => type === 'file').map(([path]) => path);
}

function freeNames(base: Image): string[] {
  const dirs = ['', ...[...base].filter(([, { type }]) => type === 'directory').map(([path]) => `${path}/`)];
  return dirs.flatMap((dir) => ['a', 'd', 'x'].map((name) => dir + name)).filter((path) => !base.has(path));
}

/** As the daemon does in time: what a merge of this file may need. */
export function keepOriginal(layout: Layout, path: string): void {
  const base = new HostTree({ hidden: [], empty: [] });
  new MergeBases(layout.mergeBases).keep(`${toBytePath(layout.project)}/${path}` as BytePath, base);
  base.close();
}

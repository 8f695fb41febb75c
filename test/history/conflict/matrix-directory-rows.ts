/** Rows of the matrix for a directory, of files and another directory: what is done to it, or in it, on both sides. */
import * as fs from 'node:fs';
import { nothing, type Row } from './matrix-row.ts';

const inD = (dir: string): void => fs.appendFileSync(`${dir}/d/in/c`, 'theirs\n');
const newInD = (dir: string): void => fs.writeFileSync(`${dir}/d/in/new`, 'theirs\n');
const rmD = (dir: string): void => fs.rmSync(`${dir}/d`, { recursive: true });

export const DIRECTORY_ROWS: readonly Row[] = [
  ['deleted directory, nothing outside', (p) => p.rmTree('d'), nothing, []],
  [
    'deleted directory, a file in it modified outside',
    (p) => p.rmTree('d'),
    inD,
    ['d: deleted here, modified outside'],
  ],
  [
    'deleted directory, a file in it appeared outside',
    (p) => p.rmTree('d'),
    newInD,
    ['d: deleted here, modified outside'],
  ],
  ['deleted directory, deleted outside', (p) => p.rmTree('d'), rmD, []],
  [
    'deleted directory, made anew outside',
    (p) => p.rmTree('d'),
    (dir) => {
      rmD(dir);
      fs.mkdirSync(`${dir}/d`);
    },
    ['d: deleted here, modified outside'],
  ],
  [
    'deleted directory, replaced by a file outside',
    (p) => p.rmTree('d'),
    (dir) => {
      rmD(dir);
      fs.writeFileSync(`${dir}/d`, '');
    },
    ['d: deleted here, replaced by something else outside'],
  ],
  [
    'directory replaced by a file, a file in it modified outside',
    (p) => p.rmTree('d').write('d', 'x'),
    inD,
    ['d: replaced here, modified outside'],
  ],
  ['moved directory, a file in it modified outside', (p) => p.mv('d', 'e'), inD, []],
  ['moved directory, a file in it appeared outside', (p) => p.mv('d', 'e'), newInD, []],
  ['moved directory, deleted outside', (p) => p.mv('d', 'e'), rmD, ['d: renamed here to e, deleted outside']],
  [
    'moved directory, made anew outside',
    (p) => p.mv('d', 'e'),
    (dir) => {
      // Made before the old one goes: file systems give an inode number again at once.
      fs.mkdirSync(`${dir}/anew`);
      rmD(dir);
      fs.renameSync(`${dir}/anew`, `${dir}/d`);
    },
    ['d: renamed here to e, modified outside'],
  ],
  [
    'moved directory with a change in it, that file modified outside',
    (p) => p.mv('d', 'e').append('e/in/c', 'ours\n'),
    inD,
    ['e/in/c: modified here, modified outside'],
  ],
  [
    'moved directory with a deletion in it, that file modified outside',
    (p) => p.mv('d', 'e').rm('e/in/c'),
    inD,
    ['e/in/c: deleted here, modified outside'],
  ],
  [
    'directory moved and then deleted, a file in it modified outside',
    (p) => p.mv('d', 'e').rmTree('e'),
    inD,
    ['d: deleted here, modified outside'],
  ],
  ['directory moved and then deleted, nothing outside', (p) => p.mv('d', 'e').rmTree('e'), nothing, []],
  [
    'directory moved out of one that is deleted, a file in it modified outside',
    (p) => p.mv('d/in', 'kept').rmTree('d'),
    inD,
    [],
  ],
  [
    'directory moved out of one that is deleted, then deleted itself, a file in it modified outside',
    (p) => p.mv('d/in', 'kept').rmTree('d').rmTree('kept'),
    inD,
    ['d/in: deleted here, modified outside'],
  ],
  [
    'file moved out of a directory that is deleted, modified outside',
    (p) => p.mv('d/in/c', 'kept').rmTree('d'),
    inD,
    ['d: deleted here, modified outside'],
  ],
  ['directory moved away and back, a file in it modified outside', (p) => p.mv('d', 'e').mv('e', 'd'), inD, []],
  [
    'file made in a directory that is deleted outside',
    (p) => p.write('d/new', 'x'),
    rmD,
    ['d/new: made here, deleted outside'],
  ],
  [
    'file changed far down in a directory that is deleted outside',
    (p) => p.append('d/in/c', 'ours\n'),
    rmD,
    ['d/in/c: modified here, deleted outside'],
  ],
  [
    'mode of a file far down in a directory that is deleted outside',
    (p) => p.chmod('d/in/c', 0o600),
    rmD,
    ['d/in/c: attributes changed here, deleted outside'],
  ],
  ['file deleted in a directory that is deleted outside', (p) => p.rm('d/a'), rmD, []],
  ['file made and deleted again in a directory that is deleted outside', (p) => p.write('d/n', '').rm('d/n'), rmD, []],
  [
    'mode of a directory that is deleted outside',
    (p) => p.chmod('d', 0o700),
    rmD,
    ['d: attributes changed here, deleted outside'],
  ],
  ['mode of a directory in which something changes outside', (p) => p.chmod('d', 0o700), newInD, []],
];

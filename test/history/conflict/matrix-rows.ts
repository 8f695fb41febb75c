/** Rows of the matrix: what the view does, what happens outside, and which conflicts that makes. */
import * as fs from 'node:fs';
import type { StagedProject } from '../projects/staged-project.ts';
import { DIRECTORY_ROWS } from './matrix-directory-rows.ts';
import { nothing, type Ours, type Row } from './matrix-row.ts';

const FILES = { f: 'base\n', 'd/a': 'a\n', 'd/b': 'b\n', 'd/in/c': 'c\n', other: 'o\n', linked: 'l\n' };

/** Fills the base before either side does anything. */
export function prepare(p: StagedProject): void {
  p.base(FILES);
  p.native((dir) => {
    fs.symlinkSync('f', `${dir}/link`);
    fs.linkSync(`${dir}/linked`, `${dir}/linked2`);
  });
}

/** Rewrites a file so that neither its size nor its modification time gives it away. */
function sly(path: string): void {
  const { atime, mtime, size } = fs.statSync(path);
  fs.writeFileSync(path, 'x'.repeat(size));
  fs.utimesSync(path, atime, mtime);
}

const modify = (dir: string): void => fs.appendFileSync(`${dir}/f`, 'theirs\n');
const remove = (dir: string): void => fs.rmSync(`${dir}/f`);
const byLink = (dir: string): void => {
  fs.rmSync(`${dir}/f`);
  fs.symlinkSync('other', `${dir}/f`);
};
const byDirectory = (dir: string): void => {
  fs.rmSync(`${dir}/f`);
  fs.mkdirSync(`${dir}/f`);
};
const byRename = (dir: string): void => {
  fs.writeFileSync(`${dir}/f.tmp`, 'base\n');
  fs.renameSync(`${dir}/f.tmp`, `${dir}/f`);
};

const write: Ours = (p) => p.append('f', 'ours\n');
const chmod: Ours = (p) => p.chmod('f', 0o600);
const rm: Ours = (p) => p.rm('f');
const mv: Ours = (p) => p.mv('f', 'g');
const replace: Ours = (p) => p.write('new', 'ours\n').mv('new', 'f');
const again: Ours = (p) => p.rm('f').write('f', 'ours\n');

const FILE_ROWS: Row[] = (
  [
    ['modified', 'modified', write],
    ['attributes changed', 'attributes changed', chmod],
    ['deleted', 'deleted', rm],
    ['renamed', 'renamed', mv],
    ['replaced by rename', 'replaced', replace],
    ['deleted and made again', 'replaced', again],
  ] as const
).flatMap(([title, word, ours]): Row[] => {
  const here = word === 'renamed' ? 'f: renamed here to g' : `f: ${word} here`;
  const gone = word === 'deleted' ? [] : [`${here}, deleted outside`];
  return [
    [`${title}, nothing outside`, ours, nothing, []],
    [`${title}, modified outside`, ours, modify, [`${here}, modified outside`]],
    [
      `${title}, modified outside with the same size and time`,
      ours,
      (dir) => sly(`${dir}/f`),
      [`${here}, modified outside`],
    ],
    [`${title}, same content put there by a rename outside`, ours, byRename, [`${here}, modified outside`]],
    [`${title}, mode changed outside`, ours, (dir) => fs.chmodSync(`${dir}/f`, 0o640), [`${here}, modified outside`]],
    [`${title}, deleted outside`, ours, remove, gone],
    [`${title}, replaced by a symlink outside`, ours, byLink, [`${here}, replaced by something else outside`]],
    [`${title}, replaced by a directory outside`, ours, byDirectory, [`${here}, replaced by something else outside`]],
    [`${title}, another file changed outside`, ours, (dir) => fs.appendFileSync(`${dir}/other`, 'x'), []],
  ];
});

const OTHER_ROWS: Row[] = [
  [
    'made file, appeared outside',
    (p) => p.write('n', 'ours'),
    (dir) => fs.writeFileSync(`${dir}/n`, 'theirs'),
    ['n: made here, appeared outside'],
  ],
  [
    'made directory, appeared outside',
    (p) => p.mkdir('n'),
    (dir) => fs.mkdirSync(`${dir}/n`),
    ['n: made here, appeared outside'],
  ],
  [
    'made symlink, a broken one appeared outside',
    (p) => p.symlink('f', 'n'),
    (dir) => fs.symlinkSync('nowhere', `${dir}/n`),
    ['n: made here, appeared outside'],
  ],
  [
    'renamed, and something appeared at the new name outside',
    mv,
    (dir) => fs.writeFileSync(`${dir}/g`, 'theirs'),
    ['g: renamed here, appeared outside'],
  ],
  [
    'made and deleted again, appeared outside in between',
    (p) => {
      p.write('n', 'ours').native((dir) => fs.writeFileSync(`${dir}/n`, 'theirs'));
      p.rm('n');
    },
    nothing,
    ['n: deleted here, appeared outside'],
  ],
  [
    'deleted symlink, another one outside',
    (p) => p.rm('link'),
    (dir) => {
      fs.rmSync(`${dir}/link`);
      fs.symlinkSync('d', `${dir}/link`);
    },
    ['link: deleted here, modified outside'],
  ],
  [
    'renamed symlink, replaced by a file outside',
    (p) => p.mv('link', 'l'),
    (dir) => {
      fs.rmSync(`${dir}/link`);
      fs.writeFileSync(`${dir}/link`, '');
    },
    ['link: renamed here to l, replaced by something else outside'],
  ],
  [
    'hard link changed through one name, modified outside through the other',
    (p) => p.append('linked', 'ours'),
    (dir) => fs.appendFileSync(`${dir}/linked2`, 'theirs'),
    ['linked: modified here, modified outside'],
  ],
  [
    'one name of a hard link deleted, modified outside through the other',
    (p) => p.rm('linked'),
    (dir) => fs.appendFileSync(`${dir}/linked2`, 'theirs'),
    ['linked: deleted here, modified outside'],
  ],
  [
    'both names of a hard link deleted, modified outside',
    (p) => p.rm('linked').rm('linked2'),
    (dir) => fs.appendFileSync(`${dir}/linked2`, 'theirs'),
    ['linked: deleted here, modified outside', 'linked2: deleted here, modified outside'],
  ],
  [
    'a swap of which one side is modified outside',
    (p) => p.exchange('f', 'other'),
    modify,
    ['f: renamed here to other, modified outside'],
  ],
  ['renamed away and back, modified outside', (p) => p.mv('f', 'g').mv('g', 'f'), modify, []],
  [
    'renamed, then deleted, modified outside',
    (p) => p.mv('f', 'g').rm('g'),
    modify,
    ['f: deleted here, modified outside'],
  ],
  [
    'modified, then deleted, modified outside in between',
    (p) => {
      p.append('f', 'ours').native(modify);
      p.rm('f');
    },
    nothing,
    ['f: deleted here, modified outside'],
  ],
  [
    'several at once, in the order of their paths',
    (p) => p.append('f', 'x').rm('other').write('n', ''),
    (dir) => {
      modify(dir);
      fs.appendFileSync(`${dir}/other`, 'x');
      fs.writeFileSync(`${dir}/n`, '');
    },
    ['f: modified here, modified outside', 'n: made here, appeared outside', 'other: deleted here, modified outside'],
  ],
];

/** All of them. */
export const ROWS: readonly Row[] = [...FILE_ROWS, ...DIRECTORY_ROWS, ...OTHER_ROWS];

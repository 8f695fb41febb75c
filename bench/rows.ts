/** The rows of the table: what is done, and what brings the files into their state before. */
import { resolve } from 'node:path';
import type { Part, Sizes } from './base-tree.ts';

export interface Row {
  readonly name: string;
  /** The parts of the base tree that it works on. */
  readonly needs: readonly Part[];
  /** Commands that are not timed, before and after. `i` is the iteration. */
  before?(i: number): readonly (readonly string[])[];
  after?(i: number): readonly (readonly string[])[];
  /** Arguments of the worker, whose time counts. */
  work(i: number): readonly string[];
  /** Which of the kernel's caches are dropped before: all, or names and attributes only. */
  readonly dropped?: 'all' | 'names';
  /** Divide by this many operations for the time of one. */
  readonly per: number;
  /** At most this many times the limit (limit/main.c). */
  readonly must?: number;
  /** At most this many times ext4. */
  readonly aim?: number;
}

/** All rows of the table, in its order. */
export function rows(sizes: Sizes): Row[] {
  return [...smallFiles(sizes), ...callers(sizes), ...streams(sizes), ...trees(), ...repository(sizes), ...programs()];
}

function smallFiles({ small, passes }: Sizes): Row[] {
  const n = String(small);
  const p = String(passes);
  const keep: readonly Part[] = ['keep'];
  const made = (i: number): string[][] => [unless(`new${i}`, 'keep')];
  const each = { needs: keep, per: small, must: 1.1 };
  return [
    {
      ...each,
      name: 'create 4 KiB',
      before: (i) => [['mkdir', `new${i}`]],
      work: (i) => ['create', `new${i}`, n, '4096'],
    },
    { ...each, name: 'open+read+close, warm', work: () => ['read', 'keep', n, p], aim: 1.3 },
    { ...each, name: 'open+read+close, cold', work: () => ['read', 'keep', n, '0'], dropped: 'all' },
    { ...each, name: 'open+read+close of new files', before: made, work: (i) => ['read', `new${i}`, n, p] },
    { ...each, name: 'stat, warm', work: () => ['stat', 'keep', n, p], aim: 1.1 },
    { ...each, name: 'stat, cold', work: () => ['stat', 'keep', n, '0'], dropped: 'all' },
    { name: 'readdir, warm', needs: keep, work: () => ['readdir', 'keep', p], per: 1 },
    { name: 'readdir, cold', needs: keep, work: () => ['readdir', 'keep', '0'], dropped: 'all', per: 1 },
    {
      ...each,
      name: 'append 4 KiB to base files',
      needs: ['append'],
      work: (i) => ['append', `append${i}`, n, '4096'],
    },
    { ...each, name: 'append 4 KiB to new files', before: made, work: (i) => ['append', `new${i}`, n, '4096'] },
    { ...each, name: 'touch base files', needs: ['touch'], work: (i) => ['touch', `touch${i}`, n] },
    { ...each, name: 'rename base files', needs: ['rename'], work: (i) => ['rename', `rename${i}`, n] },
    { ...each, name: 'unlink base files', needs: ['unlink'], work: (i) => ['unlink', `unlink${i}`, n] },
    { ...each, name: 'unlink new files', before: made, work: (i) => ['unlink', `new${i}`, n] },
    { ...each, name: 'mkdir', before: (i) => [['mkdir', `dirs${i}`]], work: (i) => ['mkdir', `dirs${i}`, n] },
  ];
}

/** As many files by several at once: no slower each than by one. */
function callers({ small }: Sizes): Row[] {
  const script = 'for d do ../worker create "$d" "$0" 4096 & done; wait';
  return [2, 4].map((count) => {
    const dirs = (i: number): string[] => Array.from({ length: count }, (_, k) => `by${count}.${i}.${k}`);
    return {
      name: `create 4 KiB, ${count} callers`,
      needs: [],
      before: (i: number) => [['mkdir', ...dirs(i)]],
      work: (i: number) => exec('sh', '-c', script, String(small), ...dirs(i)),
      per: small * count,
    };
  });
}

function streams({ stream }: Sizes): Row[] {
  const written = (block: number, aim?: number): Row => ({
    name: `write ${size(stream)} in ${size(block)}`,
    needs: [],
    work: () => ['seqwrite', 'written', String(block), String(stream)],
    after: () => [['rm', 'written'], ['sync']],
    per: 1,
    must: 1,
    ...(aim === undefined ? {} : { aim }),
  });
  const read = (block: number, cold: boolean, aim?: number): Row => ({
    name: `read ${size(stream)} in ${size(block)}, ${cold ? 'cold' : 'warm'}`,
    needs: ['stream'],
    work: () => ['seqread', 'stream', String(block), cold ? '0' : '1'],
    per: 1,
    must: 1,
    ...(cold ? { dropped: 'all' } : {}),
    ...(aim === undefined ? {} : { aim }),
  });
  return [
    written(4096, 1.2),
    written(1 << 20),
    read(4096, true),
    read(1 << 20, true),
    read(4096, false, 1.1),
    read(1 << 20, false, 1.1),
  ];
}

function trees(): Row[] {
  const looks = [
    ['find', ['find', 'tree', '-size', '+1']],
    ['du', ['du', '-s', 'tree']],
    ['ls -lR', ['ls', '-lR', 'tree']],
    ['grep -r', ['grep', '-rc', 'e', 'tree']],
  ] as const;
  const looked = ([name, argv]: (typeof looks)[number]): Row[] => {
    const [first, again] = name === 'grep -r' ? [2.5, 1.15] : [3, 1.2];
    const row: Pick<Row, 'needs' | 'work' | 'per'> = { needs: ['tree'], work: () => exec(...argv), per: 1 };
    return [
      { ...row, name: `${name}, first`, dropped: 'names', must: name === 'grep -r' ? 1 : 1.1, aim: first },
      { ...row, name: `${name}, again`, before: () => [argv], must: 1, aim: again },
    ];
  };
  return [
    {
      name: 'tar x',
      needs: ['archive'],
      before: (i) => [['mkdir', `unpacked${i}`]],
      work: (i) => exec('tar', 'xf', 'archive.tar', '-C', `unpacked${i}`),
      per: 1,
      must: 1.1,
      aim: 2.5,
    },
    { name: 'rm -rf, base', needs: ['gone'], work: (i) => exec('rm', '-rf', `gone${i}`), per: 1, must: 0.5, aim: 1 },
    {
      name: 'cp -r, small files',
      needs: ['tree'],
      work: (i) => exec('cp', '-r', 'tree', `copy${i}`),
      per: 1,
      must: 1,
      aim: 2.5,
    },
    {
      name: 'rm -rf, staged',
      needs: ['tree'],
      before: (i) => [unless(`copy${i}`, 'tree')],
      work: (i) => exec('rm', '-rf', `copy${i}`),
      per: 1,
      must: 1.1,
      aim: 2,
    },
    {
      name: 'cp -r, large files',
      needs: ['large'],
      work: (i) => exec('cp', '-r', 'large', `larger${i}`),
      after: (i) => [['rm', '-rf', `larger${i}`]],
      per: 1,
      must: 0.5,
      aim: 1,
    },
    ...looks.flatMap(looked),
  ];
}

function repository({ git }: Sizes): Row[] {
  const status = ['git', '-C', 'repo', 'status', '-s'];
  const grep = ['git', '-C', 'repo', 'grep', '-c', 'abc'];
  const needs: readonly Part[] = ['git'];
  return [
    {
      name: 'git clone',
      needs,
      work: (i) => exec('git', 'clone', '-q', '--no-local', 'origin.git', `clone${i}`),
      after: (i) => [['rm', '-rf', `clone${i}`]],
      per: 1,
      must: 1.1,
      aim: 2,
    },
    { name: 'git status, first', needs, work: () => exec(...status), dropped: 'names', per: 1 },
    {
      name: 'git status, again',
      needs,
      before: () => [status],
      work: () => exec(...status),
      per: 1,
      must: 1,
      aim: 1.2,
    },
    {
      name: 'git checkout',
      needs,
      before: () => [status],
      work: () => exec('git', '-C', 'repo', 'checkout', '-q', `main~${git.commits >> 1}`),
      after: () => [['git', '-C', 'repo', 'checkout', '-q', 'main']],
      per: 1,
      must: 1.1,
      aim: 1.5,
    },
    { name: 'git grep', needs, before: () => [grep], work: () => exec(...grep), per: 1 },
  ];
}

function programs(): Row[] {
  const npm = ['npm', 'ci', '--offline', '--no-audit', '--no-fund', '--prefix', 'npm'];
  const tsc = [process.execPath, resolve('node_modules/typescript/bin/tsc'), '-p', 'ts'];
  const imports = 'import asyncio, http.server, sqlite3, unittest, xml.etree.ElementTree';
  return [
    {
      name: 'npm ci',
      needs: ['npm'],
      // The packages are in its cache from the first time on.
      before: () => [npm, ['rm', '-rf', 'npm/node_modules']],
      work: () => exec(...npm),
      per: 1,
      must: 1,
      aim: 1.4,
    },
    { name: 'tsc', needs: ['typescript'], before: () => [tsc], work: () => exec(...tsc), per: 1, must: 1, aim: 1.1 },
    {
      name: 'make',
      needs: ['c'],
      work: () => exec('make', '-s', '-j2', '-C', 'c'),
      after: () => [['make', '-s', '-C', 'c', 'clean']],
      per: 1,
      must: 1,
      aim: 1.1,
    },
    { name: 'python imports', needs: [], work: () => exec('python3', '-c', imports), per: 1, must: 1, aim: 1.1 },
  ];
}

function exec(...argv: string[]): string[] {
  return ['exec', ...argv];
}

/** Copies `from` to `to` unless an earlier row has made it: a row chosen with --only has no earlier ones. */
function unless(to: string, from: string): string[] {
  return ['sh', '-c', `[ -d ${to} ] || cp -r ${from} ${to}`];
}

function size(bytes: number): string {
  return bytes >= 1 << 30 ? `${bytes >> 30} GiB` : bytes >= 1 << 20 ? `${bytes >> 20} MiB` : `${bytes >> 10} KiB`;
}

/** The rows of the table: what is done, and what brings the files into their state before. */
import type { Sizes } from './base-tree.ts';

export interface Row {
  readonly name: string;
  /** Commands that are not timed, before and after. `i` is the iteration. */
  before?(i: number): readonly (readonly string[])[];
  after?(i: number): readonly (readonly string[])[];
  /** Arguments of the worker, whose time counts. */
  work(i: number): readonly string[];
  /** Drop the kernel's caches before. */
  readonly cold?: boolean;
  /** Divide by this many operations for the time of one. */
  readonly per: number;
  /** At most this many times ext4 (issue 2); rows without one must be no slower than fuse-overlayfs. */
  readonly limit?: number;
}

/** All rows of the table, in its order. */
export function rows(sizes: Sizes): Row[] {
  return [...smallFiles(sizes), ...streams(sizes), ...realWork(sizes)];
}

function smallFiles({ small, passes }: Sizes): Row[] {
  const n = String(small);
  const p = String(passes);
  const made = (i: number): string[][] => [unless(`new${i}`, 'keep')];
  return [
    {
      name: 'create 4 KiB',
      before: (i) => [['mkdir', `new${i}`]],
      work: (i) => ['create', `new${i}`, n, '4096'],
      per: small,
    },
    { name: 'open+read+close, warm', work: () => ['read', 'keep', n, p], per: small, limit: 1.3 },
    { name: 'open+read+close, cold', work: () => ['read', 'keep', n, '0'], per: small, cold: true },
    { name: 'open+read+close of new files', before: made, work: (i) => ['read', `new${i}`, n, p], per: small },
    { name: 'stat, warm', work: () => ['stat', 'keep', n, p], per: small, limit: 1.1 },
    { name: 'stat, cold', work: () => ['stat', 'keep', n, '0'], per: small, cold: true },
    { name: 'readdir, warm', work: () => ['readdir', 'keep', p], per: 1 },
    { name: 'readdir, cold', work: () => ['readdir', 'keep', '0'], per: 1, cold: true },
    { name: 'append 4 KiB to base files', work: (i) => ['append', `append${i}`, n, '4096'], per: small },
    { name: 'append 4 KiB to new files', before: made, work: (i) => ['append', `new${i}`, n, '4096'], per: small },
    { name: 'touch base files', work: (i) => ['touch', `touch${i}`, n], per: small },
    { name: 'rename base files', work: (i) => ['rename', `rename${i}`, n], per: small },
    { name: 'unlink base files', work: (i) => ['unlink', `unlink${i}`, n], per: small },
    { name: 'unlink new files', before: made, work: (i) => ['unlink', `new${i}`, n], per: small },
    { name: 'mkdir', before: (i) => [['mkdir', `dirs${i}`]], work: (i) => ['mkdir', `dirs${i}`, n], per: small },
  ];
}

function streams({ stream }: Sizes): Row[] {
  const written = (block: number, limit?: number): Row => ({
    name: `write ${size(stream)} in ${size(block)}`,
    work: () => ['seqwrite', 'written', String(block), String(stream)],
    after: () => [['rm', 'written'], ['sync']],
    per: 1,
    ...(limit === undefined ? {} : { limit }),
  });
  const read = (block: number, cold: boolean, limit?: number): Row => ({
    name: `read ${size(stream)} in ${size(block)}, ${cold ? 'cold' : 'warm'}`,
    work: () => ['seqread', 'stream', String(block), cold ? '0' : '1'],
    per: 1,
    cold,
    ...(limit === undefined ? {} : { limit }),
  });
  return [
    written(4096, 2),
    written(1 << 20),
    read(4096, true),
    read(1 << 20, true),
    read(4096, false, 1.1),
    read(1 << 20, false),
  ];
}

function realWork({ git }: Sizes): Row[] {
  const exec = (...argv: string[]): string[] => ['exec', ...argv];
  const cleared = (i: number): string[][] => [['rm', '-rf', `clone${i}`]];
  return [
    {
      name: 'git clone',
      work: (i) => exec('git', 'clone', '-q', '--no-local', 'origin.git', `clone${i}`),
      after: cleared,
      per: 1,
    },
    {
      name: 'git status',
      before: () => [['git', '-C', 'repo', 'status', '-s']],
      work: () => exec('git', '-C', 'repo', 'status', '-s'),
      per: 1,
    },
    {
      name: 'git checkout',
      before: () => [['git', '-C', 'repo', 'status', '-s']],
      work: () => exec('git', '-C', 'repo', 'checkout', '-q', 'main~300'.replace('300', String(git.commits >> 1))),
      after: () => [['git', '-C', 'repo', 'checkout', '-q', 'main']],
      per: 1,
    },
    {
      name: 'git grep',
      before: () => [['git', '-C', 'repo', 'grep', '-c', 'abc']],
      work: () => exec('git', '-C', 'repo', 'grep', '-c', 'abc'),
      per: 1,
    },
    { name: 'cp -r tree', work: (i) => exec('cp', '-r', 'tree', `copy${i}`), per: 1 },
    {
      name: 'rm -rf copied tree',
      before: (i) => [unless(`copy${i}`, 'tree')],
      work: (i) => exec('rm', '-rf', `copy${i}`),
      per: 1,
    },
    {
      name: 'make',
      work: () => exec('make', '-s', '-j2', '-C', 'c'),
      after: () => [['make', '-s', '-C', 'c', 'clean']],
      per: 1,
    },
  ];
}

/** Copies `from` to `to` unless an earlier row has made it: a row chosen with --only has no earlier ones. */
function unless(to: string, from: string): string[] {
  return ['sh', '-c', `[ -d ${to} ] || cp -r ${from} ${to}`];
}

function size(bytes: number): string {
  return bytes >= 1 << 30 ? `${bytes >> 30} GiB` : bytes >= 1 << 20 ? `${bytes >> 20} MiB` : `${bytes >> 10} KiB`;
}

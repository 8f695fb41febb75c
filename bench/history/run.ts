/**
 * `npm run bench:history [-- --quick] [-- --only PART]`: what history costs at scale, against the limits of issue 3
 * (../README.md). Needs root, for a fresh loop-mounted ext4, and gcc. Run from the project's directory.
 */
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { loopDisk } from '../../test/support/disk.ts';
import { succeed } from '../../test/support/exec.ts';
import { keepFigures } from '../keep-figures.ts';
import { BenchSession } from './bench-session.ts';
import { changedFiles } from './changed-files.ts';
import { Figures } from './figures.ts';
import { manyFiles } from './many-files.ts';
import { manyNames } from './many-names.ts';
import { memory } from './memory.ts';
import { old } from './old.ts';
import type { Age } from './old-session.ts';
import { snapshots } from './snapshots.ts';
import { travels } from './travels.ts';

interface Sizes {
  readonly snapshots: number;
  /** Numbers of snapshots at which things are measured; the last is `snapshots`. */
  readonly stages: readonly number[];
  /** Files of one file operation's measurement. */
  readonly operations: number;
  /** Generations to travel among, and files that each of them changed. */
  readonly generations: number;
  readonly changed: number;
  /** New files that are listed and committed, and how often. */
  readonly files: number;
  readonly pairs: number;
  /** Files of the base that are changed, committed and taken back. */
  readonly bulk: number;
  /** Files the daemon's memory is measured after. */
  readonly many: number;
  /** Names that the kernel knows, for the same. */
  readonly known: number;
  /** What an old session has behind it. */
  readonly old: Age;
}

const FULL: Sizes = {
  snapshots: 10_000,
  stages: [1000, 10_000],
  operations: 500,
  generations: 1000,
  changed: 10,
  files: 100_000,
  pairs: 3,
  bulk: 20_000,
  many: 200_000,
  known: 1_000_000,
  old: { records: 1_000_000, generations: 10_000, files: 20_000 },
};
const QUICK: Sizes = {
  snapshots: 400,
  stages: [200, 400],
  operations: 100,
  generations: 50,
  changed: 10,
  files: 2000,
  pairs: 1,
  bulk: 2000,
  many: 4000,
  known: 20_000,
  old: { records: 20_000, generations: 200, files: 1000 },
};

/** What a part gets. */
export interface Bench {
  readonly figures: Figures;
  readonly sizes: Sizes;
  /** Mount point of the disk that everything lies on. */
  readonly disk: string;
  /** The compiled worker. */
  readonly worker: string;
  session(name: string, seed: (project: string) => void): Promise<BenchSession>;
}

const PARTS: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  snapshots,
  travels,
  'many-files': manyFiles,
  'many-names': manyNames,
  'changed-files': changedFiles,
  memory,
  old,
};

const args = process.argv.slice(2);
const isQuick = args.includes('--quick');
const only = args.includes('--only') ? (args[args.indexOf('--only') + 1] ?? '') : '';
const unknown = args.find((arg, at) => arg !== '--quick' && arg !== '--only' && args[at - 1] !== '--only');
if (unknown !== undefined || !Object.keys(PARTS).some((name) => name.includes(only)))
  throw new Error(`'${unknown ?? only}': there are --quick, and --only with one of ${Object.keys(PARTS).join(', ')}`);
if (process.getuid?.() !== 0) throw new Error('the benchmark needs root: it mounts a fresh ext4');
const load = loadavg();
const figures = new Figures();
for (const [name, part] of Object.entries(PARTS)) if (name.includes(only)) await measure(part);
report();

/** Each part has a disk of its own, so that none pays for what another has left. */
async function measure(part: (bench: Bench) => Promise<void>): Promise<void> {
  const disk = await loopDisk(isQuick ? 1024 : 6144, { mount: 'noatime', inodes: isQuick ? 100_000 : 1_400_000 });
  const sessions: BenchSession[] = [];
  try {
    const worker = join(disk.mountPoint, 'worker');
    await succeed(['gcc', '-O2', '-o', worker, resolve('bench/worker.c')]);
    const session = async (name: string, seed: (project: string) => void): Promise<BenchSession> => {
      const made = await BenchSession.make(disk.mountPoint, name, seed);
      sessions.push(made);
      return made;
    };
    await part({ figures, sizes: isQuick ? QUICK : FULL, disk: disk.mountPoint, worker, session });
  } finally {
    for (const made of sessions) await made.stop();
    await disk.remove();
  }
}

function report(): void {
  const { limited, within } = figures.verdict;
  process.stdout.write(
    `${figures.table()}\n\n${within} of ${limited} within their limits; load ${load[0]?.toFixed(1)} before\n`,
  );
  if (isQuick || only !== '') return;
  keepFigures('history', figures.list, load);
}

/**
 * `npm run bench [-- --quick] [-- --only PART]`: yolofs side by side with ext4, OverlayFS and fuse-overlayfs (README.md).
 * Needs root, for the loop mount and to drop caches, and gcc, git and make. Run from the project's directory.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { loopDisk } from '../test/support/disk.ts';
import { succeed } from '../test/support/exec.ts';
import { FULL, makeBaseTree, makeMany, QUICK, type Sizes } from './base-tree.ts';
import { type Measured, measure, median } from './measure.ts';
import { type Extra, extras, requestLines, table } from './report.ts';
import { rows } from './rows.ts';
import { fuseOverlay, overlay, plain, type System, Yolofs } from './systems.ts';

const args = process.argv.slice(2);
const isQuick = args.includes('--quick');
const only = args.includes('--only') ? (args[args.indexOf('--only') + 1] ?? '') : '';
if (process.getuid?.() !== 0) throw new Error('the benchmark needs root: it mounts a fresh ext4 and drops caches');
await bench(isQuick ? QUICK : FULL);

async function bench(sizes: Sizes): Promise<void> {
  const disk = await loopDisk(isQuick ? 2048 : 8192, { mount: 'noatime', inodes: isQuick ? 200_000 : 1_200_000 });
  const systems: System[] = [];
  try {
    const worker = join(disk.mountPoint, 'worker');
    await succeed(['gcc', '-O2', '-o', worker, resolve('bench/worker.c')]);
    await makeBaseTree(join(disk.mountPoint, 'base'), sizes);
    await succeed(['cp', '-a', `${disk.mountPoint}/base`, `${disk.mountPoint}/ext4`]);
    // Read only, and the same blocks for all: what the disk below has cached helps everyone alike.
    await succeed(['ln', '-f', `${disk.mountPoint}/base/stream`, `${disk.mountPoint}/ext4/stream`]);
    const yolofs = new Yolofs(disk.mountPoint);
    await yolofs.cli(['init']);
    const found = [plain(disk.mountPoint), await overlay(disk.mountPoint), await fuseOverlay(disk.mountPoint), yolofs];
    systems.push(...found.filter((system) => system !== undefined));
    const measured: Measured[] = [];
    for (const row of rows(sizes).filter(({ name }) => name.includes(only))) {
      measured.push(await measure(row, systems, { worker, pairs: sizes.pairs }));
      process.stderr.write(
        `${
          table(
            measured.slice(-1),
            systems.map(({ name }) => name),
          ).split('\n')[1]
        }\n`,
      );
    }
    await report(measured, only === '' ? await figures(yolofs, sizes, worker) : [], systems);
  } finally {
    for (const system of systems) await system.stop();
    await disk.remove();
  }
}

/** What is not compared: the time to enter the view, the memory of the daemon. */
async function figures(yolofs: Yolofs, sizes: Sizes, worker: string): Promise<Extra[]> {
  const times: number[] = [];
  for (let i = 0; i < 2 * sizes.pairs + 1; i++) {
    const start = performance.now();
    await yolofs.run(['true']);
    times.push(performance.now() - start);
  }
  makeMany(join(yolofs.work, 'many'), sizes.many);
  // A fresh daemon: what it needs for these files and nothing else.
  await yolofs.stop();
  await yolofs.run(['true']);
  const empty = await yolofs.residentBytes();
  await yolofs.run(['find', 'many', '-type', 'f', '-size', '+1']);
  const looked = await yolofs.residentBytes();
  const dirs = Array.from({ length: Math.ceil(sizes.many / 1000) }, (_, i) => `many/m${i}`);
  await yolofs.run([
    'sh',
    '-c',
    `for d in ${dirs.join(' ')}; do "$0" touch $d ${Math.min(1000, sizes.many)}; done`,
    worker,
  ]);
  const touched = await yolofs.residentBytes();
  return [
    { name: 'yolofs run -- true', value: median(times), unit: 'ms', limit: 150 },
    { name: 'daemon at rest', value: empty / 1e6, unit: 'MB' },
    { name: `daemon after stat of ${sizes.many} files`, value: looked / 1e6, unit: 'MB', limit: 200 },
    { name: `daemon after changing ${sizes.many} files`, value: touched / 1e6, unit: 'MB', limit: 200 },
  ];
}

async function report(
  measured: readonly Measured[],
  more: readonly Extra[],
  systems: readonly System[],
): Promise<void> {
  const names = systems.map(({ name }) => name);
  const where = {
    kernel: release(),
    node: process.version,
    cpu: cpus()[0]?.model ?? '',
    cpus: cpus().length,
    memory: totalmem(),
  };
  const text = table(measured, names);
  process.stdout.write(`${text}\n\n${extras(more)}\n\nRequests of one run in the view\n${requestLines(measured)}\n`);
  if (isQuick || only !== '') return;
  const date = new Date().toISOString().slice(0, 10);
  const commit = (await succeed(['git', 'rev-parse', '--short', 'HEAD'])).trim();
  const file = `${date}-${where.kernel}.json`;
  mkdirSync(resolve('bench/results'), { recursive: true });
  writeFileSync(
    resolve('bench/results', file),
    `${JSON.stringify({ date, commit, where, rows: measured, figures: more }, null, 1)}\n`,
  );
}

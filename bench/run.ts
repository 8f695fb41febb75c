/**
 * `npm run bench [-- --quick] [-- --only PART,PART] [-- --keep]`: yolofs side by side with ext4, OverlayFS, fuse-overlayfs
 * and the limit (README.md). Needs root, for the loop mount and to drop caches, and gcc, git, make and taskset. Run from
 * the project's directory.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loopDisk } from '../test/support/disk.ts';
import { succeed } from '../test/support/exec.ts';
import { FULL, makeBaseTree, makeMany, QUICK, type Sizes } from './base-tree.ts';
import { keep } from './keep.ts';
import { type Measured, measure, median } from './measure.ts';
import { type Extra, extras, requestLines, table } from './report.ts';
import { rows } from './rows.ts';
import { compile, fuseOverlay, limit, overlay, plain, type System, Yolofs } from './systems.ts';

// A word that it does not know ends it before anything is mounted.
const words = parseArgs({
  options: { quick: { type: 'boolean' }, keep: { type: 'boolean' }, only: { type: 'string' } },
}).values;
const isQuick = words.quick ?? false;
const only = words.only?.split(',');
const isKept = !isQuick && (only === undefined || (words.keep ?? false));
/** As --only, for what is no row. */
const FIGURES = 'figures';
if (process.getuid?.() !== 0) throw new Error('the benchmark needs root: it mounts a fresh ext4 and drops caches');
await bench(isQuick ? QUICK : FULL);

async function bench(sizes: Sizes): Promise<void> {
  const chosen = rows(sizes).filter(({ name }) => only === undefined || only.some((part) => name.includes(part)));
  const disk = await loopDisk(isQuick ? 2048 : 8192, { mount: 'noatime', inodes: isQuick ? 200_000 : 1_200_000 });
  const systems: System[] = [];
  try {
    const worker = join(disk.mountPoint, 'worker');
    await compile(worker, ['worker.c']);
    await makeBaseTree(join(disk.mountPoint, 'base'), sizes, new Set(chosen.flatMap(({ needs }) => needs)));
    for (const name of ['ext4', 'limit', 'pinned']) await copyBase(disk.mountPoint, name);
    const yolofs = new Yolofs(disk.mountPoint, 'base');
    for await (const system of started(disk.mountPoint, yolofs)) systems.push(system);
    const measured: Measured[] = [];
    for (const row of chosen) {
      measured.push(await measure(row, systems, { worker, pairs: sizes.pairs }));
      if (isKept) keep(measured.slice(-1), []);
      process.stderr.write(
        `${
          table(
            measured.slice(-1),
            systems.map(({ name }) => name),
          ).split('\n')[1]
        }\n`,
      );
    }
    const isWanted = only === undefined || only.includes(FIGURES);
    report(measured, isWanted ? await figures(yolofs, sizes, worker) : [], systems);
  } finally {
    // The sessions first: their namespaces hold copies of the other mounts.
    for (const system of systems.toReversed()) await system.stop();
    await disk.remove();
  }
}

/** The base tree once more. Its stream is the same file for all: what the disk below has cached helps everyone alike. */
async function copyBase(disk: string, name: string): Promise<void> {
  await succeed(['cp', '-a', `${disk}/base`, `${disk}/${name}`]);
  if (existsSync(`${disk}/base/stream`)) await succeed(['ln', '-f', `${disk}/base/stream`, `${disk}/${name}/stream`]);
}

async function* started(disk: string, yolofs: Yolofs): AsyncGenerator<System> {
  yield plain(disk);
  yield await overlay(disk);
  const fuse = await fuseOverlay(disk);
  if (fuse !== undefined) yield fuse;
  yield await limit(disk);
  const pinned = new Yolofs(disk, 'pinned');
  for (const session of [yolofs, pinned]) {
    yield session;
    await session.start();
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

function report(measured: readonly Measured[], more: readonly Extra[], systems: readonly System[]): void {
  const names = systems.map(({ name }) => name);
  process.stdout.write(
    `${table(measured, names)}\n\n${extras(more)}\n\nRequests of one run\n${requestLines(measured)}\n`,
  );
  if (isKept) keep([], more);
}

/**
 * `npm run bench:rules [-- --quick]`: what rules cost, on and off side by side, against the limits of issue 4 (../README.md).
 * Needs gcc and taskset. Run from the project's directory.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import type { Client } from '../../src/daemon/client.ts';
import { succeed } from '../../test/support/exec.ts';
import { type BenchSession, cpuOf, type ViewShell } from '../history/bench-session.ts';
import { originOf, resultsFile } from '../keep-figures.ts';
import { median } from '../measure.ts';
import { KEPT, makeVariant, type Sizes, VARIANTS, type Variant } from './variants.ts';

const FULL: Sizes = { files: 250, fresh: 100, passes: 10, rounds: 96, pairs: 60 };
const QUICK: Sizes = { files: 50, fresh: 50, passes: 5, rounds: 2, pairs: 2 };
/** So much of the runs, the first ones, is not counted: a daemon is compiled while it runs, and each at a time of its own. */
const WARM_UP = 6;
const LIMITS: Partial<Record<Variant, number>> = { on: 1.05, on1000: 1.1 };

interface Row {
  readonly name: string;
  readonly place: 'project' | 'outside';
  /** Arguments of the worker in iteration `i`; the directory is relative to the place. */
  readonly work: (i: number) => readonly [op: string, dir: string, ...more: string[]];
  /** Operations of one run. */
  readonly per: number;
  readonly runs: number;
  /** On one processor: it makes no request, so nobody else has to run. */
  readonly isPinned?: boolean;
}

interface Sample {
  /** Nanoseconds an operation by the clock in the view, and of the daemon's processor time. */
  readonly time: number;
  readonly cpu: number;
  /** Requests an operation. */
  readonly requests: number;
}

interface Place {
  readonly session: BenchSession;
  readonly shell: ViewShell;
  readonly client: Client;
}

type Samples = Record<Variant, Sample[]>;

function rows({ files, fresh, passes, rounds, pairs }: Sizes): Row[] {
  return (['project', 'outside'] as const).flatMap((place) => {
    const again = (name: string, op: string): Row => ({
      ...{ name, place, per: files, runs: rounds, isPinned: place === 'project' || op === 'stat' },
      work: (i) => [op, `keep${i % KEPT}`, String(files), String(passes)],
    });
    const first = (name: string, work: Row['work']): Row => ({ name, place, work, per: fresh, runs: pairs });
    return [
      again('stat', 'stat'),
      again('open+close', 'open'),
      again('open+read+close', 'read'),
      first('stat, first', (i) => ['stat', `stat${i}`, String(fresh), '0']),
      first('open+read+close, first', (i) => ['read', `open${i}`, String(fresh), '0']),
      first('create 4 KiB', (i) => ['create', `new${i}`, String(fresh), '4096']),
    ];
  });
}

await bench(process.argv.includes('--quick') ? QUICK : FULL);

async function bench(sizes: Sizes): Promise<void> {
  const dir = mkdtempSync('/var/tmp/yolofs-bench-');
  const places = new Map<Variant, Place>();
  try {
    const worker = join(dir, 'worker');
    await succeed(['gcc', '-O2', '-o', worker, resolve('bench/worker.c')]);
    for (const variant of VARIANTS) {
      const session = await makeVariant(dir, variant, sizes);
      const shell = session.shell();
      await shell.do(`cp ${worker} worker`);
      places.set(variant, { session, shell, client: await session.client() });
    }
    const measured: { row: Row; samples: Samples }[] = [];
    for (const row of rows(sizes)) {
      const samples = await measure(row, places);
      measured.push({ row, samples });
      process.stderr.write(`${line(row, samples)}\n`);
    }
    report(measured, sizes);
  } finally {
    for (const { session, shell, client } of places.values()) {
      client.close();
      await shell.end();
      await session.stop();
    }
    rmSync(dir, { recursive: true, force: true });
  }
}

/** All variants one right after the other, in an order that rotates. */
async function measure(row: Row, places: ReadonlyMap<Variant, Place>): Promise<Samples> {
  const samples: Samples = { off: [], again: [], on: [], on1000: [] };
  for (let i = 0; i < row.runs; i++) {
    for (let turn = 0; turn < VARIANTS.length; turn++) {
      const variant = VARIANTS[(i + turn) % VARIANTS.length] ?? 'off';
      const place = places.get(variant);
      if (place === undefined) continue;
      const sample = await once(row, place, i);
      if (i >= row.runs / WARM_UP) samples[variant].push(sample);
    }
  }
  return samples;
}

async function once(row: Row, place: Place, i: number): Promise<Sample> {
  const [op, dir, ...more] = row.work(i);
  const at = row.place === 'project' ? dir : `../outside/${dir}`;
  if (op === 'create') await place.shell.do(`mkdir ${at}`);
  const before = await costs(place);
  const pinned = row.isPinned === true ? `taskset -c ${cpus().length - 1} ` : '';
  const said = await place.shell.do(`printf %s "$(${pinned}./worker ${[op, at, ...more].join(' ')})"`);
  const after = await costs(place);
  const times = more[1] === '0' || op === 'create' ? 1 : Number(more[1]) + 1;
  const per = row.per * times;
  return {
    time: Number(said) / row.per,
    cpu: ((after.cpu - before.cpu) * 1e6) / per,
    requests: (after.requests - before.requests) / per,
  };
}

async function costs({ client }: Place): Promise<{ cpu: number; requests: number }> {
  const { opcodes } = await client.request({ op: 'stats' });
  return { cpu: cpuOf(client.hello.pid), requests: Object.values(opcodes).reduce((sum, n) => sum + n, 0) };
}

function of(samples: readonly Sample[], key: keyof Sample): number {
  return median(samples.map((sample) => sample[key]));
}

/** The median of the ratios to the same iteration without rules. */
function ratio(samples: Samples, variant: Variant, key: keyof Sample = 'time'): number {
  return median(samples[variant].map((sample, i) => sample[key] / (samples.off[i]?.[key] ?? Number.NaN)));
}

function line(row: Row, samples: Samples): string {
  const ratios = (['again', 'on', 'on1000'] as const).map((variant) => {
    const value = ratio(samples, variant);
    const isOver = row.place === 'project' && value > (LIMITS[variant] ?? value);
    return `${value.toFixed(3)}${isOver ? ' OVER' : ''}`;
  });
  const times = VARIANTS.map((variant) => (of(samples[variant], 'time') / 1000).toFixed(2));
  const requests = VARIANTS.map((variant) => of(samples[variant], 'requests').toFixed(2));
  const cpu = VARIANTS.map((variant) => (of(samples[variant], 'cpu') / 1000).toFixed(2));
  const name = `${row.name}${row.place === 'project' ? '' : ', outside'}`;
  return `| ${[name, ...times, ...ratios, requests.join(' / '), cpu.join(' / ')].join(' | ')} |`;
}

function report(measured: readonly { row: Row; samples: Samples }[], sizes: Sizes): void {
  const head =
    '| row | off, us | off again | on | 1,000 rules | again / off | on / off | 1,000 / off | requests | daemon, us |';
  const table = [head, head.replace(/[^|]+/g, ' --- '), ...measured.map(({ row, samples }) => line(row, samples))];
  process.stdout.write(`${table.join('\n')}\n`);
  if (sizes !== FULL) return;
  const origin = originOf();
  const list = measured.map(({ row: { name, place, per }, samples }) => ({ name, place, per, samples }));
  writeFileSync(resultsFile('rules-', origin), `${JSON.stringify({ ...origin, sizes, rows: list })}\n`);
}

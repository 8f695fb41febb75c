/** 100,000 staged files: status, loading, and a commit beside `mv` of as many on the same disk. */
import { existsSync, readdirSync } from 'node:fs';
import { loadSession } from '../../src/history/timeline/load.ts';
import { succeed } from '../../test/support/exec.ts';
import { type BenchSession, cpuOf, memoryOf } from './bench-session.ts';
import type { Figures } from './figures.ts';
import { createNatively, moveNatively, settle } from './native.ts';
import type { Bench } from './run.ts';

const PER_DIRECTORY = 1000;
const SIZE = 100;
const RUNS = 3;

export async function manyFiles(bench: Bench): Promise<void> {
  const { figures, sizes, session } = bench;
  figures.part(`${sizes.files} new small files`);
  const s = await session('many', () => undefined);
  const ratios: number[] = [];
  const durable: number[] = [];
  for (let pair = 0; pair < sizes.pairs; pair++) {
    await create(bench, s, `new${pair}`);
    if (pair === 0) await look(s, figures, sizes.files);
    const [from, to] = [`${bench.disk}/from${pair}`, `${bench.disk}/to${pair}`];
    const amount = { files: sizes.files, size: SIZE };
    await createNatively(bench, from, amount);
    const { moved, synced } = await moveNatively(from, to, amount);
    await succeed(['sync']);
    const client = await s.client();
    const start = performance.now();
    const cpu = cpuOf(client.hello.pid);
    await client.request({ op: 'commit', dryRun: false });
    const ms = performance.now() - start;
    ratios.push(ms / moved);
    durable.push(ms / synced);
    figures.add(`commit, pair ${pair}`, ms, 'ms', {
      note: `daemon's processor time ${(cpuOf(client.hello.pid) - cpu).toFixed(0)} ms; mv ${moved.toFixed(0)} ms, with syncfs ${synced.toFixed(0)} ms`,
    });
    client.close();
    await settle(s);
    if (countFiles(`${s.project}/new${pair}`) !== sizes.files) throw new Error('the commit is not complete');
  }
  figures.median('commit / mv of as many files', ratios, 'x', { limit: 2 });
  figures.median('commit / mv and syncfs (a commit is durable)', durable, 'x');
  await figuresOfDaemon(s, figures);
}

async function create({ sizes, worker }: Bench, s: BenchSession, dir: string): Promise<void> {
  const dirs = Array.from({ length: Math.ceil(sizes.files / PER_DIRECTORY) }, (_, i) => `${dir}/d${i}`);
  const script = `mkdir -p ${dirs.join(' ')}; for d in ${dirs.join(' ')}; do "$0" create $d ${Math.min(PER_DIRECTORY, sizes.files)} 100; done`;
  await s.run(['sh', '-euc', script, worker]);
}

/** What `status` takes, and what it is made of. */
async function look(s: BenchSession, figures: Figures, count: number): Promise<void> {
  const times: number[] = [];
  const cpus: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const { stdout, ms, cpu } = await s.cli(['status', '--all']);
    if (stdout.split('\n').length < count)
      throw new Error(`status lists ${stdout.split('\n').length} lines: ${stdout.slice(-200)}`);
    times.push(ms);
    cpus.push(cpu);
  }
  figures.median(`status --all of ${count} staged changes`, times, 'ms', { limit: 1000 });
  figures.median(`status --all of ${count} staged changes: processor time`, cpus, 'ms', { limit: 1000 });
  const loads: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const start = performance.now();
    const loaded = loadSession(s.layout, { readOnly: true });
    loads.push(performance.now() - start);
    await loaded?.close();
  }
  figures.median('loading that tree', loads, 'ms');
}

async function figuresOfDaemon(s: BenchSession, figures: Figures): Promise<void> {
  const client = await s.client();
  figures.add('the daemon afterwards: most memory ever', memoryOf(client.hello.pid, 'VmHWM') / 1e6, 'MB');
  client.close();
}

function countFiles(dir: string): number {
  if (!existsSync(dir)) return 0;
  return readdirSync(dir).reduce((sum, name) => sum + readdirSync(`${dir}/${name}`).length, 0);
}

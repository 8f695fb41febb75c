/** Changed base files: what lists them, a commit beside `mv` of as many on the same disk, its undo beside `mv` back. */
import { statSync } from 'node:fs';
import { type BenchSession, cpuOf } from './bench-session.ts';
import type { Figures } from './figures.ts';
import { type Amount, createNatively, directoriesOf, moveNatively, settle } from './native.ts';
import type { Bench } from './run.ts';

const SIZE = 1000;
const ADDED = 10;
const PER_DIRECTORY = 1000;
const LISTINGS: readonly (readonly string[])[] = [['status'], ['diff', '--stat'], ['diff', '--name-only']];

export async function changedFiles(bench: Bench): Promise<void> {
  const { figures, sizes, disk, worker } = bench;
  const amount = { files: sizes.bulk, size: SIZE };
  figures.part(`${sizes.bulk} changed files of the base`);
  const s = await bench.session('bulk', () => undefined);
  const dir = `${s.project}/old`;
  await createNatively(bench, dir, amount);
  await createNatively(bench, `${disk}/there`, amount);
  const append = directoriesOf('old', amount).map((each) => `"$0" append ${each} ${PER_DIRECTORY} ${ADDED}`);
  await s.run(['sh', '-euc', append.join('\n'), worker]);
  await list(s, figures);
  const ratios = { commit: [] as number[], undo: [] as number[] };
  for (let pair = 0; pair < sizes.pairs; pair++) {
    const there = await moveNatively(`${disk}/there`, `${disk}/back`, amount);
    ratios.commit.push(await order(s, { op: 'commit', pair, moved: there.moved }, figures));
    expectSize(dir, amount, SIZE + ADDED);
    const back = await moveNatively(`${disk}/back`, `${disk}/there`, amount);
    ratios.undo.push(await order(s, { op: 'undo', pair, moved: back.moved }, figures));
    expectSize(dir, amount, SIZE);
  }
  figures.median('commit / mv of as many files', ratios.commit, 'x', { limit: 1.5 });
  figures.median('undo / mv of as many files', ratios.undo, 'x', { limit: 2 });
}

async function list(s: BenchSession, figures: Figures): Promise<void> {
  for (const args of LISTINGS) {
    const { ms, cpu } = await s.cli(args);
    const limit = args[1] === '--stat' ? { limit: 3000 } : {};
    figures.add(args.join(' '), ms, 'ms', { ...limit, note: `processor time ${cpu.toFixed(0)} ms` });
  }
}

interface Order {
  readonly op: 'commit' | 'undo';
  readonly pair: number;
  /** What mv(1) took. */
  readonly moved: number;
}

async function order(s: BenchSession, { op, pair, moved }: Order, figures: Figures): Promise<number> {
  const client = await s.client();
  const cpu = cpuOf(client.hello.pid);
  const start = performance.now();
  await client.request(op === 'commit' ? { op, dryRun: false } : { op });
  const ms = performance.now() - start;
  const spent = cpuOf(client.hello.pid) - cpu;
  client.close();
  figures.add(`${op}, pair ${pair}`, ms, 'ms', {
    note: `daemon's processor time ${spent.toFixed(0)} ms; mv ${moved.toFixed(0)} ms`,
  });
  await settle(s);
  return ms / moved;
}

function expectSize(dir: string, { files }: Amount, size: number): void {
  const last = files % PER_DIRECTORY || PER_DIRECTORY;
  const path = `${directoriesOf(dir, { files, size }).at(-1)}/f${String(last - 1).padStart(5, '0')}`;
  const found = statSync(path).size;
  if (found !== size) throw new Error(`${path} has ${found} bytes, not ${size}`);
}

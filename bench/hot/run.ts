/**
 * `npm run bench:hot [-- --quick] [-- --against WORKTREE]`: nanoseconds, processor time and bytes allocated for each kind
 * of request, without a mount (../README.md). With another worktree, which is built, its figures of the same rounds.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { median } from '../measure.ts';
import { hotRows } from './rows.ts';
import { Server } from './server.ts';

interface Sample {
  readonly ns: number;
  readonly cpu: number;
  readonly bytes: number;
}

type Samples = Readonly<Record<string, readonly Sample[]>>;

const args = process.argv.slice(2);
const [FILES, ROUNDS] = args.includes('--quick') ? [200, 4] : [1000, 12];
/** While V8 compiles. */
const WARMING = ROUNDS >> 1;
const PAIRS = 5;

if (args.includes('--json')) process.stdout.write(`${JSON.stringify(await measure())}\n`);
else if (args.includes('--against')) compare(args[args.indexOf('--against') + 1] ?? '');
else print(await measure());

async function measure(): Promise<Samples> {
  // Nothing is collected while a row runs, so that what the heap grows by is what was allocated.
  setFlagsFromString('--min-semi-space-size=64');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const samples: Record<string, Sample[]> = {};
  const server = new Server(FILES * ROUNDS);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const { name, work } of hotRows(server, round, FILES)) {
        collect();
        const sample = timed(work);
        samples[name] ??= [];
        if (round >= WARMING) samples[name].push(sample);
      }
    }
  } finally {
    await server.close();
  }
  return samples;
}

function timed(work: (i: number) => void): Sample {
  const [heap, cpu, since] = [process.memoryUsage().heapUsed, process.cpuUsage(), performance.now()];
  for (let i = 0; i < FILES; i++) work(i);
  const ns = ((performance.now() - since) * 1e6) / FILES;
  const { user, system } = process.cpuUsage(cpu);
  const bytes = (process.memoryUsage().heapUsed - heap) / FILES;
  return { ns, cpu: ((user + system) * 1000) / FILES, bytes };
}

/** Both worktrees in turns, each in a process of its own. */
function compare(other: string): void {
  const mine = fileURLToPath(import.meta.url);
  const theirs = join(other, 'dist/bench/hot/run.js');
  const rounds = Array.from({ length: PAIRS }, () => [theirs, mine].map(inProcess) as [Samples, Samples]);
  for (const name of Object.keys(rounds[0]?.[1] ?? {})) {
    const pairs = rounds.map(([old, now]) => [figures(old[name]), figures(now[name])] as const);
    const [old, now] = [0, 1].map((side) => median(pairs.map((pair) => pair[side as 0 | 1].cpu))) as [number, number];
    const ratio = median(pairs.map(([before, after]) => after.cpu / before.cpu));
    const bytes = [0, 1].map((side) => Math.round(median(pairs.map((pair) => pair[side as 0 | 1].bytes)))).join(' -> ');
    const times = `${shown(old)} -> ${shown(now)} us, ${ratio.toFixed(2)}`;
    process.stdout.write(`${name.padEnd(36)} processor ${times.padEnd(24)} ${bytes} bytes\n`);
  }
}

function inProcess(script: string): Samples {
  const flags = args.includes('--quick') ? ['--quick'] : [];
  const { stdout, status } = spawnSync(process.execPath, [script, '--json', ...flags], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${script}: exit ${status}`);
  return JSON.parse(stdout) as Samples;
}

function print(samples: Samples): void {
  for (const [name, all] of Object.entries(samples)) {
    const { ns, cpu, bytes } = figures(all);
    const line = `${shown(ns)} us, processor ${shown(cpu)} us, ${Math.round(bytes)} bytes`;
    process.stdout.write(`${name.padEnd(36)} ${line}\n`);
  }
}

function figures(samples: readonly Sample[] = []): Sample {
  const of = (key: keyof Sample): number => median(samples.map((sample) => sample[key]));
  return { ns: of('ns'), cpu: of('cpu'), bytes: of('bytes') };
}

function shown(nanoseconds: number): string {
  return (nanoseconds / 1000).toFixed(2);
}

/**
 * Many processes that each want much that is asked about, a front end that answers, and a bystander in the same view
 * whose own work is timed before and meanwhile.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { self } from '../support/accounts.ts';
import { plainDirectory } from '../support/plain.ts';
import { type Session, seedSmall, session } from '../support/session.ts';
import { type Front, listen } from './front.ts';

export interface Load {
  readonly processes: number;
  readonly paths: number;
  /** `apart`: each path is one process's, and answers count once. `shared`: all want all, and answers are for always. */
  readonly how: 'apart' | 'shared';
}

export interface Report {
  /** How often each path was asked about, in the order in which it was. */
  readonly asked: readonly string[];
  /** What the processes read, one word a file. */
  readonly read: readonly string[];
  /**
   * The bystander's rounds in microseconds, as long as the fastest tenth took at most: before, while processes wait for
   * answers, and while they get them: the median of as many looks as there was time for, and the worst.
   */
  readonly calm: number;
  readonly busy: number;
  readonly storm: number;
  readonly worstStorm: number;
  /** FUSE requests and the daemon's processor time (milliseconds) for a hundred rounds of the bystander, likewise. */
  readonly calmCost: Cost;
  readonly busyCost: Cost;
  /** Bytes of memory that the daemon had more at the end. */
  readonly grown: number;
  /** Processor time of the daemon in milliseconds, and of wall clock, for all of the questions. */
  readonly cpu: number;
  readonly wall: number;
}

interface Cost {
  readonly requests: number;
  readonly cpu: number;
}

const ROUNDS = 100;

/** One word of each file in turn; the shell opens them itself. */
const WORKER = `k=$1; step=$2; i=$3; n=$4; dir=$5
while [ $n -gt 0 ]; do
  read -r word < $dir/$((i % $6)) && echo $word
  i=$((i + step)); n=$((n - 1))
done`;

/** Opens, reads, makes, removes and stats files of its own: `gated` is on the same connection as what is asked about. */
const BYSTANDER = `const fs = require('node:fs');
const [gated, rounds] = process.argv.slice(1);
const times = [];
for (let i = 0; i < Number(rounds); i++) {
  const t = process.hrtime.bigint();
  fs.readFileSync(gated + '/known');
  fs.writeFileSync(gated + '/made', 'x');
  fs.statSync(gated + '/made');
  fs.unlinkSync(gated + '/made');
  times.push(Number(process.hrtime.bigint() - t) / 1000);
}
times.sort((a, b) => a - b);
process.stdout.write(String(times[Math.floor(times.length / 10)]));`;

/** Runs the whole of it. */
export async function underLoad(t: TestContext, load: Load): Promise<Report> {
  const { s, asked, beside } = await place(t, load.paths);
  const front = await listen(t, s);
  // The first time node itself is looked up.
  await bystander(s, beside);
  const calm = await bystander(s, beside);
  const before = await daemonState(s);
  const output: string[] = [];
  const work = s.sh(script(load, asked), { timeout: 1_500_000 });
  // While all of them wait and nobody answers, the view is everybody else's.
  await front.question(Math.min(load.processes, load.paths));
  const busy = await bystander(s, beside);
  const started = performance.now();
  const cpuBefore = (await daemonState(s)).cpu;
  front.answerAll(({ label }) => ({ allow: true, ...(load.how === 'shared' ? { always: label } : {}) }));
  const storms = await during(work, async () => (await bystander(s, beside)).time);
  output.push(...(await work).trim().split('\n'));
  const after = await daemonState(s);
  return {
    asked: namesOf(front),
    read: output,
    ...{ calm: calm.time, busy: busy.time, calmCost: calm.cost, busyCost: busy.cost },
    ...{ storm: storms[storms.length >> 1] ?? 0, worstStorm: storms.at(-1) ?? 0 },
    grown: after.rss - before.rss,
    cpu: after.cpu - cpuBefore,
    wall: performance.now() - started,
  };
}

/** Looks again and again until `work` is done, at least once; returns what was seen, the least first. */
async function during(work: Promise<unknown>, look: () => Promise<number>): Promise<readonly number[]> {
  let isDone = false;
  const done = (): void => {
    isDone = true;
  };
  void work.then(done, done);
  const seen: number[] = [];
  do seen.push(await look());
  while (!isDone);
  return seen.sort((a, b) => a - b);
}

async function place(t: TestContext, paths: number): Promise<{ s: Session; asked: string; beside: string }> {
  const at = plainDirectory(self);
  seedSmall(at.project);
  const [asked, beside] = [join(at.root, 'asked'), join(at.root, 'beside')];
  for (const dir of [asked, beside]) mkdirSync(dir);
  for (let i = 0; i < paths; i++) writeFileSync(join(asked, String(i)), `${i}\n`);
  writeFileSync(join(beside, 'known'), 'x'.repeat(4096));
  const rules = `default_rules = false\n[ask]\ntimeout = "none"\n[rules]\n"${asked}" = "ask"\n`;
  const s = await session(t, { place: at, rules });
  await s.sh('true');
  return { s, asked, beside };
}

function script({ processes, paths, how }: Load, asked: string): string {
  const start = (k: number): string => {
    const own = Math.ceil((paths - k) / processes);
    const [step, from, count] = how === 'apart' ? [processes, k, own] : [1, Math.floor((k * paths) / processes), paths];
    return `sh -c '${WORKER}' sh ${k} ${step} ${from} ${count} ${asked} ${paths} &`;
  };
  return `${Array.from({ length: processes }, (_, k) => start(k)).join('\n')}\nwait`;
}

async function bystander(s: Session, gated: string): Promise<{ time: number; cost: Cost }> {
  const run = (rounds: number): Promise<string> =>
    s.succeed(['run', '--quiet', '--no-snapshot', '--', process.execPath, '-e', BYSTANDER, gated, String(rounds)]);
  const idle = await daemonState(s);
  await run(0);
  const started = await daemonState(s);
  const time = Number(await run(ROUNDS));
  const ended = await daemonState(s);
  const cost = (from: DaemonState, to: DaemonState): Cost => ({
    requests: to.requests - from.requests,
    cpu: to.cpu - from.cpu,
  });
  const [start, all] = [cost(idle, started), cost(started, ended)];
  return { time, cost: { requests: all.requests - start.requests, cpu: all.cpu - start.cpu } };
}

interface DaemonState {
  readonly requests: number;
  readonly rss: number;
  /** Milliseconds. */
  readonly cpu: number;
}

async function daemonState(s: Session): Promise<DaemonState> {
  const { ok } = (await s.ask({ op: 'stats' })) as { ok: { opcodes: Record<string, number>; rss: number } };
  const stat = readFileSync(`/proc/${await s.daemonPid()}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const requests = Object.values(ok.opcodes).reduce((sum, count) => sum + count, 0);
  return { requests, rss: ok.rss, cpu: (Number(fields[11]) + Number(fields[12])) * 10 };
}

function namesOf(front: Front): string[] {
  return front.questions.map(({ label }) => label.slice(label.lastIndexOf('/') + 1));
}

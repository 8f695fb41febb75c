/** Many snapshots: what one costs, and what file operations cost, with ever more of them behind. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Client } from '../../src/daemon/client.ts';
import { SessionHistory } from '../../src/history/timeline/session-history.ts';
import { layoutOf } from '../../test/history/registry/layouts.ts';
import { median } from '../measure.ts';
import { type BenchSession, cpuOf, type ViewShell } from './bench-session.ts';
import type { Figures } from './figures.ts';
import { Operations } from './operations.ts';
import type { Bench } from './run.ts';

/** Files that change in turn, one before each snapshot. */
const FILES = 10;
/** Snapshots that are compared: from the 10th on, and the last ones. */
const WINDOW = 100;
const COMMANDS = 9;
const FEW = 10;

/** What one of a window of snapshots cost, in microseconds. */
interface Window {
  readonly dirty: number[];
  readonly clean: number[];
  readonly roundTrip: number[];
  /** The daemon's processor time, journal records and bytes, requests of the view, for one changed file and its snapshot. */
  readonly cpu: number;
  readonly records: number;
  readonly bytes: number;
  readonly requests: number;
}

export async function snapshots({ figures, session, sizes, worker }: Bench): Promise<void> {
  figures.part(`${sizes.snapshots} snapshots, a changed file before each`);
  const s = await session('snapshots', (project) => {
    for (let i = 0; i < FILES; i++) writeFileSync(`${project}/f${i}`, 'base\n'.repeat(100));
  });
  const shell = s.shell();
  await shell.do('true');
  const client = await s.client();
  recordAlone(s.project, figures, sizes.snapshots);
  const taker = new Taker(s, client, shell);
  const operations = new Operations(s, client, { worker, count: sizes.operations });
  await operations.measure(0);
  await taker.upTo(10);
  const first = await taker.window();
  for (const stage of sizes.stages) {
    await taker.upTo(stage - WINDOW);
    const last = await taker.window();
    await operations.measure(stage);
    report(figures, stage, { first, last });
  }
  figures.median('yolofs snapshot, the command', await commands(s, shell), 'ms', { note: 'most of it starts node' });
  operations.report(figures);
  await shell.end();
  await commitFew(s, client, figures);
  client.close();
}

class Taker {
  readonly #session: BenchSession;
  readonly #client: Client;
  readonly #shell: ViewShell;
  #taken = 0;

  constructor(session: BenchSession, client: Client, shell: ViewShell) {
    this.#session = session;
    this.#client = client;
    this.#shell = shell;
  }

  async upTo(goal: number): Promise<void> {
    while (this.#taken < goal) await this.#one();
  }

  async window(): Promise<Window> {
    const before = await this.#costs();
    const dirty: number[] = [];
    for (let i = 0; i < WINDOW; i++) dirty.push(await this.#one());
    const after = await this.#costs();
    const clean: number[] = [];
    const roundTrip: number[] = [];
    for (let i = 0; i < WINDOW; i++) {
      clean.push(await timed(() => this.#snapshot()));
      roundTrip.push(await timed(() => this.#client.request({ op: 'stats' })));
    }
    const each = (of: keyof typeof before): number => (after[of] - before[of]) / WINDOW;
    const counts = { records: each('records'), bytes: each('bytes'), requests: each('requests') };
    return { dirty, clean, roundTrip, cpu: each('cpu'), ...counts };
  }

  async #one(): Promise<number> {
    // Numbers of one length, so that records of all ages can be compared.
    const text = String(this.#taken).padStart(6, '0');
    await this.#shell.do(`echo ${text} > f${this.#taken++ % FILES}`);
    return timed(() => this.#snapshot());
  }

  #snapshot(): Promise<unknown> {
    return this.#client.request({ op: 'snapshot', name: '', ifChanged: false });
  }

  async #costs(): Promise<{ cpu: number; records: number; bytes: number; requests: number }> {
    const { opcodes } = await this.#client.request({ op: 'stats' });
    const requests = Object.values(opcodes).reduce((sum, n) => sum + n, 0);
    const journal = readFileSync(this.#session.layout.journal, 'latin1');
    const records = journal.split('\n').length;
    return { cpu: cpuOf(this.#client.hello.pid) * 1000, records, bytes: journal.length, requests };
  }
}

/** What must be flat is compared with the first window; noise of the clock is in neither processor time nor counts. */
function report(figures: Figures, stage: number, { first, last }: { first: Window; last: Window }): void {
  const limit = 1000;
  figures.median(`request, nothing to write back, at the ${stage}th`, last.clean, 'us', { limit });
  figures.median(`request, a file to write back, at the ${stage}th`, last.dirty, 'us', { limit });
  figures.median(`a request that does nothing (stats), at the ${stage}th`, last.roundTrip, 'us');
  const note = 'flat: 0.9 to 1.1';
  const limitOfRatio = { limit: 1.1, note };
  figures.add(`the ${stage}th / the 10th: clean`, median(last.clean) / median(first.clean), 'x', limitOfRatio);
  figures.add(`the ${stage}th / the 10th: dirty`, median(last.dirty) / median(first.dirty), 'x', limitOfRatio);
  figures.add(`the ${stage}th / the 10th: daemon's processor time`, last.cpu / first.cpu, 'x', {
    ...limitOfRatio,
    note: `${note}; ${first.cpu.toFixed(0)} and ${last.cpu.toFixed(0)} us for change and snapshot`,
  });
  const [records, bytes] = (['records', 'bytes'] as const).map(
    (of) => `${first[of].toFixed(2)} and ${last[of].toFixed(2)}`,
  );
  figures.add(`the ${stage}th / the 10th: requests`, last.requests / first.requests, 'x', {
    ...limitOfRatio,
    note: `${first.requests} and ${last.requests}; ${records} records, ${bytes} B of journal (a time written back late is one more)`,
  });
}

/** One record and one increment: what history itself takes for a snapshot, in this process. */
function recordAlone(project: string, figures: Figures, count: number): void {
  const layout = { ...layoutOf(project), journal: `${project}/alone`, tree: `${project}/alone.mdb` };
  const { history } = SessionHistory.open(layout, { whoIs: () => ({ run: 0, name: undefined }) });
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    history.snapshot('');
    times.push((performance.now() - start) * 1000);
  }
  const [first, last] = [times.slice(10, 10 + WINDOW), times.slice(-WINDOW)];
  figures.median('the record alone, in this process', times.slice(10), 'us', {
    limit: 1000,
    note: `first ${median(first).toFixed(1)}, last ${median(last).toFixed(1)}`,
  });
  void history.close();
}

async function commands(s: BenchSession, shell: ViewShell): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < COMMANDS; i++) {
    await shell.do(`echo ${i} > f0`);
    times.push((await s.cli(['snapshot'])).ms);
  }
  return times;
}

/** After an abort nothing is left of what the snapshots changed; their journal is. */
async function commitFew(s: BenchSession, client: Client, figures: Figures): Promise<void> {
  const times: number[] = [];
  const whole: number[] = [];
  const cpus: number[] = [];
  for (let round = 0; round < 5; round++) {
    await client.request({ op: 'abort' });
    const shell = s.shell();
    for (let i = 0; i < FEW; i++) await shell.do(`echo ${round} changed > f${i}`);
    await shell.end();
    const before = cpuOf(client.hello.pid);
    if (round % 2 === 0) times.push((await timed(() => client.request({ op: 'commit', dryRun: false }))) / 1000);
    if (round % 2 === 0) cpus.push(cpuOf(client.hello.pid) - before);
    else whole.push((await s.cli(['commit', '--yes'])).ms);
  }
  figures.median(`commit of ${FEW} changed files after all of them, request`, times, 'ms', { limit: 100 });
  figures.median(`commit of ${FEW} changed files after all of them, processor time`, cpus, 'ms', { limit: 100 });
  figures.median(`commit of ${FEW} changed files after all of them, the command`, whole, 'ms');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) * 1000;
}

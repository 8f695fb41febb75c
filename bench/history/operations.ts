/** Single file operations in the view, with ever more snapshots behind them. */
import type { Client } from '../../src/daemon/client.ts';
import { median } from '../measure.ts';
import { type BenchSession, cpuOf } from './bench-session.ts';
import type { Figures } from './figures.ts';

const PASSES = 5;

interface Sample {
  /** Microseconds an operation: by the clock in the view, and of the daemon's processor time. */
  readonly time: number;
  readonly cpu: number;
  /** Requests an operation. */
  readonly requests: number;
}

/** What is done, and to which files: those that this stage has made. */
const ROWS: readonly { name: string; work: (dir: string, n: string) => string[] }[] = [
  { name: 'create', work: (dir, n) => ['create', dir, n, '100'] },
  { name: 'read', work: (dir, n) => ['read', dir, n, '0'] },
  { name: 'stat', work: (dir, n) => ['stat', dir, n, '0'] },
  { name: 'readdir', work: (dir) => ['readdir', dir, '0'] },
  { name: 'append', work: (dir, n) => ['append', dir, n, '100'] },
];

export class Operations {
  readonly #session: BenchSession;
  readonly #client: Client;
  readonly #worker: string;
  readonly #count: number;
  /** By the number of snapshots. */
  readonly #stages = new Map<number, Map<string, Sample>>();

  constructor(session: BenchSession, client: Client, options: { worker: string; count: number }) {
    this.#session = session;
    this.#client = client;
    this.#worker = options.worker;
    this.#count = options.count;
  }

  /** Does each operation, with `snapshots` of them taken. */
  async measure(snapshots: number): Promise<void> {
    const samples: Sample[][] = ROWS.map(() => []);
    for (let pass = 0; pass < PASSES; pass++) {
      const dir = `ops${snapshots}.${pass}`;
      await this.#session.run(['mkdir', dir]);
      for (const [i, row] of ROWS.entries()) samples[i]?.push(await this.#one(row.work(dir, String(this.#count))));
    }
    const of = (list: readonly Sample[], key: keyof Sample): number => median(list.map((sample) => sample[key]));
    this.#stages.set(
      snapshots,
      new Map(
        ROWS.map(({ name }, i) => {
          const list = samples[i] ?? [];
          return [name, { time: of(list, 'time'), cpu: of(list, 'cpu'), requests: of(list, 'requests') }];
        }),
      ),
    );
  }

  async #one(work: readonly string[]): Promise<Sample> {
    const before = await this.#costs();
    const time = Number(await this.#session.run([this.#worker, ...work])) / 1000;
    const after = await this.#costs();
    const per = work[0] === 'readdir' ? 1 : this.#count;
    return {
      time: time / per,
      cpu: ((after.cpu - before.cpu) * 1000) / per,
      requests: (after.requests - before.requests) / per,
    };
  }

  async #costs(): Promise<{ cpu: number; requests: number }> {
    const { opcodes } = await this.#client.request({ op: 'stats' });
    return { cpu: cpuOf(this.#client.hello.pid), requests: Object.values(opcodes).reduce((sum, n) => sum + n, 0) };
  }

  /** The last stage beside the first. */
  report(figures: Figures): void {
    const stages = [...this.#stages.keys()];
    const [from, to] = [stages[0] ?? 0, stages.at(-1) ?? 0];
    for (const { name } of ROWS) {
      const all = stages.flatMap((stage) => this.#stages.get(stage)?.get(name) ?? []);
      const [first, last] = [all[0], all.at(-1)];
      if (first === undefined || last === undefined) continue;
      const at = all.map(
        ({ time, requests }, i) => `${stages[i]}: ${time.toFixed(1)} us, ${requests.toFixed(2)} requests`,
      );
      figures.add(`${name}, ${to} snapshots / ${from}: time`, last.time / first.time, 'x', {
        limit: 1.1,
        note: at.join('; '),
      });
      figures.add(`${name}, ${to} snapshots / ${from}: daemon's processor time`, last.cpu / first.cpu, 'x', {
        note: `${first.cpu.toFixed(1)} and ${last.cpu.toFixed(1)} us`,
      });
    }
  }
}

/** Measuring: every iteration of a row runs on all systems, one right after the other, so that what else the machine does hits all. */
import { writeFileSync } from 'node:fs';
import { succeed } from '../test/support/exec.ts';
import type { Row } from './rows.ts';
import type { System } from './systems.ts';

export interface Measured {
  readonly row: string;
  /** At most this many times the limit, and ext4. */
  readonly must?: number;
  readonly aim?: number;
  /** Nanoseconds an operation, by system: the median of all iterations. */
  readonly median: Readonly<Record<string, number>>;
  /** The median of each iteration's ratio to ext4, by system. */
  readonly ratio: Readonly<Record<string, number>>;
  /** The same to the limit. */
  readonly ofLimit: Readonly<Record<string, number>>;
  /** All times, for those who doubt the median. */
  readonly all: Readonly<Record<string, readonly number[]>>;
  /** Requests a single run made of the systems that count, by opcode, most first. */
  readonly requests: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Runs one row `pairs` times on every system; the order of the systems rotates. */
export async function measure(
  row: Row,
  systems: readonly System[],
  options: { worker: string; pairs: number },
): Promise<Measured> {
  const all: Record<string, number[]> = Object.fromEntries(systems.map(({ name }) => [name, []]));
  const requests: Record<string, Record<string, number>> = {};
  for (let i = 0; i < options.pairs; i++) {
    for (const system of rotated(systems, i)) {
      const { time, counted } = await runOnce(row, system, { worker: options.worker, i });
      all[system.name]?.push(time / row.per);
      if (Object.keys(counted).length > 0) requests[system.name] = counted;
    }
  }
  const { name, must, aim } = row;
  return {
    row: name,
    ...(must === undefined ? {} : { must }),
    ...(aim === undefined ? {} : { aim }),
    median: Object.fromEntries(Object.entries(all).map(([system, times]) => [system, median(times)])),
    ratio: ratios(all, 'ext4'),
    ofLimit: ratios(all, 'limit'),
    all,
    requests,
  };
}

/** The median of each round's ratio to `other`, by system. */
function ratios(all: Readonly<Record<string, readonly number[]>>, other: string): Record<string, number> {
  const base = all[other] ?? [];
  const ratio = (times: readonly number[]): number => median(times.map((time, i) => time / (base[i] ?? Number.NaN)));
  return Object.fromEntries(Object.entries(all).map(([system, times]) => [system, ratio(times)]));
}

async function runOnce(
  row: Row,
  system: System,
  { worker, i }: { worker: string; i: number },
): Promise<{ time: number; counted: Record<string, number> }> {
  // Nobody starts with what an earlier row has looked up, nor the limit with its descriptors, of which it has one a name.
  drop('names');
  for (const argv of row.before?.(i) ?? []) await system.run(argv);
  // What an earlier run left dirty is not this run's to write back.
  await succeed(['sync']);
  if (row.dropped !== undefined) drop(row.dropped);
  const before = await system.counters();
  const said = await system.run([worker, ...row.work(i)]);
  const counted = difference(before, await system.counters());
  for (const argv of row.after?.(i) ?? []) await system.run(argv);
  return { time: Number(said.trim()), counted };
}

function drop(what: 'all' | 'names'): void {
  writeFileSync('/proc/sys/vm/drop_caches', what === 'all' ? '3' : '2');
}

function difference(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Record<string, number> {
  const grown = Object.entries(after).map(([opcode, n]): [string, number] => [opcode, n - (before[opcode] ?? 0)]);
  return Object.fromEntries(grown.filter(([, n]) => n > 0).sort(([, a], [, b]) => b - a));
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

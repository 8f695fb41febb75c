/** The table for people, and the verdicts: what a row must, and what it aims at (README.md). */
import type { Measured } from './measure.ts';

const NOISE = 1.05;

export interface Extra {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 'MB';
  readonly limit?: number;
}

/** A text table: times of one operation, and their ratio to ext4. */
export function table(measured: readonly Measured[], systems: readonly string[]): string {
  const head = ['', ...systems.flatMap((name, i) => (i === 0 ? [name] : [name, 'x ext4'])), 'verdict'];
  const body = measured.map((m) => [
    m.row,
    ...systems.flatMap((name, i) => {
      const time = duration(m.median[name] ?? Number.NaN);
      return i === 0 ? [time] : [time, (m.ratio[name] ?? Number.NaN).toFixed(2)];
    }),
    misses(m).join('; ') || 'ok',
  ]);
  const lines = [head, ...body];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(pad).join('  ').trimEnd()).join('\n');
}

/** What this row misses, in words; nothing when it is within its limits. A twentieth is noise. */
export function misses(m: Measured): string[] {
  const [ofLimit = Number.NaN, ofExt4 = Number.NaN] = [m.ofLimit.yolofs, m.ratio.yolofs];
  const missed: string[] = [];
  if (m.must !== undefined && ofLimit > m.must * NOISE)
    missed.push(`${ofLimit.toFixed(2)}x the limit (must ${m.must})`);
  if (m.aim !== undefined && ofExt4 > m.aim * NOISE) missed.push(`${ofExt4.toFixed(2)}x ext4 (aim ${m.aim})`);
  const other = m.ratio['fuse-overlayfs'];
  if (other !== undefined && ofExt4 > other * NOISE) missed.push(`${(ofExt4 / other).toFixed(2)}x fuse-overlayfs`);
  return missed;
}

/** The figures that are not ratios, one a line. */
export function extras(list: readonly Extra[]): string {
  return list
    .map(({ name, value, unit, limit }) => {
      const verdict = limit === undefined ? '' : value <= limit ? `  (limit ${limit}: ok)` : `  (over ${limit})`;
      return `${name}: ${value.toFixed(value < 100 ? 1 : 0)} ${unit}${verdict}`;
    })
    .join('\n');
}

/** Requests of one run of each row, by the systems that count them, most frequent opcodes first. */
export function requestLines(measured: readonly Measured[]): string {
  return measured
    .flatMap((m) => Object.entries(m.requests).map(([name, by]) => requestLine(m.row, name, by)))
    .join('\n');
}

function requestLine(row: string, system: string, byOpcode: Readonly<Record<string, number>>): string {
  const counts = Object.entries(byOpcode);
  const total = counts.reduce((sum, [, n]) => sum + n, 0);
  const most = counts.slice(0, 8).map(([opcode, n]) => `${opcode} ${n}`);
  return `${row}, ${system}: ${total}: ${most.join(', ')}`;
}

/** Nanoseconds for people. */
export function duration(ns: number): string {
  if (ns < 1e3) return `${ns.toFixed(0)} ns`;
  if (ns < 1e6) return `${(ns / 1e3).toFixed(1)} us`;
  return ns < 1e9 ? `${(ns / 1e6).toFixed(1)} ms` : `${(ns / 1e9).toFixed(2)} s`;
}

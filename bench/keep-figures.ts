/** What the files in results/ say of a run, and the file that a whole run of a benchmark of figures writes. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { resolve } from 'node:path';
import type { Figure } from './history/figures.ts';

/** When, of which code and where. `load`: as it was before. */
export interface Origin {
  readonly date: string;
  readonly commit: string;
  readonly where: {
    readonly kernel: string;
    readonly node: string;
    readonly cpu: string;
    readonly cpus: number;
    readonly memory: number;
    readonly load: readonly number[];
  };
}

export function originOf(load: readonly number[] = loadavg()): Origin {
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    where: {
      kernel: release(),
      node: process.version,
      cpu: cpus()[0]?.model ?? '',
      cpus: cpus().length,
      memory: totalmem(),
      load,
    },
  };
}

/** The file of a benchmark's run of that day; its directory is there afterwards. */
export function resultsFile(bench: string, { date, where }: Origin): string {
  const dir = resolve('bench/results');
  mkdirSync(dir, { recursive: true });
  return resolve(dir, `${bench}${date}-${where.kernel}.json`);
}

/** `load`: as it was before. */
export function keepFigures(bench: string, figures: readonly Figure[], load: readonly number[]): void {
  const origin = originOf(load);
  writeFileSync(resultsFile(`${bench}-`, origin), `${JSON.stringify({ ...origin, figures }, null, 1)}\n`);
}

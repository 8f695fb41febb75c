/** The file in results/ that a whole run of a benchmark of figures writes. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { resolve } from 'node:path';
import type { Figure } from './history/figures.ts';

/** `load`: as it was before. */
export function keepFigures(bench: string, figures: readonly Figure[], load: readonly number[]): void {
  const date = new Date().toISOString().slice(0, 10);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const where = {
    kernel: release(),
    node: process.version,
    cpu: cpus()[0]?.model ?? '',
    cpus: cpus().length,
    memory: totalmem(),
    load,
  };
  mkdirSync(resolve('bench/results'), { recursive: true });
  writeFileSync(
    resolve('bench/results', `${bench}-${date}-${where.kernel}.json`),
    `${JSON.stringify({ date, commit, where, figures }, null, 1)}\n`,
  );
}

/** Which unit tests load a file of `src/`, the nearest first: those that import it themselves, then by way of others. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { tierOf } from '../support/report/tiers.ts';
import { unitFiles } from '../support/report/unit-files.ts';
import { REPOSITORY } from '../support/source-files.ts';

const BUILT = join(REPOSITORY, 'dist');
const TESTS = join(BUILT, 'test');
const IMPORT = /(?:\bfrom |^import |\bimport\()'(\.[^']+)'/gm;

const imports = new Map<string, readonly string[]>();

/** The quick unit tests of this checkout, compiled, as paths below `dist/test`. */
export function allUnits(): string[] {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => tierOf(file) === 'quick' && existsSync(join('test', file.replace(/\.js$/, '.ts'))))
    .sort();
  return unitFiles(TESTS, files);
}

/** Those of `units` that load `source`, e.g. `src/staging/core.ts`. */
export function reaching(units: readonly string[], source: string): string[] {
  const target = join(BUILT, source.replace(/\.ts$/, '.js'));
  return units
    .map((unit) => ({ unit, far: distance(join(TESTS, unit), target) }))
    .filter(({ far }) => far !== undefined)
    .sort((one, other) => (one.far ?? 0) - (other.far ?? 0))
    .map(({ unit }) => unit);
}

function distance(from: string, to: string): number | undefined {
  const seen = new Set([from]);
  for (let [ring, far]: [string[], number] = [[from], 0]; ring.length > 0; far++) {
    if (ring.includes(to)) return far;
    ring = ring.flatMap(importsOf).filter((path) => !seen.has(path) && seen.add(path));
  }
  return undefined;
}

function importsOf(path: string): readonly string[] {
  const known = imports.get(path);
  if (known !== undefined) return known;
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const found = [...text.matchAll(IMPORT)].map(([, name = '']) => normalize(join(dirname(path), name)));
  imports.set(path, found);
  return found;
}

/** Every test file is run by somebody: each has one tier, and the dearer runs take what the cheaper ones take. */
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { Begun, LONG_ORDER, partsOf } from '../support/report/parts.ts';
import { LONG_IN_CI, TIERS, takes, tierOf, WHOLE_PROOFS } from '../support/report/tiers.ts';
import { sourceFiles } from '../support/source-files.ts';

const sources = sourceFiles('test');
const files = sources.map(({ path }) => compiled(path));
const tests = files.filter((file) => tierOf(file) !== undefined);

test('npm run test:all takes every file that has tests and that no other file imports', () => {
  const imports = sources.flatMap(({ code }) => [...code.matchAll(/\/([\w.-]+)\.ts'/g)].map(([, name]) => name));
  const imported = new Set(imports);
  const roots = sources.filter(
    ({ path, code }) =>
      /^import (?!type )[^;]* from 'node:test';/m.test(code) &&
      !imported.has(basename(path, '.ts')) &&
      !isProgram(path),
  );
  assert.ok(roots.length > 100, 'the search for test files finds none');
  const missed = roots.map(({ path }) => path).filter((path) => !takes('all', compiled(path)));
  assert.deepEqual(missed, [], 'call it *.test.ts, or *.long.ts where it takes minutes');
});

test('a dearer run takes all that a cheaper one takes, and CI every *.test.ts', () => {
  for (const file of tests) {
    const taken = TIERS.map((tier) => takes(tier, file));
    assert.deepEqual(taken, [...taken].sort(), file);
    assert.ok(takes('ci', file) || file.endsWith('.long.js'), file);
  }
});

test('no file mocks for the whole process: the quick run has all files of a folder in one', () => {
  const forAll = sources.filter(({ code }) => /^import [^;]*\bmock\b[^;]* from 'node:test';/m.test(code));
  assert.deepEqual(
    forAll.map(({ path }) => path),
    [],
    'what t.mock changes is as before when its test ends',
  );
});

test('each pattern of a tier has a file', () => {
  const unused = [...WHOLE_PROOFS, ...LONG_IN_CI].filter((pattern) => !files.some((file) => pattern.test(file)));
  assert.deepEqual(unused.map(String), [], 'a file that was renamed has moved to another tier');
});

test('a run of everything has each file once, and what it may leave for want of time is no more than CI may', () => {
  const parts = partsOf(tests, { atOnce: 6, longAtOnce: 3 });
  assert.deepEqual(parts.flatMap((part) => part.files).sort(), [...tests].sort());
  const left = parts.filter((part) => part.mayBeLeft).flatMap((part) => part.files);
  assert.deepEqual(left.sort(), tests.filter((file) => !takes('ci', file)).sort());
  const unused = LONG_ORDER.filter((pattern) => !left.some((file) => pattern.test(file)));
  assert.deepEqual(unused.map(String), []);
});

test('a run whose time is over begins what CI always runs, and names the rest', () => {
  const parts = partsOf(tests, { atOnce: 6, longAtOnce: 3 });
  const [all, none] = [new Begun(Number.POSITIVE_INFINITY), new Begun(0)];
  assert.deepEqual([...all.of(parts)], parts);
  assert.deepEqual(all.left, []);
  const begun = [...none.of(parts)].flatMap((part) => part.files);
  assert.deepEqual(begun.sort(), tests.filter((file) => takes('ci', file)).sort());
  assert.deepEqual([...begun, ...none.left].sort(), [...tests].sort());
});

function compiled(path: string): string {
  return path.slice('test/'.length).replace(/\.ts$/, '.js');
}

/** A program that a test starts, or the runner itself. */
function isProgram(path: string): boolean {
  return path.endsWith('-main.ts') || path === 'test/run.ts';
}

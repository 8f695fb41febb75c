/** 64 processes and 1,000 paths that are asked about; measures what it costs others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Report, underLoad } from './load.ts';

const PATHS = 1000;
const PROCESSES = 64;
const all: readonly string[] = Array.from({ length: PATHS }, (_, i) => String(i)).sort();

function check(report: Report): void {
  const { asked: _asked, read: _read, ...numbers } = report;
  process.stderr.write(`${JSON.stringify(numbers)}\n`);
  assert.deepEqual([...report.asked].sort(), all, 'each path is asked about once');
  assert.ok(report.busyCost.requests <= report.calmCost.requests * 1.5);
  assert.ok(report.busyCost.cpu <= report.calmCost.cpu * 2);
  assert.ok(report.busy <= report.calm * 2, `rounds took ${report.calm} us before and ${report.busy} meanwhile`);
  assert.ok(report.storm <= report.calm * 2, `rounds took ${report.calm} us before and ${report.storm} under answers`);
  assert.ok(report.grown < 100e6);
}

test('1,000 paths, each wanted by one of 64 processes, each answered once', async (t) => {
  const report = await underLoad(t, { processes: PROCESSES, paths: PATHS, how: 'apart' });
  check(report);
  assert.deepEqual([...report.read].sort(), all);
});

test('1,000 paths, all wanted by all of 64 processes, each answered for always', async (t) => {
  const report = await underLoad(t, { processes: PROCESSES, paths: PATHS, how: 'shared' });
  check(report);
  assert.deepEqual(
    [...report.read].sort(),
    Array.from({ length: PROCESSES }, () => all)
      .flat()
      .sort(),
  );
});

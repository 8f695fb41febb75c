import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { MergeBases } from '../../../src/history/commit/conflict/merge-bases.ts';
import type { BaseStamp } from '../../../src/staging/base-stamps.ts';

const STAMPS = [11, 12, 13] as BaseStamp[];

/** A directory with a text for each stamp. */
function filled(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'yolofs-test-'));
  t.after(() => rmSync(root, { recursive: true }));
  const dir = join(root, 'originals');
  fill(dir);
  return dir;
}

function fill(dir: string): void {
  mkdirSync(dir);
  for (const stamp of STAMPS) writeFileSync(join(dir, String(stamp)), `text ${stamp}`);
}

test('clear() leaves no merge base to be found, and the files to removeCleared()', (t) => {
  const dir = filled(t);
  const bases = new MergeBases(dir);
  assert.equal(bases.find(STAMPS[0] as BaseStamp)?.toString(), 'text 11');
  bases.clear();
  assert.equal(bases.find(STAMPS[0] as BaseStamp), undefined);
  assert.equal(readdirSync(`${dir}-cleared`).length, STAMPS.length);
  // What an earlier daemon did not get to, the next one does.
  const next = new MergeBases(dir);
  let slices = 1;
  while (next.removeCleared(0)) slices += 1;
  assert.equal(slices, STAMPS.length, 'a slice that is over at once removes one file');
  assert.ok(!existsSync(`${dir}-cleared`));
  assert.equal(next.removeCleared(0), false);
});

test('clear() again, before the files of the first time are gone, keeps nothing of either', (t) => {
  const dir = filled(t);
  const bases = new MergeBases(dir);
  bases.clear();
  assert.equal(bases.removeCleared(0), true);
  fill(dir);
  bases.clear();
  assert.equal(bases.find(STAMPS[1] as BaseStamp), undefined);
  const left = (): number => readdirSync(`${dir}-cleared`).length + readdirSync(`${dir}-cleared-1`).length;
  assert.equal(left(), 2 * STAMPS.length - 1, 'nobody waits for the files of the first time');
  fill(dir);
  let slices = 1;
  while (bases.removeCleared(0)) slices += 1;
  assert.equal(slices, 2 * STAMPS.length - 1);
  assert.ok(!existsSync(`${dir}-cleared`) && !existsSync(`${dir}-cleared-1`));
  assert.equal(bases.find(STAMPS[1] as BaseStamp)?.toString(), `text ${STAMPS[1]}`);
});

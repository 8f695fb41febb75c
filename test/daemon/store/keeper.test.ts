/** What is done beside the copying of committed content: before it is all there where that can be, else behind it. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import { Keeper } from '../../../src/daemon/store/committed/keeper.ts';
import { applyPlan, CommitError } from '../../../src/history/commit/commit.ts';
import { objectPath } from '../../../src/staging/object-store.ts';
import type { ObjectId } from '../../../src/sys/bytes.ts';
import { planOf } from '../../history/commit/cases.ts';
import { StagedProject } from '../../history/projects/staged-project.ts';
import { layoutOf } from '../../history/registry/layouts.ts';

const FILES = 40;

/** A keeper that is about to copy what a commit of so many files has given to the base; how much is there. */
async function committed(p: StagedProject): Promise<{ readonly keeper: Keeper; readonly present: () => number }> {
  for (let i = 1; i <= FILES; i++) p.write(`f${i}`, `text ${i}`);
  assert.ok(!((await applyPlan(planOf(p), { sync: false })) instanceof CommitError));
  const objects = Array.from({ length: FILES }, (_, i) => `${p.top}/store/${objectPath((i + 1) as ObjectId)}`);
  const keeper = new Keeper({ ...layoutOf(p.top), commits: `${p.top}/commits` }, p.view.store);
  return { keeper, present: () => objects.filter((path) => fs.existsSync(path)).length };
}

/** Gives it two attempts while it has all before it; returns which were made, how much was there then, and what came of it. */
async function attempts(isPossible: boolean): Promise<readonly (string | number)[]> {
  const p = new StagedProject();
  try {
    const { keeper, present } = await committed(p);
    keeper.start(Number.POSITIVE_INFINITY);
    const seen: (string | number)[] = [];
    const attempt = (how: string) => async (): Promise<string | null> => {
      const before = present();
      // Long enough for all of them.
      await new Promise((done) => setTimeout(done, 100));
      assert.equal(present(), before, 'nothing is copied meanwhile');
      seen.push(how, before);
      return how === 'whole' || isPossible ? how : null;
    };
    const done = await keeper.beside(attempt('at once'), attempt('whole') as () => Promise<string>);
    seen.push(done);
    await keeper.idle();
    assert.equal(present(), FILES, 'the rest is copied behind it');
    return seen;
  } finally {
    p.close();
  }
}

test('beside() does what can be done before the copies are there without waiting for them, and they go on behind it', async () => {
  assert.deepEqual(await attempts(true), ['at once', 0, 'at once']);
});

test('beside() waits for the copies where that is asked for', async () => {
  assert.deepEqual(await attempts(false), ['at once', 0, 'whole', FILES, 'whole']);
});

test('beside() does it as a whole where nothing is being copied', async () => {
  const p = new StagedProject();
  try {
    const { keeper, present } = await committed(p);
    assert.equal(
      await keeper.beside(
        async () => 'at once',
        async () => 'whole',
      ),
      'whole',
    );
    assert.equal(present(), 0);
  } finally {
    p.close();
  }
});

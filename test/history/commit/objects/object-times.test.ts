/**
 * A state that says nothing of a file's time shows that of its content object: so an object has the time of its last
 * write for ever, whatever time a commit gives to the file, and wherever the object comes back from.
 */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import { applyPlan, CommitError } from '../../../../src/history/commit/commit.ts';
import type { Plan } from '../../../../src/history/commit/plan.ts';
import { readLog } from '../../../../src/history/commit/runner/read-log.ts';
import { restoreObjects, restoreSoonest } from '../../../../src/history/commit/runner/restore-objects.ts';
import { undoCommit } from '../../../../src/history/commit/runner/undo.ts';
import { objectPath } from '../../../../src/staging/object-store.ts';
import type { ObjectId } from '../../../../src/sys/bytes.ts';
import { EMFILE } from '../../../../src/sys/errno.ts';
import { boundCalls } from '../../../../src/sys/libc.ts';
import { StagedProject } from '../../projects/staged-project.ts';
import { layoutOf } from '../../registry/layouts.ts';
import { planOf } from '../cases.ts';

const SET = { sec: 1_000_000_000, nsec: 5 };

/** Nanoseconds: what the file has in the base, and what its object has in the store. */
interface Times {
  readonly base: () => bigint;
  readonly object: () => bigint;
}

/** The plan of a commit of a file that was written to and then got another time. */
function stage(p: StagedProject): Times & { readonly plan: Plan } {
  p.base({ f: 'old' });
  p.write('f', 'new').utimes('f', SET);
  const plan = planOf(p);
  const path = `${p.top}/store/${objectPath(1 as ObjectId)}`;
  const of = (file: string): bigint => fs.statSync(file, { bigint: true }).mtimeNs;
  return { plan, base: () => of(`${p.view.dir}/f`), object: () => of(path) };
}

async function commit(plan: Plan): Promise<void> {
  const applied = await applyPlan(plan, { sync: false });
  assert.ok(!(applied instanceof CommitError), String(applied));
}

/** What brings an object back that a commit has moved to the base. */
const WAYS: Readonly<Record<string, (p: StagedProject, plan: Plan) => Promise<void>>> = {
  'a commit that is taken back': async (_, plan) => {
    const onPlaced = (): void => {
      throw new Error('the journal is full');
    };
    await assert.rejects(applyPlan(plan, { sync: false, onPlaced }), /journal is full/);
  },
  'an undo': async ({ view: { store } }, plan) => {
    await commit(plan);
    const log = readLog(plan.log);
    assert.ok(typeof log === 'object');
    await undoCommit({ log, store, onReverted: () => undefined });
  },
  'the keeping of committed content': async ({ top, view: { store } }, plan) => {
    await commit(plan);
    const keeping = restoreObjects({ ...layoutOf(top), commits: `${top}/commits` }, 1, store);
    while (keeping.next().done !== true);
  },
};

for (const [title, bringBack] of Object.entries(WAYS)) {
  for (const where of ['/var/tmp', '/dev/shm']) {
    test(`the object of a file that was committed with another time has its own after ${title}, with the base in ${where}`, async () => {
      const top = fs.mkdtempSync(`${where}/yolofs-test-`);
      const p = new StagedProject(`${top}/base`);
      try {
        const { plan, base, object } = stage(p);
        const [own, old] = [object(), base()];
        await bringBack(p, plan);
        assert.equal(object(), own);
        assert.equal(base(), title.startsWith('the keeping') ? 1_000_000_000_000_000_005n : old);
      } finally {
        p.close();
        fs.rmSync(top, { recursive: true });
      }
    });
  }
}

test('an undo that fails puts the object back with the time that the commit gave to the file', async () => {
  const p = new StagedProject();
  try {
    const { plan, base } = stage(p);
    await commit(plan);
    const log = readLog(plan.log);
    assert.ok(typeof log === 'object');
    const onReverted = (): void => {
      throw new Error('the journal is full');
    };
    await assert.rejects(undoCommit({ log, store: p.view.store, onReverted }), /journal is full/);
    assert.equal(base(), 1_000_000_000_000_000_005n);
  } finally {
    p.close();
  }
});

test('of a commit what git outside writes anew at its next command is in the store again once it is through, caches last', async () => {
  const p = new StagedProject();
  try {
    const cached = '.cache/c';
    const object = `.git/objects/ab/${'0'.repeat(38)}`;
    p.base({ [cached]: 'old', '.git/HEAD': 'old', '.git/index': 'old', [object]: 'old', src: 'old' });
    p.write(cached, 'one').write('.git/index', 'what it says').write(object, 'three').write('src', 'four');
    await commit(planOf(p));
    const inStore = (object: number): boolean => fs.existsSync(`${p.top}/store/${objectPath(object as ObjectId)}`);
    const present = (): boolean[] => [1, 2, 3, 4].map(inStore);
    assert.deepEqual(present(), [false, true, false, false]);
    assert.equal(fs.readFileSync(`${p.top}/store/${objectPath(2 as ObjectId)}`, 'utf8'), 'what it says');
    const keeping = restoreObjects({ ...layoutOf(p.top), commits: `${p.top}/commits` }, 1, p.view.store);
    keeping.next();
    assert.deepEqual(present(), [false, true, false, true]);
    while (keeping.next().done !== true);
    assert.deepEqual(present(), [true, true, true, true]);
  } finally {
    p.close();
  }
});

test('a commit whose content cannot be brought back, or is too much to wait for, is through all the same', async () => {
  const p = new StagedProject();
  const calls = boundCalls as unknown as { openat: (dirfd: number, path: unknown, ...args: unknown[]) => number };
  const { openat } = calls;
  try {
    p.base({ '.git/index': 'old', '.git/lfs': 'old' });
    p.write('.git/index', 'new').write('.git/lfs', 'x'.repeat(64 * 1024 * 1024));
    // From when it counts, no directory can be opened anew.
    const onPlaced = (): void => {
      calls.openat = (dirfd, path, ...args) =>
        Buffer.from(path as Uint8Array).toString('latin1', 0, 2) === '/\0' ? -EMFILE : openat(dirfd, path, ...args);
    };
    const plan = planOf(p);
    assert.ok(!((await applyPlan(plan, { sync: false, onPlaced })) instanceof CommitError));
    const inStore = (object: number): boolean => fs.existsSync(`${p.top}/store/${objectPath(object as ObjectId)}`);
    assert.deepEqual([1, 2].map(inStore), [false, false]);
    calls.openat = openat;
    const log = readLog(plan.log);
    assert.ok(typeof log === 'object');
    restoreSoonest(plan.log, log, p.view.store);
    assert.deepEqual([1, 2].map(inStore), [true, false]);
    assert.equal(
      p.native((dir) => fs.readFileSync(`${dir}/.git/index`, 'utf8')),
      'new',
    );
  } finally {
    calls.openat = openat;
    p.close();
  }
});

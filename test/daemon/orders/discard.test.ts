/** Commits that throw hunks of what stays away, both at once; and commits of a part of a file that is merged. Without a mount. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import type { HunkWish } from '../../../src/daemon/orders/part/chosen.ts';
import { MergeBases } from '../../../src/history/commit/conflict/merge-bases.ts';
import { textChangeOf } from '../../../src/history/diff/text/sections.ts';
import { openBase } from '../../../src/history/registry/mounts.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';
import { UserError } from '../../../src/sys/user-error.ts';
import { ALL } from '../../crash/commit-session.ts';
import type { CrashWorld } from '../../crash/crash-world.ts';
import { sectionsIn } from './hunk-keys.ts';
import { base, changeOf, EDITED, opened, path, put, shown, textOf } from './hunk-world.ts';

const keysIn = (world: CrashWorld, name: string): { key: string }[] =>
  changeOf(world, name).hunks.map(({ key }) => ({ key }));

const commit = (
  world: CrashWorld,
  hunks: readonly HunkWish[],
  discard: readonly HunkWish[],
): ReturnType<CrashWorld['live']['orders']['commit']> =>
  world.live.orders.commit({ ...ALL, hunks, discard }, () => undefined);

for (const how of ['in place', 'moved there'] as const) {
  test(`commit() of a hunk of a file written ${how} throws another one away with it; undo brings back both, one by one`, async (t) => {
    const world = await opened(t);
    const was = base(world, 'edited');
    put(world, 'edited', EDITED('edited'), how);
    put(world, 'replaced', EDITED('replaced'), how);
    const [first, second, third] = keysIn(world, 'edited');
    assert.ok(first && second && third);
    const done = await commit(world, [first], [second, ...keysIn(world, 'replaced')]);
    assert.deepEqual([done.changes, done.discarded], [1, 1]);
    const left = textOf('edited', (line) => ![2, 37].includes(line));
    const judge = (): void => {
      assert.equal(
        base(world, 'edited').text,
        textOf('edited', (line) => line !== 2),
      );
      assert.equal(shown(world, 'edited').text, left);
      assert.equal(
        shown(world, 'replaced').text,
        textOf('replaced', () => true),
      );
      assert.deepEqual([...sectionsIn(world).keys()], ['edited']);
    };
    judge();
    await world.reopen();
    judge();
    await world.live.orders.undo(() => undefined);
    assert.equal(
      base(world, 'edited').text,
      textOf('edited', (line) => line !== 2),
    );
    for (const name of ['edited', 'replaced']) assert.equal(shown(world, name).text, EDITED(name));
    await world.live.orders.undo(() => undefined);
    assert.deepEqual(base(world, 'edited'), was);
    for (const name of ['edited', 'replaced']) assert.equal(shown(world, name).text, EDITED(name));
    assert.deepEqual(keysIn(world, 'edited'), [first, second, third]);
  });
}

test('commit() that would throw away what is not there any more does nothing at all', async (t) => {
  const world = await opened(t);
  put(world, 'edited', EDITED('edited'), 'in place');
  const looks = world.look();
  const [first, second] = keysIn(world, 'edited');
  assert.ok(first && second);
  const isOutdated = (error: unknown): boolean => error instanceof UserError && error.code === 'outdated';
  // Once the first is committed it is none that could be thrown away.
  await assert.rejects(commit(world, [first], [second, first]), isOutdated);
  assert.deepEqual(world.look(), looks);
  await world.reopen();
  assert.deepEqual(world.look(), looks);
  assert.deepEqual(keysIn(world, 'edited').slice(0, 2), [first, second]);
  await assert.rejects(
    world.live.orders.commit({ ...ALL, discard: [second] }, () => undefined),
    /nothing is left to throw away/,
  );
  assert.deepEqual(world.look(), looks);
});

test('commit() of paths throws hunks of other files away with it', async (t) => {
  const world = await opened(t);
  put(world, 'edited', EDITED('edited'), 'in place');
  put(world, 'moded', EDITED('moded'), 'in place');
  const [, second] = keysIn(world, 'moded');
  assert.ok(second);
  await world.live.orders.commit({ ...ALL, paths: [path(world, 'edited')], discard: [second] }, () => undefined);
  assert.equal(base(world, 'edited').text, EDITED('edited'));
  assert.equal(
    shown(world, 'moded').text,
    textOf('moded', (line) => ![2, 37].includes(line)),
  );
  await world.reopen();
  assert.equal(
    shown(world, 'moded').text,
    textOf('moded', (line) => ![2, 37].includes(line)),
  );
  assert.equal(
    base(world, 'moded').text,
    textOf('moded', () => true),
  );
});

/** As the daemon's main thread does it while something is staged. */
function keepMergeBase({ place }: CrashWorld): void {
  const base = openBase(place.layout);
  new MergeBases(place.layout.mergeBases).keep(`${place.base}/edited` as BytePath, base);
  base.close();
}

/** What somebody has done outside to a file, and what is staged of it. */
function meet(world: CrashWorld): { readonly outside: string; readonly both: string } {
  const change = (isOld: (line: number) => boolean): string =>
    textOf('edited', isOld).replace('edited 12\n', 'edited 12 from outside\n');
  fs.writeFileSync(
    path(world, 'edited'),
    change(() => true),
  );
  return { outside: change(() => true), both: change((line) => ![2, 20, 37].includes(line)) };
}

/** As the main thread does it: conflicts are resolved, then the rest is committed. */
async function commitMerged(
  world: CrashWorld,
  hunks: readonly HunkWish[],
  discard: readonly HunkWish[] = [],
): Promise<void> {
  const ask = { ...ALL, hunks, discard, wishes: { ours: [], theirs: [], merge: true } };
  const resolved = world.live.orders.resolve(ask);
  assert.deepEqual(resolved.merged, [path(world, 'edited')]);
  await world.live.orders.commit(resolved.next, () => undefined);
}

test('commit() of a hunk and a line of a file that is merged gives the real file these beside what was done outside', async (t) => {
  const world = await opened(t);
  keepMergeBase(world);
  put(world, 'edited', EDITED('edited'), 'in place');
  const { outside, both } = meet(world);
  const all = changeOf(world, 'edited').hunks;
  const wish = all.find(({ lines }) => lines.includes('+edited 20 changed'));
  const line = all.find(({ lines }) => lines.includes('-edited 37'));
  assert.ok(wish && line);
  await commitMerged(world, [{ key: wish.key }, { key: line.key, lines: [2] }]);
  const committed = outside
    .replace('edited 20\n', 'edited 20 changed\n')
    .replace('edited 37\n', 'edited 37\nedited 37 changed\n');
  assert.equal(base(world, 'edited').text, committed);
  assert.equal(shown(world, 'edited').text, both);
  await world.live.orders.undo(() => undefined);
  assert.equal(base(world, 'edited').text, outside);
  assert.equal(shown(world, 'edited').text, both);
});

test('commit() of a hunk that takes back what was done outside is refused where the file is merged, and nothing is changed', async (t) => {
  const world = await opened(t);
  keepMergeBase(world);
  put(world, 'edited', EDITED('edited'), 'in place');
  const { outside } = meet(world);
  const { hunks } = changeOf(world, 'edited');
  const reverting = hunks.find(({ lines }) => lines.includes('-edited 12 from outside'));
  const other = hunks.find(({ lines }) => lines.includes('+edited 37 changed'));
  assert.ok(reverting && other && reverting !== other);
  await assert.rejects(commitMerged(world, [{ key: reverting.key }]), /takes back a change outside/);
  await assert.rejects(
    commitMerged(world, [{ key: other.key }], [{ key: reverting.key }]),
    /cannot be thrown away in part/,
  );
  assert.equal(base(world, 'edited').text, outside);
  assert.equal(shown(world, 'edited').text, EDITED('edited'));
  const before = textChangeOf(path(world, 'edited') as BytePath, outside, EDITED('edited'));
  assert.deepEqual(
    keysIn(world, 'edited'),
    before.hunks.map(({ key }) => ({ key })),
  );
});

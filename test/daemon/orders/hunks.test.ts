/** Commits and aborts of hunks, against a model that keeps full texts; without a mount. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import type { HunkWish } from '../../../src/daemon/orders/part/chosen.ts';
import { applyHunks, type Choice, changedLines } from '../../../src/history/diff/text/apply-hunks.ts';
import type { TextChange } from '../../../src/history/diff/text/sections.ts';
import { UserError } from '../../../src/sys/user-error.ts';
import { ALL } from '../../crash/commit-session.ts';
import type { CrashWorld } from '../../crash/crash-world.ts';
import { Random } from '../../random/random.ts';
import { SEED } from '../../random/seed.ts';
import { ViewDriver } from '../../staging/view-driver.ts';
import { sectionsIn } from './hunk-keys.ts';
import { base, changeOf, EDITED, NAMES, opened, path, put, shown, textOf } from './hunk-world.ts';

const commit = (world: CrashWorld, hunks: readonly HunkWish[]): ReturnType<CrashWorld['live']['orders']['commit']> =>
  world.live.orders.commit({ ...ALL, hunks }, () => undefined);

for (const [name, how] of [
  ['edited', 'in place'],
  ['replaced', 'moved there'],
] as const) {
  test(`commit of a hunk of a file written ${how} gives it to the base, the rest stays, and undo takes it back`, async (t) => {
    const world = await opened(t);
    const was = base(world, name);
    put(world, name, EDITED(name), how);
    const { hunks } = changeOf(world, name);
    assert.equal(hunks.length, 3);
    const [first, second, third] = hunks.map(({ key }) => ({ key }));
    assert.ok(first && second && third);
    await commit(world, [second]);
    const half = { ...was, text: textOf(name, (line) => line !== 20) };
    assert.deepEqual(base(world, name), half);
    assert.deepEqual(shown(world, name), { ...was, text: EDITED(name) });
    assert.deepEqual(
      changeOf(world, name).hunks.map(({ lines }) => lines.filter((line) => line.startsWith('+'))),
      [[`+${name} 2 changed`], [`+${name} 37 changed`]],
    );
    await world.reopen();
    assert.deepEqual(shown(world, name), { ...was, text: EDITED(name) });
    await world.live.orders.undo(() => undefined);
    assert.deepEqual(base(world, name), was);
    assert.deepEqual(shown(world, name), { ...was, text: EDITED(name) });
    assert.deepEqual(
      changeOf(world, name).hunks.map(({ key }) => ({ key })),
      [first, second, third],
    );
    world.live.orders.abort([], [first, third]);
    assert.deepEqual(shown(world, name), half);
    assert.deepEqual(base(world, name), was);
    await commit(world, [second]);
    assert.deepEqual(base(world, name), half);
    assert.equal(sectionsIn(world).size, 0);
  });
}

test('commit of a mode leaves the text staged, and of a hunk the mode', async (t) => {
  const world = await opened(t);
  const was = base(world, 'moded');
  put(world, 'moded', EDITED('moded'), 'in place');
  assert.equal(new ViewDriver(world.live.overlay).chmod(path(world, 'moded'), 0o755), 0);
  const all = { text: EDITED('moded'), mode: 0o755 };
  const key = sectionsIn(world).get('moded')?.sections.get('mode');
  assert.ok(key !== undefined);
  const hunks = changeOf(world, 'moded').hunks.map((hunk) => ({ key: hunk.key }));
  await commit(world, hunks);
  assert.deepEqual(base(world, 'moded'), { ...was, text: all.text });
  assert.deepEqual(shown(world, 'moded'), all);
  await world.live.orders.undo(() => undefined);
  await commit(world, [{ key }]);
  assert.deepEqual(base(world, 'moded'), { ...was, mode: 0o755 });
  assert.deepEqual(shown(world, 'moded'), all);
  world.live.orders.abort([], hunks);
  assert.deepEqual(shown(world, 'moded'), { ...was, mode: 0o755 });
  assert.equal(sectionsIn(world).size, 0);
});

test('a key that stands for nothing any more, and a file that somebody has changed, are refused, and nothing is written', async (t) => {
  const world = await opened(t);
  put(world, 'edited', EDITED('edited'), 'in place');
  const [first, second] = changeOf(world, 'edited').hunks.map(({ key }) => ({ key }));
  assert.ok(first && second);
  put(world, 'edited', EDITED('edited').replace('edited 20 changed', 'something else'), 'in place');
  const isOutdated = (error: unknown): boolean => error instanceof UserError && error.code === 'outdated';
  await assert.rejects(commit(world, [first, second]), isOutdated);
  await assert.rejects(commit(world, [{ ...first, lines: [3] }]), isOutdated);
  assert.throws(() => world.live.orders.abort([], [second]), isOutdated);
  assert.equal(
    base(world, 'edited').text,
    textOf('edited', () => true),
  );
  fs.appendFileSync(path(world, 'edited'), 'from outside\n');
  const [now] = changeOf(world, 'edited').hunks.map(({ key }) => ({ key }));
  assert.ok(now);
  await assert.rejects(
    commit(world, [now]),
    (error: unknown) => error instanceof UserError && error.code === 'conflict',
  );
  assert.equal(base(world, 'edited').text, `${textOf('edited', () => true)}from outside\n`);
});

test('a commit of a hunk over a change outside writes no other hunk', async (t) => {
  const world = await opened(t);
  put(world, 'edited', EDITED('edited'), 'in place');
  const [first] = changeOf(world, 'edited').hunks;
  assert.ok(first);
  const outside = textOf('edited', () => true).replace('edited 12\n', 'edited 12\nfrom outside\n');
  fs.writeFileSync(path(world, 'edited'), outside);
  const wishes = { ...ALL.wishes, ours: [path(world, 'edited')] };
  await world.live.orders.commit({ ...ALL, hunks: [{ key: first.key }], wishes }, () => undefined);
  assert.equal(base(world, 'edited').text, outside.replace('edited 2\n', 'edited 2 changed\n'));
  assert.equal(shown(world, 'edited').text, EDITED('edited'));
});

/** A text with all changes but these. */
function without({ before, after, hunks }: TextChange, choices: readonly Lines[]): string {
  const others = hunks.map((hunk): Choice => {
    const gone = choices.find((choice) => choice.hunk === hunk)?.lines ?? [];
    return {
      hunk,
      lines: new Set(
        Array.from({ length: changedLines(hunk) }, (_, i) => i + 1).filter((line) => !gone.includes(line)),
      ),
    };
  });
  return applyHunks(before, after, others);
}

interface Lines {
  readonly hunk: TextChange['hunks'][number];
  readonly lines: readonly number[];
}

test('commits and aborts of random lines leave base and view as the model has them', async (t) => {
  t.diagnostic(`YOLOFS_TEST_SEED=${SEED}`);
  const random = new Random(SEED);
  const world = await opened(t);
  for (let round = 0; round < 60; round++) {
    const name = random.pick(NAMES);
    const text = textOf(name, () => random.below(6) > 0)
      .split('\n')
      .filter(() => random.below(12) > 0)
      .join('\n');
    put(world, name, text, random.pick(['in place', 'moved there'] as const));
    const change = sectionsIn(world).get(name)?.text;
    if (change === undefined) continue;
    const choices = change.hunks.flatMap((hunk) => {
      const lines = Array.from({ length: changedLines(hunk) }, (_, i) => i + 1).filter(() => random.below(2) === 0);
      return lines.length === 0 ? [] : [{ hunk, lines }];
    });
    if (choices.length === 0) continue;
    const wishes = choices.map(({ hunk, lines }) => ({ key: hunk.key, lines }));
    const chosen = applyHunks(
      change.before,
      change.after,
      choices.map(({ hunk, lines }) => ({ hunk, lines: new Set(lines) })),
    );
    const before = base(world, name).text;
    if (random.below(3) === 0) {
      world.live.orders.abort([], wishes);
      assert.equal(base(world, name).text, before);
      assert.equal(shown(world, name).text, without(change, choices), `round ${round}: the view`);
    } else {
      await commit(world, wishes);
      assert.equal(base(world, name).text, chosen, `round ${round}: the base`);
      assert.equal(shown(world, name).text, text, `round ${round}: the view`);
      if (random.below(4) === 0) {
        await world.live.orders.undo(() => undefined);
        assert.equal(base(world, name).text, before, `round ${round}: the base after undo`);
        assert.equal(shown(world, name).text, text, `round ${round}: the view after undo`);
      }
    }
    if (random.below(8) === 0) {
      const looks = world.look();
      await world.reopen();
      assert.deepEqual(world.look(), looks, `round ${round}: after a restart`);
    }
  }
});

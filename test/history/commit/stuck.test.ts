/**
 * D3: a commit that fails, and that cannot be taken back either, as a file of the base refuses to be moved, leaves a session with
 * a way on: by itself once that has passed, and by `doctor --repair` if it never does.
 */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { CommitAsk } from '../../../src/daemon/orders/answers.ts';
import { repairAlone } from '../../../src/daemon/store/repair.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';
import { EIO, EPERM } from '../../../src/sys/errno.ts';
import { boundCalls } from '../../../src/sys/libc.ts';
import { UserError } from '../../../src/sys/user-error.ts';
import { ALL } from '../../crash/commit-session.ts';
import type { CrashWorld } from '../../crash/crash-world.ts';
import { Watch } from '../../crash/faults.ts';
import { openWorld } from '../../crash/orders.ts';
import { ViewDriver } from '../../staging/view-driver.ts';

const FILES = ['stuck', 'fine', 'gone'] as const;
/** What is staged in each, and in one that is new. */
const STAGED = { stuck: 'staged stuck', fine: 'staged fine', born: 'staged born' } as const;

async function staged(t: TestContext): Promise<CrashWorld> {
  const world = await openWorld(
    ({ place }) => {
      for (const name of FILES) fs.writeFileSync(`${place.base}/${name}`, `base ${name}`);
    },
    ({ live, place }) => {
      const driver = new ViewDriver(live.overlay);
      for (const [name, content] of Object.entries(STAGED)) {
        const path = `${place.base}/${name}` as BytePath;
        if (name === 'born') driver.create(path, 0o644);
        driver.truncate(path, 0);
        assert.equal(driver.write(path, 0, content), 0);
      }
      driver.unlink(`${place.base}/gone` as BytePath);
    },
  );
  t.after(() => world.close());
  return world;
}

/** The file cannot be renamed any more, like one that has become immutable. Returns what ends that. */
function makeStuck(name: string): () => void {
  const calls = boundCalls as { renameat2: (...args: unknown[]) => number };
  const { renameat2 } = calls;
  const names = (path: unknown): boolean =>
    Buffer.from(path as Uint8Array)
      .toString('latin1')
      .split('\0')[0] === name;
  calls.renameat2 = (...args) => (names(args[1]) || names(args[3]) ? -EPERM : renameat2(...args));
  return () => {
    calls.renameat2 = renameat2;
  };
}

/** A commit that the disk does not keep, and that a file that is stuck by then does not let be taken back. */
async function failCommit(world: CrashWorld): Promise<{ readonly error: UserError; readonly free: () => void }> {
  const calls = boundCalls as { syncfsAsync: (fd: number) => Promise<number> };
  const { syncfsAsync } = calls;
  let free: () => void = () => undefined;
  calls.syncfsAsync = () => {
    calls.syncfsAsync = syncfsAsync;
    free = makeStuck('stuck');
    return Promise.resolve(-EIO);
  };
  const error = await commit(world);
  assert.ok(error instanceof Error);
  return { error: error as UserError, free };
}

function commit({ live }: CrashWorld, ask: Partial<CommitAsk> = {}): Promise<unknown> {
  return live.orders
    .commit({ ...ALL, ...ask }, () => undefined)
    .then(
      () => undefined,
      (error: Error) => error,
    );
}

function contents(world: CrashWorld): Record<string, string> {
  const view = new ViewDriver(world.live.overlay).image(world.place.base as BytePath);
  return Object.fromEntries([...view].map(([name, { content }]) => [name, content]));
}

function baseOf({ place: { base } }: CrashWorld): Record<string, string> {
  return Object.fromEntries(fs.readdirSync(base).map((name) => [name, fs.readFileSync(`${base}/${name}`, 'utf8')]));
}

test('D3: a file that the base refuses is named, the rest is committed without it, and then it, too', async (t) => {
  const world = await staged(t);
  const before = baseOf(world);
  const free = makeStuck('stuck');
  t.after(free);
  const error = await commit(world);
  assert.ok(error instanceof UserError);
  assert.match(error.message, /^cannot replace file .*\/stuck: operation not permitted \(EPERM\)$/);
  assert.match(
    error.hint ?? '',
    /^nothing was committed; 'yolofs commit PATH…' commits others, 'yolofs abort .*\/stuck' /,
  );
  assert.deepEqual(baseOf(world), before);
  assert.deepEqual(contents(world), STAGED);
  const rest = ['fine', 'gone', 'born'].map((name) => `${world.place.base}/${name}` as BytePath);
  assert.equal(await commit(world, { paths: rest }), undefined);
  assert.deepEqual(baseOf(world), { ...STAGED, stuck: 'base stuck' });
  free();
  assert.equal(await commit(world), undefined);
  assert.deepEqual(baseOf(world), STAGED);
});

test('D3: the next commit takes back what the one before could not, and goes on', async (t) => {
  const world = await staged(t);
  const { free } = await failCommit(world);
  t.after(free);
  assert.equal(world.isUnfinished, true);
  const again = await commit(world);
  assert.ok(again instanceof UserError);
  assert.match(
    again.message,
    /^an earlier commit could not be taken back: .*\/stuck: operation not permitted \(EPERM\)$/,
  );
  assert.match(again.hint ?? '', /doctor --repair/);
  free();
  assert.equal(await commit(world), undefined);
  assert.deepEqual(baseOf(world), STAGED);
  assert.equal(world.isUnfinished, false);
});

test('D3: repair ends in a session that works, with all that was staged, also where the base refuses for good', async (t) => {
  const world = await staged(t);
  const { free } = await failCommit(world);
  t.after(free);
  await world.leave();
  const done = await repairAlone(world.place.layout);
  assert.equal(done?.length, 1);
  assert.match(
    done[0] ?? '',
    /^commit 1 was cut short: it was rolled back, its originals that are left lie in .*commits\/1-left1, but for .*stuck: /,
  );
  assert.equal(world.isUnfinished, false);
  await world.open();
  assert.deepEqual(contents(world), STAGED, 'the view shows what is staged');
  assert.deepEqual(baseOf(world), { fine: 'base fine', gone: 'base gone', stuck: 'staged stuck' });
  const left = `${world.place.layout.commits}/1-left1/kept`;
  assert.deepEqual(
    fs.readdirSync(left).map((name) => fs.readFileSync(`${left}/${name}`, 'utf8')),
    ['base stuck'],
    'the original of what could not be put back',
  );
  const [stuck, ...rest] = [...FILES, 'born'].map((name) => `${world.place.base}/${name}` as BytePath);
  assert.equal(await commit(world, { paths: rest }), undefined, 'the rest is committed');
  assert.deepEqual(baseOf(world), STAGED);
  free();
  const ours = stuck === undefined ? [] : [stuck];
  assert.equal(
    await commit(world, { wishes: { ...ALL.wishes, ours } }),
    undefined,
    'and it, too, once it lets itself be replaced',
  );
  assert.deepEqual(baseOf(world), STAGED);
});

for (const does of [EPERM, EIO]) {
  test(`D3: a repair in which everything fails with errno ${does} throws nothing away, and the next one ends it`, async (t) => {
    const world = await staged(t);
    const { free } = await failCommit(world);
    t.after(free);
    await world.leave();
    const watch = new Watch({ at: 1, does, lasting: true, changing: true });
    await repairAlone(world.place.layout).catch(() => undefined);
    watch.end();
    free();
    await repairAlone(world.place.layout);
    await world.open();
    assert.deepEqual(contents(world), STAGED);
    assert.deepEqual(baseOf(world), { fine: 'base fine', gone: 'base gone', stuck: 'base stuck' });
    assert.equal(await commit(world), undefined);
    assert.deepEqual(baseOf(world), STAGED);
  });
}

/** gc and the sweep after an abort, cut short after each of their steps, and with steps that fail. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { collect, type GcSession, sweep } from '../../../src/history/gc/collect.ts';
import type { Policy } from '../../../src/history/gc/policy.ts';
import { liveSegments } from '../../../src/history/timeline/segments.ts';
import { ObjectStore } from '../../../src/staging/object-store.ts';
import type { ObjectId } from '../../../src/sys/bytes.ts';
import { EIO, ENOSPC, OK, SystemError } from '../../../src/sys/errno.ts';
import { type Step, Story } from './stories.ts';

/** The process is killed here. */
class Killed extends Error {}

const [A, B, C, BASE] = [0, 1, 2, 5];
/** Generations 1-3, then back to 2 and on: 3 is abandoned, and each has contents of its own. */
const STEPS: readonly Step[] = [
  ...([['write', A], ['write', B], ['write', BASE], ['snapshot']] as const),
  ...([['write', A], ['write', C], ['snapshot']] as const),
  ...([['write', A], ['rm', B], ['snapshot']] as const),
  ...([['travel', 1], ['write', C], ['write', BASE], ['snapshot'], ['write', A]] as const),
];
const POLICIES: readonly Policy[] = [
  { dropAbandoned: false, keepLast: 2 },
  { dropAbandoned: true },
  { dropAbandoned: false, maxSize: 4 * 4096 },
];

async function storyOf(t: TestContext, steps: readonly Step[] = STEPS): Promise<Story> {
  const story = new Story();
  t.after(() => story.view.close());
  for (const step of steps) await story.take(step);
  const { commits, files } = story.view.layout;
  mkdirSync(`${commits}/gone-1`, { recursive: true });
  writeFileSync(`${commits}/gone-1/rest`, '');
  writeFileSync(`${files}/0/15`, 'left over by a crash');
  passIds(story);
  return story;
}

/** So that the id of the leftover is one of the past. */
function passIds({ view }: Story): void {
  while (view.history.nextObject() < 20);
}

interface Faults {
  /** Killed before this step, counted from 0. */
  readonly killAt?: number;
  readonly failDrop?: typeof EIO;
  /** These objects cannot be removed. */
  readonly stuck?: (object: ObjectId) => boolean;
}

/** What gc works on, with faults; `count` tells how many steps there were. */
function sessionOf(
  story: Story,
  store: ObjectStore,
  faults: Faults = {},
): GcSession & { readonly count: () => number } {
  const { history, layout } = story.view;
  let steps = 0;
  const step = (): void => {
    if (steps++ === faults.killAt) throw new Killed();
  };
  return {
    ...{ journal: history.journal, store, commits: layout.commits },
    basis: { offset: history.journal.size, end: history.nextObject(), held: [] },
    // Nothing in these stories has several names.
    going: { begin: () => assert.fail('begin'), done: () => assert.fail('done') },
    drop: async (record) => {
      step();
      const errno = faults.failDrop ?? history.recordDrop(record);
      if (errno !== OK) throw new SystemError('cannot write the journal', errno);
      step();
    },
    remove: (object) => {
      step();
      return faults.stuck?.(object) ? EIO : store.remove(object);
    },
    count: () => steps,
  };
}

/** Every state that can be gone to has all its contents, and they are what they were. */
function check(story: Story, before: ReadonlyMap<ObjectId, string>): void {
  const now = story.stored();
  for (const epoch of story.timeline) {
    if (epoch.ended === 'abort') continue;
    const kept = epoch.markers.map(({ generation }) => generation).filter((gen) => !epoch.dropped.has(gen));
    for (const at of [...kept, undefined]) {
      for (const object of story.objectsOf(liveSegments(epoch, at))) {
        assert.equal(now.get(object), before.get(object), `object ${object} of generation ${at ?? 'now'}`);
      }
    }
  }
}

for (const policy of POLICIES) {
  test(`gc ${JSON.stringify(policy)} that is killed at any step leaves a whole session, and the next one goes on`, async (t) => {
    const reference = await storyOf(t);
    const store = new ObjectStore(reference.view.layout.files);
    t.after(() => store.close());
    const session = sessionOf(reference, store);
    const freed = await collect(session, policy);
    assert.ok(freed.objects > 1 && freed.generations.length > 0);
    const expected = [...reference.stored().keys()];
    assert.ok(session.count() > 3);
    for (let killAt = 0; killAt < session.count(); killAt++) {
      const story = await storyOf(t);
      const own = new ObjectStore(story.view.layout.files);
      t.after(() => own.close());
      const before = story.stored();
      await assert.rejects(collect(sessionOf(story, own, { killAt }), policy), Killed);
      await story.view.restart();
      passIds(story);
      check(story, before);
      await collect(sessionOf(story, own), policy);
      check(story, before);
      assert.deepEqual([...story.stored().keys()], expected, `killed at step ${killAt}`);
      assert.deepEqual(readdirSync(story.view.layout.commits), []);
    }
  });
}

test('gc removes nothing when the journal cannot say so before', async (t) => {
  for (const failDrop of [EIO, ENOSPC]) {
    const story = await storyOf(t);
    const store = new ObjectStore(story.view.layout.files);
    t.after(() => store.close());
    const before = story.stored();
    const failed = collect(sessionOf(story, store, { failDrop }), { dropAbandoned: false, keepLast: 1 });
    await assert.rejects(failed, (error) => error instanceof SystemError && error.errno === failDrop);
    assert.deepEqual(story.stored(), before);
    assert.deepEqual(story.timeline[0].dropped.ranges, []);
  }
});

test('gc removes what can be removed, and says that something could not', async (t) => {
  const story = await storyOf(t);
  const store = new ObjectStore(story.view.layout.files);
  t.after(() => store.close());
  const before = story.stored();
  const policy = { dropAbandoned: false, keepLast: 1 };
  const failed = collect(sessionOf(story, store, { stuck: (object) => object % 2 === 1 }), policy);
  await assert.rejects(failed, (error) => error instanceof SystemError && error.errno === EIO);
  check(story, before);
  const rest = await collect(sessionOf(story, store), policy);
  assert.ok(rest.objects > 0);
  check(story, before);
  assert.equal((await collect(sessionOf(story, store), policy)).objects, 0);
});

test('the sweep after an abort, killed at any step, leaves contents of other epochs alone', async (t) => {
  const steps: readonly Step[] = [
    ...STEPS,
    ['commit'],
    ['write', A],
    ['snapshot'],
    ['write', A],
    ['write', B],
    ['abort'],
  ];
  const all = await storyOf(t, steps);
  const store = new ObjectStore(all.view.layout.files);
  t.after(() => store.close());
  const session = sessionOf(all, store);
  await sweep(session);
  const expected = [...all.stored().keys()];
  assert.ok(session.count() >= 3, `${session.count()} steps`);
  for (let killAt = 0; killAt < session.count(); killAt++) {
    const story = await storyOf(t, steps);
    const own = new ObjectStore(story.view.layout.files);
    t.after(() => own.close());
    const before = story.stored();
    await assert.rejects(sweep(sessionOf(story, own, { killAt })), Killed);
    await story.view.restart();
    passIds(story);
    check(story, before);
    await sweep(sessionOf(story, own));
    check(story, before);
    assert.deepEqual([...story.stored().keys()], expected);
  }
});

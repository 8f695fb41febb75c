import assert from 'node:assert/strict';
import { test } from 'node:test';
import { neededObjects } from '../../../src/history/gc/needed.ts';
import { ObjectSet } from '../../../src/history/gc/object-set.ts';
import { type KeptStates, weighSegments } from '../../../src/history/gc/weights.ts';
import type { Journal } from '../../../src/history/log/journal.ts';
import type { Gen, ObjectId } from '../../../src/sys/bytes.ts';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';
import { Story, step } from './stories.ts';

const ALL: KeptStates = { generation: () => true, committed: () => true };

/** Keeps what a bit of `mask` says. */
function some(mask: number): KeptStates {
  return {
    generation: (gen) => (mask & (1 << (gen % 30))) !== 0,
    committed: (commit) => (mask & (1 << (commit % 30))) === 0,
  };
}

test('ObjectSet holds what was added, up to its bound', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(999)), (ids) => {
      const set = new ObjectSet(1000);
      for (const id of ids) set.add(id as ObjectId);
      for (let id = 0; id < 1000; id++) assert.equal(set.has(id as ObjectId), ids.includes(id));
    }),
    { numRuns: runs(20) },
  );
});

test('neededObjects() names every object in the tree of every kept state, and few others', async (t) => {
  let [needless, needed] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), fc.nat(), async (steps, mask) => {
      const story = new Story();
      try {
        for (const each of steps) await story.take(each);
        const end = story.view.history.nextObject();
        for (const keeps of [ALL, some(mask), { ...ALL, generation: () => false }]) {
          const kept = story.objectsKept(keeps);
          const weighed = weighSegments(story.timeline, keeps);
          const objects = await neededObjects(story.view.history.journal, weighed, end);
          for (const object of kept) assert.ok(objects.has(object), `object ${object} is missing`);
          for (const object of story.stored().keys()) {
            if (!objects.has(object)) continue;
            needed += 1;
            if (!kept.has(object)) needless += 1;
          }
        }
      } finally {
        await story.view.close();
      }
    }),
    { numRuns: runs(150) },
  );
  t.diagnostic(`${needless} of ${needed} needlessly kept`);
  assert.ok(needless < needed / 5, 'hard links apart, what is not needed should be known');
});

test('neededObjects() keeps an object that two checkpoints name, of which only the later one is wanted', async () => {
  const body = { tag: 'S', how: 'kept', object: 1 as ObjectId, nlink: 1 };
  const journal = { scan: () => [{ record: { body } }] } as unknown as Journal;
  const checkpoint = { start: 0, end: 1, opensEpoch: true, branches: false };
  const segments = [
    { ...checkpoint, weight: 0 },
    { ...checkpoint, weight: 1 },
  ];
  assert.ok((await neededObjects(journal, segments, 2 as ObjectId)).has(1 as ObjectId));
});

test('weighSegments() counts what liveSegments() finds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50 }), fc.nat(), async (steps, mask) => {
      const story = new Story();
      try {
        for (const each of steps) if (each[0] !== 'abort') await story.take(each);
        const { liveSegments } = await import('../../../src/history/timeline/segments.ts');
        const counts = new Map<number, number>();
        const keeps = some(mask);
        let commit = 0;
        for (const epoch of story.timeline) {
          if (epoch.ended === 'commit') commit += 1;
          const states: (Gen | undefined)[] = epoch.markers
            .map(({ generation }) => generation)
            .filter(keeps.generation);
          if (epoch.ended === undefined || keeps.committed(commit)) states.push(undefined);
          for (const at of states) {
            for (const { start } of liveSegments(epoch, at)) counts.set(start, (counts.get(start) ?? 0) + 1);
          }
        }
        const weighed = weighSegments(story.timeline, keeps).filter(({ weight }) => weight > 0);
        assert.deepEqual(
          new Map(weighed.map(({ start, weight }) => [start, weight])),
          new Map([...counts].sort(([a], [b]) => a - b)),
        );
      } finally {
        await story.view.close();
      }
    }),
    { numRuns: runs(50) },
  );
});

/** Net changes between two states: between any two, a judge compares trees. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { stateChanges } from '../../../src/history/diff/changes.ts';
import { statesOf } from '../../../src/history/past/between.ts';
import { LendingStore } from '../../../src/history/past/lending-store.ts';
import { parseRange } from '../../../src/history/timeline/ranges.ts';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';
import { BASE, type Op, op } from '../projects/random-operations.ts';
import { StagedProject } from '../projects/staged-project.ts';
import { TravellingProject } from '../projects/travelling-project.ts';
import { layoutOf } from '../registry/layouts.ts';
import { judge } from './judge-changes.ts';

const numRuns = runs(100);

type Step = Op | readonly ['snapshot'] | readonly ['travel', number];

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: op },
  { weight: 2, arbitrary: fc.constant(['snapshot'] as const) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('travel' as const), fc.nat(50)) },
);

function isOp(step: Step): step is Op {
  return step[0] !== 'snapshot' && step[0] !== 'travel';
}

function judgeOnce(t: TestContext, steps: readonly Step[], pairs: readonly (readonly [number, number])[]): void {
  const p = new TravellingProject(t, (project) => {
    project.base(BASE);
    project.native((dir) => fs.linkSync(`${dir}/c`, `${dir}/b/a-b`));
    project.native((dir) => fs.linkSync(`${dir}/a/a`, `${dir}/a/b/a`));
  });
  try {
    for (const step of steps) {
      if (isOp(step)) p.perform(step);
      else if (step[0] === 'travel') p.travel(step[1] % (p.generation + 1));
      else p.snapshot();
    }
    const { journal, timeline } = p.write();
    const { base, tree, dir } = p.project.view;
    const store = new LendingStore(join(dir, '../store'), base);
    const options = { journal, layout: layoutOf(dir), tree, base, store, expand: true };
    for (const pair of pairs) {
      const [from, to] = pair.map((n) => n % (p.generation + 2));
      // One more than there are stands for the present.
      const range = parseRange([from, to].map((n) => (n === p.generation + 1 ? '' : n)).join('..'), timeline);
      assert.ok(!('error' in range));
      const [before, after] = [range.from, range.to].map(({ generation: g }) =>
        g === undefined ? p.present : p.trees[g],
      );
      judge([...stateChanges(statesOf(range, options))], { dir, before: before ?? [], after: after ?? [] });
    }
    store.close();
  } finally {
    p.close();
  }
}

test('stateChanges() between any two generations accounts for every difference between full copies of them', (t) => {
  const pairs = fc.array(fc.tuple(fc.nat(50), fc.nat(50)), { minLength: 6, maxLength: 6 });
  const property = fc.property(fc.array(step, { maxLength: 40 }), pairs, (steps, some) => judgeOnce(t, steps, some));
  fc.assert(property, { numRuns: numRuns / 2 });
});

test('stateChanges() tells of a name that goes when another name of its file was told as new before', () => {
  const p = new StagedProject();
  p.base({ c: 'one', 'b/x': '' });
  p.native((dir) => fs.linkSync(`${dir}/c`, `${dir}/b/c`));
  p.native((dir) => fs.mkdirSync(`${dir}/a`));
  p.append('b/c', '').mv('c', 'a/c');
  const paths = p.changes({ expand: true }).flatMap(({ path, from = path }) => [path, from]);
  p.close();
  assert.ok(
    paths.some((path) => path.endsWith('/base/c')),
    paths.join(' '),
  );
});

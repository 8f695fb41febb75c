/**
 * Random operations, then commits of random selections until nothing is left: each leaves the view as it was, and
 * together they leave what the operations leave natively.
 */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';
import { assertSameTree } from '../../support/tree.ts';
import { NativeTwin, type Operations } from '../projects/native-twin.ts';
import { BASE, isPossible, type Op, op, perform } from '../projects/random-operations.ts';
import { StagedProject } from '../projects/staged-project.ts';
import { readPlain, readView, withoutTimes } from '../projects/view-tree.ts';
import { commitPart, relative } from './commit-part.ts';

interface Choice {
  /** Which of the changes that are left. */
  readonly at: number;
  /** Not the path itself but where it came from, or the directory around it. */
  readonly side: 'path' | 'from' | 'parent';
}

const choice: fc.Arbitrary<Choice> = fc.record({
  at: fc.nat(100),
  side: fc.constantFrom('path', 'path', 'from', 'parent'),
});

function chosen(p: StagedProject, { at, side }: Choice): string | undefined {
  const changes = p.changes();
  const change = changes[at % Math.max(1, changes.length)];
  if (change === undefined) return undefined;
  const path = relative(p, side === 'from' && change.from !== undefined ? change.from : change.path);
  return side === 'parent' && path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : path;
}

function operate(both: { p: StagedProject; twin: NativeTwin }, ops: readonly Op[]): void {
  for (const each of ops) {
    if (!isPossible(both.twin.dir, each)) continue;
    perform(both.twin, each);
    perform(both.p as unknown as Operations, each);
  }
}

async function runSequence(rounds: readonly (readonly [readonly Op[], Choice])[]): Promise<void> {
  const p = new StagedProject();
  try {
    p.base(BASE);
    p.native((dir) => fs.linkSync(`${dir}/c`, `${dir}/b/a-b`));
    p.native((dir) => fs.linkSync(`${dir}/a/a`, `${dir}/a/b/a`));
    const twin = new NativeTwin(p.view.dir);
    for (const [ops, choice] of rounds) {
      operate({ p, twin }, ops);
      await commitOne(p, choice);
    }
    for (let i = 0; p.lines().length > 0; i++) {
      assert.ok(i < 100, `left over: ${p.lines().join('; ')}`);
      await commitOne(p, { at: i * 7, side: 'path' });
    }
    assertSameTree(
      withoutTimes(readPlain(p.view.dir)),
      withoutTimes(readPlain(twin.dir)),
      'the base and the native tree',
    );
  } finally {
    p.close();
  }
}

async function commitOne(p: StagedProject, choice: Choice): Promise<void> {
  const path = chosen(p, choice);
  if (path === undefined) return;
  const view = readView(p);
  const before = p.lines();
  await commitPart(p, [path]);
  assertSameTree(readView(p), view, `the view after the commit of ${path}`);
  assert.notDeepEqual(p.lines(), before, `${path} is still staged`);
}

test('commit of random selections keeps the view and leaves, in the end, what one commit leaves', async () => {
  const numRuns = runs(100);
  const rounds = fc.array(fc.tuple(fc.array(op, { maxLength: 25 }), choice), { minLength: 1, maxLength: 4 });
  await fc.assert(fc.asyncProperty(rounds, runSequence), { numRuns });
});

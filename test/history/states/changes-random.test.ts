/**
 * Net changes after random operations, judged by comparing two real trees, the base and a directory in which the
 * same was done natively: each path that differs is accounted for, and nothing else is listed.
 */
import * as fs from 'node:fs';
import test from 'node:test';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';
import { readTree } from '../../support/tree.ts';
import { NativeTwin, type Operations } from '../projects/native-twin.ts';
import { BASE, isPossible, type Op, op, perform } from '../projects/random-operations.ts';
import { StagedProject } from '../projects/staged-project.ts';
import { judge } from './judge-changes.ts';

function compareOnce(ops: readonly Op[]): void {
  const p = new StagedProject();
  try {
    p.base(BASE);
    p.native((dir) => fs.linkSync(`${dir}/c`, `${dir}/b/a-b`));
    p.native((dir) => fs.linkSync(`${dir}/a/a`, `${dir}/a/b/a`));
    const twin = new NativeTwin(p.view.dir);
    for (const op of ops) {
      if (!isPossible(twin.dir, op)) continue;
      perform(twin, op);
      perform(p as unknown as Operations, op);
    }
    judge(p.changes({ expand: true }), { dir: p.view.dir, before: readTree(p.view.dir), after: readTree(twin.dir) });
  } finally {
    p.close();
  }
}

test('netChanges() accounts for every difference between two trees, and for nothing else', () => {
  const numRuns = runs(100);
  fc.assert(fc.property(fc.array(op, { maxLength: 25 }), compareOnce), { numRuns });
});

/**
 * Random operations in the view and natively, then a commit: the base must equal the native tree in content,
 * types, modes, owners, link targets and hard-link groups, and the view before the commit in times as well.
 */
import * as fs from 'node:fs';
import test from 'node:test';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';
import { NativeTwin, type Operations } from '../projects/native-twin.ts';
import { BASE, isPossible, type Op, op, perform } from '../projects/random-operations.ts';
import { StagedProject } from '../projects/staged-project.ts';
import { commitAndCompare } from './cases.ts';

async function runSequence(ops: readonly Op[], rounds: number, restarted: boolean): Promise<void> {
  const p = new StagedProject();
  try {
    p.base(BASE);
    p.native((dir) => fs.linkSync(`${dir}/c`, `${dir}/b/a-b`));
    p.native((dir) => fs.linkSync(`${dir}/a/a`, `${dir}/a/b/a`));
    const twin = new NativeTwin(p.view.dir);
    const size = Math.ceil(ops.length / rounds);
    for (let round = 0; round < rounds; round++) {
      for (const op of ops.slice(round * size, (round + 1) * size)) {
        if (!isPossible(twin.dir, op)) continue;
        perform(twin, op);
        perform(p as unknown as Operations, op);
      }
      await commitAndCompare(p, twin, { restarted });
    }
  } finally {
    p.close();
  }
}

test('commit of random changes leaves what the same operations leave natively', async () => {
  const numRuns = runs(100);
  await fc.assert(
    fc.asyncProperty(fc.array(op, { maxLength: 40 }), fc.constantFrom(1, 1, 2), fc.boolean(), runSequence),
    { numRuns },
  );
});

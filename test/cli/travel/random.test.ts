/**
 * Random work in the view and random travels, on the real mount: whenever a generation is shown again, it must be what it
 * was, for processes whose kernel has seen all the others, and after a kill.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Random } from '../../random/random.ts';
import { someAccounts } from '../../support/accounts.ts';
import { succeed } from '../../support/exec.ts';
import { BUILT, type Session, session } from '../../support/session.ts';
import { assertSameTree, type TreeEntry } from '../../support/tree.ts';

const PROGRAM = [process.execPath, join(BUILT, 'test/differential/random-main.js')];
const ROUNDS = 8;
const OPERATIONS = 60;
const SEEDS = process.env.YOLOFS_TEST_SEED?.split(',').map(Number) ?? [4711];

async function generationOf(s: Session): Promise<number> {
  const log = JSON.parse(await s.succeed(['log', '--json'])) as { generation: number }[];
  return Math.max(0, ...log.map(({ generation }) => generation));
}

/** Of the times those that an operation has set: of a file that was written, the last tick may be the store's or the kernel's. */
async function treeOf(s: Session): Promise<TreeEntry[]> {
  return (await s.tree({ mtime: true })).map(({ mtime, ...entry }) =>
    mtime?.startsWith('1100000000.') ? { ...entry, mtime } : entry,
  );
}

/** Natively, so that the base has some of everything. */
function seedWith(seed: number): (project: string) => Promise<void> {
  return async (project) => void (await succeed([...PROGRAM, String(seed), '200'], { cwd: project }));
}

for (const account of someAccounts()) {
  for (const seed of SEEDS) {
    const title = `generations of random work (YOLOFS_TEST_SEED=${seed}), as ${account.title}, stay what they were`;
    test(title, { timeout: 240_000 }, async (t) => {
      const random = new Random(seed);
      const s = await session(t, { account, seed: seedWith(seed), noisy: true });
      const seen = new Map<number, TreeEntry[]>([[0, await treeOf(s)]]);
      for (let round = 0; round < ROUNDS; round++) {
        await s.cli(['run', '--quiet', '--', ...PROGRAM, String(seed + round), String(OPERATIONS)]);
        seen.set(await generationOf(s), await treeOf(s));
        for (let i = 0; i < 2; i++) {
          const to = random.pick([...seen.keys()]);
          await s.succeed(['travel', String(to)]);
          if (random.below(4) === 0) await s.killDaemon();
          assertSameTree(await treeOf(s), seen.get(to) ?? [], `round ${round}: generation ${to} differs`);
        }
      }
      for (const [generation, tree] of seen) {
        await s.succeed(['travel', String(generation)]);
        assertSameTree(await treeOf(s), tree, `in the end: generation ${generation} differs`);
      }
      assert.ok(seen.size > ROUNDS / 2, 'there was something to see');
      await s.succeed(['travel', '0']);
      assert.deepEqual(await s.changeLines(), []);
    });
  }
}

/**
 * Random operations, natively and in the view, in several rounds: between the rounds the session is stopped, killed,
 * snapshotted or committed, and after each the trees must be the same. A failure prints the seed that repeats it.
 */
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Random } from '../random/random.ts';
import { someAccounts } from '../support/accounts.ts';
import { exec, succeed } from '../support/exec.ts';
import { plainDirectory } from '../support/plain.ts';
import { BUILT, giveTo, nativeTree, type Session, session } from '../support/session.ts';
import { assertSameTree, type TreeEntry } from '../support/tree.ts';

const PROGRAM = [process.execPath, join(BUILT, 'test/differential/random-main.js')];
const ROUNDS = 6;
const OPERATIONS = 120;

/** What happens between two rounds, the last one at the end. */
const BETWEEN: readonly ((s: Session) => Promise<unknown>)[] = [
  (s) => s.succeed(['snapshot', 'between']),
  (s) => s.stop(),
  (s) => s.commitForGood(),
  (s) => s.killDaemon(),
  (s) => s.succeed(['snapshot', 'again', '--if-changed']),
  (s) => s.commitForGood(),
];

/** The same every time, so that the suite is; another one is tried by hand. */
const SEEDS = process.env.YOLOFS_TEST_SEED?.split(',').map(Number) ?? [952_670, 1];

for (const account of someAccounts()) {
  for (const seed of SEEDS) {
    test(`random operations (YOLOFS_TEST_SEED=${seed}) as ${account.title} end as they do natively`, {
      timeout: 180_000,
    }, async (t) => {
      const place = plainDirectory(account);
      const native = await runNatively(seed).catch((error: unknown) => {
        place.remove();
        throw error;
      });
      const s = await session(t, { account, place });
      for (const [round, between] of BETWEEN.entries()) {
        const expected = native[round];
        assert.ok(expected !== undefined);
        const ran = await s.cli(['run', '--quiet', '--', ...PROGRAM, String(seed + round), String(OPERATIONS)]);
        assertSameSteps(ran.stdout, expected.said, ran.stderr);
        assertSameTree(withoutTimes(await s.tree({ mtime: true })), expected.tree, `round ${round}: the view differs`);
        await between(s);
        const after = await s.tree({ mtime: true });
        assertSameTree(
          withoutTimes(after),
          expected.tree,
          `round ${round}: what came after the run has changed the view`,
        );
      }
      assertSameTree(
        withoutTimes(await s.baseTree({ mtime: true })),
        native.at(-1)?.tree ?? [],
        'the committed base differs',
      );
      assert.deepEqual(await s.changeLines(), []);

      async function runNatively(from: number): Promise<{ said: string; tree: TreeEntry[] }[]> {
        const results: { said: string; tree: TreeEntry[] }[] = [];
        await seedTree(from, place.project);
        await giveTo(account, place.project);
        await succeed(['cp', '-a', place.project, join(place.root, 'again')]);
        for (let round = 0; round < ROUNDS; round++) {
          const argv = [...PROGRAM, String(from + round), String(OPERATIONS)];
          const ran = await exec(argv, { cwd: place.project, account });
          assert.equal(ran.code, 0, ran.stderr);
          results.push({
            said: ran.stdout,
            tree: withoutTimes(await nativeTree(place.project, { mtime: true }, account)),
          });
        }
        renameSync(place.project, join(place.root, 'native'));
        renameSync(join(place.root, 'again'), place.project);
        return results;
      }
    });
  }
}

/** A base made by the same operations. */
async function seedTree(seed: number, project: string): Promise<void> {
  await succeed([...PROGRAM, String(new Random(seed).below(1e9)), '200'], { cwd: project });
}

/** Names the first operation that ended in another way. */
function assertSameSteps(actual: string, expected: string, stderr: string): void {
  const [mine, theirs] = [actual.split('\n'), expected.split('\n')];
  const at = theirs.findIndex((line, i) => line !== mine[i]);
  if (at >= 0)
    assert.fail(
      `natively: ${theirs[at]}\nin the view: ${mine[at]}\nbefore:\n${theirs.slice(Math.max(0, at - 8), at).join('\n')}\n${stderr}`,
    );
}

/** The one time that the operations set is compared, all others are those of the run. */
function withoutTimes(tree: readonly TreeEntry[]): TreeEntry[] {
  return tree.map((entry) => {
    const { mtime, ...rest } = entry;
    return mtime?.startsWith('1100000000.') ? { ...rest, mtime } : rest;
  });
}

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { carry, dateContent } from '../../../src/history/carry/carry.ts';
import { dumpTree } from '../../../src/history/dump-tree.ts';
import { replay } from '../../../src/history/replay.ts';
import { initialState } from '../../../src/history/session-state.ts';
import { OverrideTree } from '../../../src/staging/override-tree.ts';
import type { Mutation } from '../../../src/staging/recorder.ts';
import type { BytePath, Gen } from '../../../src/sys/bytes.ts';
import { HistoryView } from '../history-view.ts';
import { bodies, journalOf, record } from '../samples.ts';
import { fill, step, take } from '../view-steps.ts';

const RUNS = Number(process.env.YOLOFS_MODEL_RUNS ?? 200);

/** The carried records, read back from a journal and replayed over nothing. */
function retold(t: TestContext, mutations: Iterable<Mutation>): OverrideTree {
  const told = [...mutations];
  const { journal } = journalOf(
    t,
    told.map((body) => record(body, 7)),
  );
  assert.deepEqual(bodies(journal), told);
  const tree = new OverrideTree();
  replay(journal, tree, initialState());
  return tree;
}

/** What is staged about linked files, also about those that no name in the tree leads to. */
const linked = (tree: OverrideTree): string[] =>
  [...tree.linked]
    .flatMap(([key, { staged }]) =>
      staged === undefined || staged.nlink === 0 ? [] : [`${key} ${staged.object} ${staged.nlink}`],
    )
    .sort();

test('carry() of whatever was done, replayed over nothing, gives the same tree and the same view', async (t) => {
  const steps = fc.array(step, { maxLength: 80, size: 'max' });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const view = new HistoryView(fill);
      try {
        for (const each of all) await take(view, each);
        const tree = retold(t, carry(view.tree));
        dateContent(view.tree, 7 as Gen);
        assert.equal(dumpTree(tree), dumpTree(view.tree));
        assert.deepEqual(linked(tree), linked(view.tree));
        assert.deepEqual(view.imageOf(tree), view.see().image);
        assert.equal(dumpTree(retold(t, carry(tree))), dumpTree(tree));
      } finally {
        await view.close();
      }
    }),
    { numRuns: RUNS, includeErrorInReport: true },
  );
});

/** A view in which `act` was done, and what is left of it after a commit: its tree, told anew. */
async function retell(
  t: TestContext,
  act: (at: (path: string) => BytePath, view: HistoryView) => void,
): Promise<{ told: string[]; same: boolean }> {
  const view = new HistoryView((dir) => {
    for (const name of ['a', 'b', 'c']) {
      mkdirSync(`${dir}/${name}/in`, { recursive: true });
      writeFileSync(`${dir}/${name}/in/file`, name);
    }
  });
  try {
    const at = (path: string): BytePath => `${view.dir}/${path}` as BytePath;
    act(at, view);
    const short = (path: string): string => path.replace(`${view.dir}/`, '').replace('/.yolofs-carried-', '~');
    const mutations = [...carry(view.tree, { attic: at('c') })];
    const told = mutations.flatMap((m) => (m.tag === 'R' ? [`${short(m.from)} > ${short(m.to)}`] : []));
    const kept = mutations.flatMap((m) =>
      m.tag === 'S' && m.how === 'kept' && m.original !== 'here' ? [`${short(m.path)} = ${short(m.original)}`] : [],
    );
    dateContent(view.tree, 7 as Gen);
    const same = dumpTree(retold(t, mutations)) === dumpTree(view.tree);
    return { told: [...told, ...kept], same };
  } finally {
    await view.close();
  }
}

test('carry() tells swaps, rotations and moves in and out of each other by names that nothing else has', async (t) => {
  assert.deepEqual(
    await retell(t, (at, { driver }) => {
      driver.rename(at('a/in'), at('out'));
      driver.rename(at('a'), at('out/a'));
      driver.rename(at('b'), at('a'));
    }),
    { told: ['a/in > ~1', 'b > ~2', 'a > ~3', '~2 > a', '~1 > out', '~3 > out/a'], same: true },
  );
});

test('carry() names an original that the view has no path for', async (t) => {
  assert.deepEqual(
    await retell(t, (at, { driver, tree }) => {
      driver.rename(at('c/in'), at('in'));
      // It is no place of the base that the view has taken.
      tree.marks.drop(at('c/in'));
      driver.chmod(at('in/file'), 0o600);
      driver.rename(at('a/in/file'), at('c/file'));
    }),
    { told: ['a/in/file > ~1', '~1 > c/file', 'in = c/in'], same: true },
  );
});

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Journal } from '../../../src/history/log/journal.ts';
import { initialState } from '../../../src/history/log/session-state.ts';
import { checkpointOf, dateContent } from '../../../src/history/timeline/checkpoint/checkpoint.ts';
import { replay } from '../../../src/history/timeline/replay.ts';
import { OverrideTree } from '../../../src/staging/override-tree.ts';
import type { Mutation } from '../../../src/staging/recorder.ts';
import type { BytePath, Gen } from '../../../src/sys/bytes.ts';
import { OK } from '../../../src/sys/errno.ts';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';
import { dumpTree } from '../dump-tree.ts';
import { HistoryView } from '../history-view.ts';
import { bodies, record } from '../samples.ts';
import { fill, step, take } from '../view-steps.ts';

const RUNS = runs(200);

/** The carried records, read back from a journal and replayed over nothing. */
function retold(mutations: Iterable<Mutation>): OverrideTree {
  const told = [...mutations];
  const dir = mkdtempSync(join(tmpdir(), 'yolofs-carry-'));
  const journal = Journal.open(join(dir, 'journal'), { create: true });
  try {
    for (const body of told) assert.equal(journal.append(record(body, 7)), OK);
    assert.deepEqual(bodies(journal), told);
    const tree = new OverrideTree();
    replay(journal, tree, initialState());
    return tree;
  } finally {
    journal.close();
    rmSync(dir, { recursive: true });
  }
}

/** What is staged about linked files, also about those that no name in the tree leads to. */
const linked = (tree: OverrideTree): string[] =>
  [...tree.linked]
    .flatMap(([key, { staged }]) =>
      staged === undefined || staged.nlink === 0 ? [] : [`${key} ${staged.object} ${staged.nlink}`],
    )
    .sort();

test('checkpointOf() of whatever was done, replayed over nothing, gives the same tree and the same view', async () => {
  const steps = fc.array(step, { maxLength: 80, size: 'max' });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const view = new HistoryView(fill);
      try {
        for (const each of all) await take(view, each);
        const tree = retold(checkpointOf(view.tree));
        dateContent(view.tree, 7 as Gen);
        assert.equal(dumpTree(tree), dumpTree(view.tree));
        assert.deepEqual(linked(tree), linked(view.tree));
        assert.deepEqual(view.imageOf(tree), view.see().image);
        assert.equal(dumpTree(retold(checkpointOf(tree))), dumpTree(tree));
      } finally {
        await view.close();
      }
    }),
    { numRuns: RUNS, includeErrorInReport: true },
  );
});

/** A view in which `act` was done, and what is left of it after a commit: its tree, told anew. */
async function retell(
  act: (at: (path: string) => BytePath, view: HistoryView) => void,
): Promise<{ told: string[]; same: boolean }> {
  const view = new HistoryView((dir) => {
    for (const name of ['a', 'b']) {
      mkdirSync(`${dir}/${name}/in`, { recursive: true });
      writeFileSync(`${dir}/${name}/in/file`, name);
    }
  });
  try {
    const at = (path: string): BytePath => `${view.dir}/${path}` as BytePath;
    act(at, view);
    const short = (path: string): string => path.replace(`${view.dir}/`, '').replace('/.yolofs-carried-', '~');
    const mutations = [...checkpointOf(view.tree)];
    const told = mutations.flatMap((m) => (m.tag === 'R' ? [`${short(m.from)} > ${short(m.to)}`] : []));
    dateContent(view.tree, 7 as Gen);
    const same = dumpTree(retold(mutations)) === dumpTree(view.tree);
    return { told, same };
  } finally {
    await view.close();
  }
}

test('checkpointOf() tells swaps, rotations and moves in and out of each other by names that nothing else has', async () => {
  assert.deepEqual(
    await retell((at, { driver }) => {
      driver.rename(at('a/in'), at('out'));
      driver.rename(at('a'), at('out/a'));
      driver.rename(at('b'), at('a'));
    }),
    { told: ['a/in > ~1', 'b > ~2', 'a > ~3', '~2 > a', '~1 > out', '~3 > out/a'], same: true },
  );
});

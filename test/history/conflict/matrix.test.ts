/** What the view does to a place, times what happens to it outside: which conflict, in which words, or none. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import { applyPlan, CommitError } from '../../../src/history/commit/commit.ts';
import { checkBase } from '../../../src/history/commit/conflict/check.ts';
import { describeConflict } from '../../../src/history/commit/conflict/conflict.ts';
import { Drift } from '../../../src/history/commit/conflict/drift.ts';
import { describePlan, planCommit } from '../../../src/history/commit/plan.ts';
import { netChanges } from '../../../src/history/diff/changes.ts';
import { Facts } from '../../../src/history/diff/facts.ts';
import type { OverrideTree } from '../../../src/staging/override-tree.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';
import { assertSameTree } from '../../support/tree.ts';
import { replayedTree } from '../commit/cases.ts';
import { StagedProject } from '../projects/staged-project.ts';
import { readPlain, readView, withoutTimes } from '../projects/view-tree.ts';

import { prepare, ROWS } from './matrix-rows.ts';

/** The conflicts as lines, paths relative to the base directory. */
function conflictsOf(p: StagedProject, tree: OverrideTree): string[] {
  const { base, store, dir } = p.view;
  const plan = planCommit({ tree, base, store, project: `${dir}/nowhere` as BytePath, log: p.nextLog() });
  assert.ok(!('problems' in plan), JSON.stringify(plan));
  return 'steps' in plan ? [] : plan.conflicts.map((each) => describeConflict(each).replaceAll(`${dir}/`, ''));
}

/** The view's content cannot win where it was the base's, and something else is there now; nor that of a directory (`d`) that is gone. */
const LOST = /^(?:d: renamed here to .*, deleted outside|.*: renamed here to .*, replaced by something else outside)$/;
/** A name or attributes of nothing. */
const FORLORN =
  /: (?:renamed here to .*, deleted outside|attributes changed here, (?:deleted|replaced by something else) outside)$/;

for (const [title, ours, theirs, expected] of ROWS) {
  test(`commit where the view's version wins: ${title}`, async () => {
    const p = new StagedProject();
    try {
      prepare(p);
      ours(p);
      p.native(theirs);
      const { tree, base, store, dir } = p.view;
      const where = { project: `${dir}/nowhere` as BytePath, log: p.nextLog() };
      const plan = planCommit({ tree, base, store, ...where, ours: [dir] });
      assert.ok(!('conflicts' in plan));
      if (expected.some((line) => LOST.test(line))) return assert.ok('problems' in plan);
      assert.ok('steps' in plan, JSON.stringify(plan));
      if (expected.some((line) => FORLORN.test(line))) return assert.deepEqual(describePlan(plan), []);
      const view = withoutTimes(readView(p));
      const applied = await applyPlan(plan, { sync: false });
      assert.ok(!(applied instanceof CommitError), String(applied));
      // A file that lost one of several names has it in the backups as long as the commit is kept.
      fs.rmSync(plan.log, { recursive: true, force: true });
      assertSameTree(withoutTimes(readPlain(dir)), view, 'the base after the commit and the view before');
    } finally {
      p.close();
    }
  });
}

for (const [title, ours, theirs, expected] of ROWS) {
  test(`conflicts: ${title}`, () => {
    const p = new StagedProject();
    try {
      prepare(p);
      ours(p);
      p.native(theirs);
      const before = readPlain(p.view.dir, { mtime: true, ino: true });
      assert.deepEqual(conflictsOf(p, p.view.tree), expected);
      assert.deepEqual(conflictsOf(p, replayedTree(p)), expected, 'of the tree that the journal gives');
      assert.deepEqual(readPlain(p.view.dir, { mtime: true, ino: true }), before);
      const { tree, base, store } = p.view;
      const drift = new Drift(checkBase({ tree, facts: new Facts(base, store) }).conflicts);
      const changes = [...netChanges({ tree, base, store })];
      const marked = changes.filter((change) => drift.of(change) !== undefined);
      // Both have made the same, and nothing differs.
      const same = expected.filter((line) => line === 'n: made here, appeared outside');
      const untold = changes.some(({ path }) => path === `${p.view.dir}/n`) ? [] : same;
      assert.equal(marked.length, expected.length - untold.length, 'changes that are marked');
      assert.deepEqual(
        drift.untold.map((each) => describeConflict(each).replaceAll(`${p.view.dir}/`, '')),
        untold,
      );
    } finally {
      p.close();
    }
  });
}

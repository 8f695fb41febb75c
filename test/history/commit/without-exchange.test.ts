/** Commits on a file system that cannot exchange two names: the old file is set aside first. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import { revertStep, runStep } from '../../../src/history/commit/apply/run-step.ts';
import type { StepContext } from '../../../src/history/commit/apply/step-context.ts';
import { Tidying } from '../../../src/history/commit/apply/tidy.ts';
import type { Plan } from '../../../src/history/commit/plan.ts';
import { CommitLog } from '../../../src/history/commit/runner/commit-log.ts';
import { CommitRunner } from '../../../src/history/commit/runner/commit-runner.ts';
import { EINVAL, ESTALE, OK } from '../../../src/sys/errno.ts';
import { assertSameTree } from '../../support/tree.ts';
import { withProject } from '../projects/staged-project.ts';
import { readPlain, readView } from '../projects/view-tree.ts';
import { planOf } from './cases.ts';

function withBench(plan: Plan, run: (bench: StepContext) => void): void {
  const passes = new CommitRunner(CommitLog.begin(plan.log, plan), plan.store);
  run({ ...passes.context, exchange: () => EINVAL });
  passes.close();
}

const files = { f: 'old', 'd/g': 'old too', 'd/h': 'kept' };

test('runStep() replaces a file without an exchange, and the original gets to the backups in the end', () =>
  withProject(files, (p) => {
    p.write('f', 'new').append('d/g', '!');
    const view = readView(p);
    const plan = planOf(p);
    const { steps } = plan;
    withBench(plan, (bench) => {
      for (const step of steps) assert.equal(runStep(step, bench), OK);
      assert.equal(
        p.native((dir) => fs.readdirSync(dir).length),
        3,
        'the original lies beside',
      );
      const tidying = new Tidying(bench);
      for (const step of steps) assert.equal(tidying.step(step), OK);
      for (const step of steps) assert.equal(tidying.restoreTime(step), OK);
    });
    assertSameTree(readPlain(p.view.dir, { mtime: true }), view, 'the base');
    const kept = fs.readdirSync(`${plan.log}/kept`).map((name) => fs.readFileSync(`${plan.log}/kept/${name}`, 'utf8'));
    assert.deepEqual(kept.sort(), ['old', 'old too']);
  }));

for (const tidied of [false, true]) {
  test(`revertStep() puts the original back, ${tidied ? 'also from the backups' : 'before it is in the backups'}`, () =>
    withProject(files, (p) => {
      const before = readPlain(p.view.dir, { mtime: true, ino: true });
      p.write('f', 'new').append('d/g', '!');
      const plan = planOf(p);
      const { steps } = plan;
      withBench(plan, (bench) => {
        for (const step of steps) assert.equal(runStep(step, bench), OK);
        const tidying = new Tidying(bench);
        if (tidied) for (const step of steps) assert.equal(tidying.step(step), OK);
        for (const step of [...steps].reverse()) assert.equal(revertStep(step, bench), OK);
      });
      assertSameTree(readPlain(p.view.dir, { mtime: true, ino: true }), before, 'the base');
      assert.deepEqual(fs.readdirSync(`${plan.log}/kept`), []);
    }));
}

for (const [how, change] of [
  ['was written to', (path: string) => fs.appendFileSync(path, ' and theirs')],
  [
    'is another one',
    (path: string) => {
      fs.writeFileSync(`${path}.new`, 'theirs');
      fs.renameSync(`${path}.new`, path);
    },
  ],
] as const) {
  test(`runStep() leaves a file that ${how} since the plan was made, and says so`, () =>
    withProject({ f: 'old' }, (p) => {
      p.write('f', 'new');
      const plan = planOf(p);
      p.native((dir) => change(`${dir}/f`));
      const theirs = readPlain(p.view.dir, { ino: true });
      withBench(plan, (bench) => {
        const failed = plan.steps.findIndex((step) => runStep(step, bench) === ESTALE);
        assert.equal(plan.steps[failed]?.do, 'place');
        for (const step of plan.steps.slice(0, failed + 1).reverse()) assert.equal(revertStep(step, bench), OK);
      });
      assertSameTree(readPlain(p.view.dir, { ino: true }), theirs, 'the base');
    }));
}

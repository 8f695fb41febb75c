/** Commits on a file system that cannot exchange two names: the old file is set aside first. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import type { Bench } from '../../src/history/apply/bench.ts';
import { OpenDirectories } from '../../src/history/apply/directories.ts';
import { revertStep, runStep } from '../../src/history/apply/run-step.ts';
import { Tidying } from '../../src/history/apply/tidy.ts';
import { EINVAL, OK } from '../../src/sys/errno.ts';
import { assertSameTree } from '../support/tree.ts';
import { planOf } from './commit-cases.ts';
import { type StagedProject, withProject } from './staged-project.ts';
import { readPlain, readView } from './view-tree.ts';

function withBench(p: StagedProject, run: (bench: Bench) => void): void {
  const directories = new OpenDirectories();
  run({ directories, store: p.view.store, exchange: () => EINVAL });
  directories.close();
}

const files = { f: 'old', 'd/g': 'old too', 'd/h': 'kept' };

test('runStep() replaces a file without an exchange, and the original goes in the end', () =>
  withProject(files, (p) => {
    p.write('f', 'new').append('d/g', '!');
    const view = readView(p);
    const { steps } = planOf(p);
    withBench(p, (bench) => {
      for (const step of steps) assert.equal(runStep(step, bench), OK);
      assert.equal(
        p.native((dir) => fs.readdirSync(dir).length),
        3,
        'the original lies beside',
      );
      const tidying = new Tidying(bench);
      for (const step of steps) assert.equal(tidying.step(step), OK);
      tidying.restoreTimes(steps);
    });
    assertSameTree(readPlain(p.view.dir, { mtime: true }), view, 'the base');
  }));

test('revertStep() puts the original back', () =>
  withProject(files, (p) => {
    const before = readPlain(p.view.dir, { mtime: true, ino: true });
    p.write('f', 'new').append('d/g', '!');
    const { steps } = planOf(p);
    withBench(p, (bench) => {
      for (const step of steps) assert.equal(runStep(step, bench), OK);
      for (const step of [...steps].reverse()) assert.equal(revertStep(step, bench), OK);
    });
    assertSameTree(readPlain(p.view.dir, { mtime: true, ino: true }), before, 'the base');
  }));

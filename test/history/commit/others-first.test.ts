/** What a commit is to make, and somebody else makes first, is not the commit's when it is taken back. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { applyPlan, CommitError } from '../../../src/history/commit/commit.ts';
import { withProject } from '../projects/staged-project.ts';
import { planOf } from './cases.ts';

/** What somebody makes where a step is to make the same. */
const SAME: Readonly<Record<string, (at: string) => void>> = {
  'a directory': (at) => fs.mkdirSync(at),
  'a symlink': (at) => fs.symlinkSync('target', at),
  'a hard link': (at) => fs.linkSync(join(dirname(at), 'first'), at),
};

for (const [what, make] of Object.entries(SAME)) {
  test(`S1: taking a commit back leaves ${what} that somebody else has made where a step was to make one`, () =>
    withProject({ first: 'x' }, async (p) => {
      if (what === 'a directory') p.mkdir('made');
      else if (what === 'a symlink') p.symlink('target', 'made');
      else p.link('first', 'made');
      const plan = planOf(p);
      const ino = p.native((dir) => {
        make(`${dir}/made`);
        return fs.lstatSync(`${dir}/made`).ino;
      });
      const applied = await applyPlan(plan);
      assert.ok(applied instanceof CommitError);
      assert.deepEqual(applied.leftover, []);
      assert.equal(
        p.native((dir) => fs.lstatSync(`${dir}/made`).ino),
        ino,
      );
    }));
}

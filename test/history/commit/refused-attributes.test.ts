/** D3: a commit that is refused an attribute is taken back as a whole, and is no obstacle to the next. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import { applyPlan, CommitError } from '../../../src/history/commit/commit.ts';
import { readLog } from '../../../src/history/commit/runner/read-log.ts';
import { undoCommit } from '../../../src/history/commit/runner/undo.ts';
import { EINVAL, EIO, ENOSPC, EOPNOTSUPP, EPERM, type Errno } from '../../../src/sys/errno.ts';
import { Watch } from '../../crash/faults.ts';
import { assertSameTree } from '../../support/tree.ts';
import { type StagedProject, withProject } from '../projects/staged-project.ts';
import { readPlain, readView } from '../projects/view-tree.ts';
import { commit, FILES, planOf } from './cases.ts';

const CASES: Readonly<Record<string, (p: StagedProject) => unknown>> = {
  'a new file': (p) => p.write('new', 'x').setxattr('new', 'user.odd', '1'),
  'a file with new content': (p) => p.append('hello.txt', 'more').setxattr('hello.txt', 'user.odd', '1'),
  'a file of the base': (p) => p.setxattr('hello.txt', 'user.odd', '1'),
  'a new directory': (p) => p.mkdir('d').setxattr('d', 'user.odd', '1'),
};

/** Applies the plan on a file system that refuses extended attributes, each change of them and for good. */
async function refuseAttributes(p: StagedProject, errno: Errno): Promise<unknown> {
  const plan = planOf(p);
  const watch = new Watch({ at: 1, does: errno, lasting: true, named: /^l(?:set|remove)xattr$/ });
  p.ownChanges.begin(plan.originals);
  try {
    return await applyPlan(plan, { sync: false });
  } finally {
    watch.end();
    p.ownChanges.finalise(p.view.base);
  }
}

for (const [what, stage] of Object.entries(CASES)) {
  for (const errno of [EOPNOTSUPP, ENOSPC, EPERM, EIO]) {
    test(`D3: ${what} whose attribute gets errno ${errno} is named, and nothing is left of the commit`, () =>
      withProject(FILES, async (p) => {
        stage(p);
        p.write('beside', 'o').rm('multi.txt');
        const before = readPlain(p.view.dir, { mtime: true, ino: true });
        const view = readView(p);
        const applied = await refuseAttributes(p, errno);
        assert.ok(applied instanceof CommitError);
        assert.match(applied.message, /(?:new|hello\.txt|d): /);
        assert.deepEqual(applied.leftover, []);
        assert.equal(fs.existsSync(planOf(p).log), false, 'the next commit would be refused');
        assertSameTree(readPlain(p.view.dir, { mtime: true, ino: true }), before, 'the base');
        assertSameTree(readView(p), view, 'what is staged');
        await commit(p);
        assertSameTree(readPlain(p.view.dir, { mtime: true }), view, 'the commit once it is possible');
      }));
  }
}

test('an undo goes on where the file system does not let an attribute be removed that it keeps itself, as NFS with what stands for a mode', () =>
  withProject(FILES, async (p) => {
    p.append('hello.txt', 'more').setxattr('hello.txt', 'user.mode', '1');
    const before = readPlain(p.view.dir, { mtime: true, ino: true });
    const plan = planOf(p);
    assert.ok(!((await applyPlan(plan, { sync: false })) instanceof CommitError));
    const log = readLog(plan.log);
    assert.ok(typeof log === 'object');
    const watch = new Watch({ at: 1, does: EINVAL, lasting: true, named: /^lremovexattr$/ });
    try {
      await undoCommit({ log, store: p.view.store, onReverted: () => undefined });
    } finally {
      watch.end();
    }
    assertSameTree(readPlain(p.view.dir, { mtime: true, ino: true }), before, 'the base');
  }));

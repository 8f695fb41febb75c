/** S16: a commit is of what a person has reviewed; what came after stays staged over it, whatever it was. */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { someAccounts } from '../../support/accounts.ts';
import { assertRefused } from '../../support/refusal.ts';
import { type Session, session } from '../../support/session.ts';
import { assertSameTree } from '../../support/tree.ts';

const BEFORE = 'mkdir new; echo 1 > new/one; echo 2 > new/two; echo x >> multi.txt; mv hello.txt moved.txt; rm test.sh';
/** Of each kind: content, attributes, names, what was reviewed and what was not. */
const SINCE =
  'echo 3 >> new/one; chmod 700 new/two; rm multi.txt; mv moved.txt again.txt; mkdir later; echo 4 > later/four; mv subdir later/; echo 5 > test.sh';

async function reviewed(s: Session): Promise<string> {
  const { generation } = JSON.parse(await s.succeed(['commit', '--dry-run', '--json'])) as { generation: number };
  return String(generation);
}

const real = (s: Session, path: string): string => readFileSync(join(s.project, path), 'utf8');

for (const account of someAccounts()) {
  test(`S16: what came after a review stays staged over what is committed, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    await s.sh(BEFORE);
    const agreed = await s.tree({ mtime: true });
    const generation = await reviewed(s);
    await s.sh(SINCE);
    const view = await s.tree({ mtime: true });
    await s.succeed(['commit', '--yes', '--reviewed', generation]);
    assertSameTree(await s.baseTree({ mtime: true }), agreed, 'the base');
    assertSameTree(await s.tree({ mtime: true }), view, 'the view');
    assert.deepEqual(await s.changeLines(), [
      'renamed again.txt < moved.txt',
      'added later',
      'added later/four',
      'renamed later/subdir < subdir',
      'deleted multi.txt',
      'modified new/one',
      'metadata new/two',
      'added test.sh',
    ]);
    await s.killDaemon();
    assertSameTree(await s.tree({ mtime: true }), view, 'the view after a restart');
    await s.succeed(['undo']);
    assert.equal(real(s, 'hello.txt'), 'base content\n');
    assertSameTree(await s.tree({ mtime: true }), view, 'the view after the undo');
    await s.commit();
    assertSameTree(await s.baseTree(), await s.tree(), 'all of it, committed');
  });

  test(`S16: of a review a part can be committed, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    await s.sh(BEFORE);
    const generation = await reviewed(s);
    await s.sh(SINCE);
    const view = await s.tree();
    await s.succeed(['commit', '--yes', '--reviewed', generation, 'new', 'multi.txt']);
    assert.deepEqual([real(s, 'new/one'), real(s, 'multi.txt')], ['1\n', 'line1\nline2\nx\n']);
    assert.deepEqual([existsSync(join(s.project, 'hello.txt')), existsSync(join(s.project, 'test.sh'))], [true, true]);
    assertSameTree(await s.tree(), view, 'the view');
  });

  test(`S16: who has a file open goes on writing it, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    const write =
      'exec 3>>log; echo first >&3; touch ready; while [ ! -e go ]; do sleep 0.05; done; echo last >&3; touch done';
    await s.sh(`(${write}) >/dev/null 2>&1 & while [ ! -e ready ]; do sleep 0.05; done`);
    const generation = await reviewed(s);
    await s.sh('echo second >> log');
    await s.succeed(['commit', '--yes', '--reviewed', generation]);
    assert.equal(real(s, 'log'), 'first\n');
    assert.equal(await s.sh('touch go; while [ ! -e done ]; do sleep 0.05; done; cat log'), 'first\nsecond\nlast\n');
    assert.equal(real(s, 'log'), 'first\n');
  });

  test(`S16: what cannot be told apart is refused by name, and so is a conflict, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    await s.sh('echo 1 > one; ln one two; echo x >> multi.txt');
    const generation = await reviewed(s);
    await s.sh('echo 2 >> one');
    const commit = ['commit', '--yes', '--reviewed', generation];
    assertRefused(await s.cli(commit), /one .*cannot be told .*nothing was written/);
    assert.equal(existsSync(join(s.project, 'one')), false);
    await s.sh('rm one two');
    const fresh = await reviewed(s);
    await s.sh('echo y >> multi.txt');
    appendFileSync(join(s.project, 'multi.txt'), 'somebody else\n');
    assert.match((await s.cli(['commit', '--yes', '--reviewed', fresh])).stderr, /1 conflict/);
    assert.equal(real(s, 'multi.txt'), 'line1\nline2\nsomebody else\n');
    // Somebody has gone back since.
    await s.succeed(['travel', '0']);
    assertRefused(await s.cli(['commit', '--yes', '--reviewed', fresh]), /no longer a part of what is staged/);
  });
}

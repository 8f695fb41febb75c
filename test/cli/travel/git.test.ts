/** Travel through the history of a real git repository, which notices everything: numbers, times, modes, links. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { someAccounts } from '../../support/accounts.ts';
import { GIT_ENV, makeGitFixture } from '../../support/git-fixture.ts';
import { has } from '../../support/need.ts';
import { session } from '../../support/session.ts';

const LOOK = 'git status --porcelain; git rev-parse HEAD; git ls-files --stage | sha1sum; git diff | sha1sum';

/** What an agent might do between two snapshots. */
const WORK = [
  'git clone -q "file://$PWD/origin.git" work; cd work; git config user.email a@b; git config user.name a',
  'cd work; echo edited >> run.sh; chmod -x run.sh; mkdir mine; echo new > mine/file; ln -s file mine/link; ln mine/file mine/hard',
  'cd work; git add -A; git commit -qm one; git mv dir2 renamed; echo more >> renamed/extra',
  'cd work; git stash -q -u; git checkout -q -b topic2 HEAD~3; git rm -q -r dir3; git commit -qm two',
  'cd work; git checkout -q main; git gc -q; git stash pop -q; rm -rf mine; git mv renamed dir2b',
  'rm -rf work; git clone -q "file://$PWD/origin.git" work; cd work; git reset -q --hard HEAD~20',
];

for (const account of someAccounts()) {
  test(`git status, diff and fsck are the same at each generation, whatever was between, as ${account.title}`, async (t) => {
    if (!has(t, ['git'])) return;
    const seed = (project: string): Promise<void> =>
      makeGitFixture(join(project, 'origin.git'), { commits: 60, files: 80 });
    const s = await session(t, { account, seed, noisy: true });
    const env = { ...GIT_ENV };
    const look = (): Promise<string> =>
      s.succeed(['run', '--quiet', '--no-snapshot', '--', 'sh', '-euc', `cd work; ${LOOK}`], { env });
    const seen: string[] = [''];
    for (const script of WORK) {
      await s.succeed(['run', '--quiet', '--', 'sh', '-euc', script], { env });
      seen.push(await look());
    }
    // Looking refreshes git's index, which is a change of its own and gets a snapshot when a travel leaves it behind.
    for (const [i, generation] of [1, 5, 2, 6, 4, 3, 1, 6].entries()) {
      await s.succeed(['travel', String(generation)]);
      if (i % 3 === 2) await s.killDaemon();
      assert.equal(await look(), seen[generation], `at ${generation}`);
      assert.equal(
        await s.succeed(
          ['run', '--quiet', '--no-snapshot', '--', 'git', '-C', 'work', 'fsck', '--strict', '--no-dangling'],
          { env },
        ),
        '',
      );
    }
  });
}

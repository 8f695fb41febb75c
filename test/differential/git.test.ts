/** git at work on a repository with some hundred commits. */
import { join } from 'node:path';
import { someAccounts } from '../support/accounts.ts';
import { GIT_ENV, makeGitFixture } from '../support/git-fixture.ts';
import { differential } from './differential.ts';

const seed = (project: string): Promise<void> =>
  makeGitFixture(join(project, 'origin.git'), { commits: 300, files: 400 });

// The index holds inode numbers and times of change; `ls-files --stage` prints what it means.
const skip = ['(^|/)index$'];
const needs = ['git'];
const env = GIT_ENV;
const clone = 'git clone -q "file://$PWD/origin.git" work; cd work';
const show =
  'git status --porcelain; git ls-files --stage | sha1sum; git log --all --format="%H %D" | sha1sum; git fsck --strict';

differential({
  title: 'git clone, branch, commit and merge',
  script: `${clone}
    git checkout -q -b feature main~20
    for i in $(seq 20); do echo "line $i" >> run.sh; echo "$i" > "dir1/feature$i"; git add -A; git commit -qm "feature $i"; done
    git mv dir2 renamed; git rm -q -r dir3; git commit -qam 'move and remove'
    git checkout -q main; git merge -q -m merged feature -X ours || { git add -A; git commit -qm resolved; }
    ${show}; git diff --stat HEAD~1 | tail -1; git grep -c hello | sort`,
  seed,
  skip,
  needs,
  env,
  accounts: someAccounts(),
});

differential({
  title: 'git rebase',
  script: `${clone}
    git checkout -q topic; git rebase -q main; ${show}
    git checkout -q -b other main~10; echo x > picked; git add picked; git commit -qm pick
    git checkout -q -b third main; git cherry-pick other > /dev/null; git revert --no-edit HEAD~1 > /dev/null; git reset -q --hard HEAD~5; ${show}`,
  seed,
  skip,
  needs,
  env,
});

differential({
  title: 'git stash and worktree',
  script: `${clone}
    echo changed >> run.sh; echo new > untracked; git stash -q -u; git status --porcelain
    git worktree add -q ../tree topic; (cd ../tree; echo more >> run.sh; git commit -qam 'in the worktree'; git status --porcelain)
    git stash pop -q; git status --porcelain; git worktree list | wc -l
    git worktree remove ../tree; git clean -qfdx; git checkout -q .; ${show}`,
  seed,
  skip,
  needs,
  env,
});

differential({
  title: 'git gc, repack and a clone without hard links',
  script: `${clone}
    for i in $(seq 30); do echo "$i" > loose; git add loose; git commit -qm "loose $i"; done
    git gc -q --prune=now; git count-objects -v; git repack -qadf; git pack-refs --all
    cd ..; git clone -q --local work linked; cd linked; ${show}; git remote prune origin; git bundle create -q ../all.bundle --all`,
  seed,
  skip,
  needs,
  env,
});

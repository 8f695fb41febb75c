/** What a person sees first of an agent's work: what it did for them, and not what programs keep for themselves. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { self } from '../support/accounts.ts';
import { has } from '../support/need.ts';
import { type Session, session } from '../support/session.ts';

const GIT = 'git -c user.name=Agent -c user.email=agent@example.org -c commit.gpgsign=false';

/** A project in a repository, on `main`, with one commit; `dist/` is ignored. */
function seed(project: string): void {
  mkdirSync(join(project, 'dist'));
  for (const [name, text] of Object.entries({ 'app.js': 'one\n', '.gitignore': 'dist/\n', 'dist/old.js': 'old\n' }))
    writeFileSync(join(project, name), text);
  execFileSync('sh', ['-c', `git init -q -b main . && ${GIT} add -A && ${GIT} commit -qm start`], { cwd: project });
}

/** What clients of agents and tools leave beside the work. */
const NOISE = [
  'mkdir -p ~/.npm/_cacache/index-v5/aa ~/.npm/_logs ~/.claude/projects/x ~/.cache/tool dist/deep',
  'for i in 1 2 3 4 5; do echo $i > ~/.npm/_cacache/index-v5/aa/$i; echo $i > ~/.npm/_logs/$i.log; done',
  'echo "{}" > ~/.claude/projects/x/session.jsonl; echo c > ~/.cache/tool/c',
  'echo new > dist/old.js; echo built > dist/deep/app.js',
];

async function listing(s: Session, ...options: string[]): Promise<string[]> {
  return (await s.succeed(['status', ...options])).split('\n').slice(0, -1);
}

test('N7: of an agent that edits one file amid the noise of its client, status is that file and four lines', async (t) => {
  if (!has(t, ['git'])) return;
  const s = await session(t, { seed, account: self });
  await s.sh([...NOISE, 'echo two >> app.js', `${GIT} commit -qam 'Say two'`].join('; '));
  const lines = await listing(s);
  assert.deepEqual(lines.slice(0, 3), ['Modified (1)', '  app.js', '']);
  assert.equal(lines.length, 7);
  assert.match(lines[3] ?? '', /^git: 1 commit on main: "Say two"; index changed \(\d+ changes, [\d.]+ KiB\)$/);
  assert.equal(lines[4], `agents' own state: 1 file in ${s.home}/.claude/ (4 changes, 3 B)`);
  const npm = `${s.home}/.npm/`;
  assert.match(
    lines[5] ?? '',
    new RegExp(`^caches and logs: 11 files in ${npm}, ${s.home}/.cache/tool/ \\(\\d+ changes, 22 B\\)$`),
  );
  assert.equal(lines[6], "ignored by git: 2 files in dist/ (3 changes, 10 B); 'yolofs status --all' lists each");
  // A patch, its figures and its names begin with the work, too.
  const [patch, figures, names] = [
    await s.succeed(['diff']),
    await s.succeed(['diff', '--stat']),
    await s.succeed(['diff', '--name-only']),
  ];
  assert.equal(patch.split('\n')[0], 'diff --git a/app.js b/app.js');
  assert.match(figures.split('\n')[0] ?? '', /^ *app\.js +\| +1 \+/);
  assert.deepEqual(figures.split('\n').slice(1), [...lines.slice(3), '1 file changed, 1 line added, 0 removed', '']);
  // Who asks for a place is told of each change there.
  const dist = await s.succeed(['diff', '--stat', '--', 'dist']);
  assert.ok(/^dist\/old\.js +\| /m.test(dist) && /^dist\/deep\/app\.js +\| /m.test(dist), dist);
  assert.equal(names.split('\n')[0], 'app.js');
  assert.ok(patch.includes(`${s.home}/.npm/_logs/1.log`) && names.includes('_logs/1.log'));
  // All of it is there, for whoever asks, and for programs.
  const all = await listing(s, '--all');
  const changes = await s.changeLines();
  for (const path of ['dist/old.js', 'dist/deep/app.js', '.git/index', 'app.js'])
    assert.ok(all.includes(`  ${path}`), `${path}\n${all.join('\n')}`);
  const listed = all.filter((line) => line.startsWith('  ')).length;
  assert.equal(listed, changes.length);
});

test('status folds nothing that an agent hides in a place that git or a cache has', async (t) => {
  if (!has(t, ['git'])) return;
  const s = await session(t, { seed, account: self });
  await s.sh(
    [
      // It says itself what is ignored; it puts a file where objects are; it moves one of the project to a cache.
      'echo "*" > .gitignore; echo hidden > evil.js; echo evil > .git/objects/evil.sh; echo /x > .git/objects/info/alternates',
      'mkdir -p .cache; mv app.js .cache/app.js; printf "#!/bin/sh\\n" > .git/hooks/post-checkout; chmod 755 .git/hooks/post-checkout',
    ].join('; '),
  );
  const lines = await listing(s);
  const named = ['evil.js', '.git/objects/evil.sh', '.git/objects/info/alternates', '.gitignore'];
  for (const path of named) assert.ok(lines.includes(`  ${path}`), `${path}\n${lines.join('\n')}`);
  assert.ok(lines.includes('  app.js → .cache/app.js'));
  assert.deepEqual(lines.slice(0, 2), [
    'Look at this first (1)',
    '  .git/hooks/post-checkout  git runs it; executable',
  ]);
});

test('status tells of branches, tags and rewritten history as git would', async (t) => {
  if (!has(t, ['git'])) return;
  const s = await session(t, { seed, account: self });
  const first = (await s.sh(`${GIT} rev-parse --short=7 HEAD`)).trim();
  await s.sh(
    `${GIT} commit -q --amend -m 'Other start'; ${GIT} checkout -q -b feature; for i in 1 2 3 4; do ${GIT} commit -q --allow-empty -m "c$i \x1b[2J"; done; ${GIT} tag v1; ${GIT} branch old ${first}`,
  );
  const git = (await listing(s)).find((line) => line.startsWith('git: ')) ?? '';
  const escaped = '\\x1b[2J';
  const said = git.slice('git: '.length, git.lastIndexOf(' (')).split('; ');
  // Whether git writes the index anew depends on its version and on time.
  assert.deepEqual(
    said.filter((one) => !one.startsWith('index ')),
    [
      'on feature, was on main',
      `5 commits on new branch feature: "c4 ${escaped}", "c3 ${escaped}", "c2 ${escaped}", …`,
      '1 commit on main (history rewritten): "Other start"',
      'new branch old',
      'tags/v1 new',
    ],
  );
});

/** What a person has to know before they say yes is named first, wherever they look, and nothing else hides it. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { accounts } from '../../support/accounts.ts';
import { converse } from '../../support/conversation.ts';
import { has } from '../../support/need.ts';
import { MAIN, type Session, seedSmall, session } from '../../support/session.ts';

/** After fifty harmless ones in byte order, and in a directory that is moved to where it counts. */
const WORK = `
for i in $(seq 50); do echo $i > a$i.txt; done
mkdir -p .vscode .github/workflows bin
echo '#!/bin/sh' > bin/tool; chmod 4755 bin/tool
echo 'echo evil' > .envrc
echo '{}' > .vscode/tasks.json
echo 'on: push' > .github/workflows/ci.yml
printf '[core]\\n\\tfsmonitor = ./evil\\n' >> .git/config
mv staged-hooks .git/hooks
ln -s /etc/passwd users
ln -s a1.txt one
echo more >> test.sh
echo '{"scripts":{"postinstall":"x"}}' > package.json
printf 'x' > 'zz\u202e.pth'
`;

const FIRST: readonly (readonly [path: string, kind: string, why: string])[] = [
  ['bin/tool', 'set-id', 'set-user-ID: it runs as its owner or group'],
  ['.git/config', 'git', 'git takes settings from it: core.fsmonitor'],
  ['.git/hooks/post-checkout', 'git', 'git runs it'],
  ['.envrc', 'shell', 'direnv, mise or asdf runs it on entering the directory'],
  ['package.json', 'packages', 'package managers run scripts of it: scripts.postinstall'],
  ['zz\\u202e.pth', 'packages', 'every Python program runs it'],
  ['.vscode/tasks.json', 'editor', 'editors run what it says, or settings in it name programs'],
  ['.github/workflows/ci.yml', 'ci', 'it runs in CI, with its secrets'],
  ['users', 'leaves', 'a symlink to /etc/passwd'],
  ['one', 'symlink', 'a symlink to a1.txt'],
  ['.git/hooks/post-checkout', 'executable', 'executable'],
  ['test.sh', 'executable', 'executable'],
];

function seed(project: string): void {
  seedSmall(project);
  mkdirSync(join(project, '.git'));
  writeFileSync(join(project, '.git/config'), '[core]\n\tbare = false\n');
  mkdirSync(join(project, 'staged-hooks'));
  writeFileSync(join(project, 'staged-hooks/post-checkout'), '#!/bin/sh\n', {
    mode: 0o755,
  });
}

/** Each line after the one before it. */
function assertInOrder(text: string, lines: readonly string[]): void {
  let from = 0;
  for (const line of lines) {
    const at = text.indexOf(line, from);
    assert.ok(at >= 0, `${line}\nafter ${from} in\n${text}`);
    from = at + line.length;
  }
}

interface Named {
  readonly notices: readonly {
    readonly path: string;
    readonly kind: string;
    readonly why: string;
  }[];
}

for (const account of accounts()) {
  describe(`what matters comes first, as ${account.title}`, () => {
    test('S11: status, --dry-run, --json and the question name what runs later, set-id bits, links and executables', async (t) => {
      const s = await session(t, { account, seed });
      await s.sh(WORK);
      // To people a path is named once, with all there is to say of it.
      const reasons = new Map<string, string[]>();
      for (const [path, , why] of FIRST) reasons.set(path, [...(reasons.get(path) ?? []), why]);
      const lines = [...reasons].map(([path, why]) => `  ${path}  ${why.join('; ')}\n`);
      const heading = `Look at this first (${reasons.size})\n`;
      for (const words of [['status'], ['commit', '--dry-run']]) {
        const shown = await s.succeed(words);
        assert.ok(shown.startsWith(heading), shown);
        assertInOrder(shown, lines);
        for (let i = 1; i <= 50; i++) assert.ok(shown.includes(`a${i}.txt\n`), `a${i}.txt`);
      }
      const expected = FIRST.map(([path, kind, why]) => ({
        path: `${s.project}/${path}`,
        kind,
        why,
      }));
      for (const words of [
        ['status', '--json'],
        ['commit', '--dry-run', '--json'],
      ]) {
        assert.deepEqual((JSON.parse(await s.succeed(words)) as Named).notices, expected, words.join(' '));
      }
      // A part has only what is in it.
      const part = JSON.parse(await s.succeed(['commit', '--dry-run', '--json', 'users', 'a1.txt'])) as Named;
      assert.deepEqual(
        part.notices.map(({ kind }) => kind),
        ['leaves'],
      );
      const asked = await ask(t, s);
      if (asked === undefined) return;
      assertInOrder(asked, [heading, ...lines]);
      assert.match(asked, /create file in \S+\/: 53\n/);
    });
  });
}

test('S11: many of a kind are told by directories with their number, and hide no other kind', async (t) => {
  const s = await session(t);
  await s.sh(
    'mkdir d; for i in $(seq 200); do : > d/x$i; chmod +x d/x$i; ln -s /etc/$i d/l$i; done; mkdir e; : > e/.envrc',
  );
  const asked = await ask(t, s);
  if (asked === undefined) return;
  assertInOrder(asked, [
    'Look at this first (401)\n',
    '  e/.envrc  direnv',
    '  200 in d/  symlinks\n',
    '  200 in d/  executable\n',
  ]);
  assertInOrder(asked, [`  create file in ${s.project}/d/: 200\n`]);
  assert.ok(asked.split('\n').length < 30, asked);
});

test('what an install links into one directory is one line, but for links that lead out of the project', async (t) => {
  const s = await session(t);
  await s.sh(
    `mkdir -p node_modules/.bin; cd node_modules/.bin; for i in $(seq 12); do ln -s ../a/cli$i.js tool$i; done
     ln -s /tmp/evil.sh lint; ln -s ../../../../bin/evil tsc`,
  );
  const shown = await s.succeed(['status']);
  const by = "the project's tools are started by it";
  assert.deepEqual(shown.split('\n').slice(0, 4), [
    'Look at this first (14)',
    `  node_modules/.bin/lint  ${by}; a symlink to /tmp/evil.sh`,
    `  12 in node_modules/.bin/  ${by}`,
    `  node_modules/.bin/tsc  ${by}; a symlink to ../../../../bin/evil`,
  ]);
});

test('packages with scripts of many names are one line, which names first what only one of them has', async (t) => {
  const s = await session(t);
  const scripts = '"scripts":{"build":"x","test":"x","lint":"x","pack":"x","docs":"x","watch":"x"';
  await s.sh(
    `for i in $(seq 12); do mkdir -p packages/p$i; echo '{${scripts}}}' > packages/p$i/package.json; done
     echo '{${scripts},"only":"x"}}' > packages/p7/package.json; : > .envrc`,
  );
  const by = 'package managers run scripts of it';
  const named = 'scripts.only, scripts.build, scripts.test, scripts.lint, scripts.pack, and 2 more';
  assert.deepEqual((await s.succeed(['status'])).split('\n').slice(0, 3), [
    'Look at this first (13)',
    '  .envrc  direnv, mise or asdf runs it on entering the directory',
    `  12 below packages/  ${by}: ${named}`,
  ]);
  const whole = await s.succeed(['status', '--all']);
  assert.ok(
    whole.includes(
      `  packages/p3/package.json  ${by}: scripts.build, scripts.test, scripts.lint, scripts.pack, scripts.docs, scripts.watch\n`,
    ),
    whole,
  );
});

test('a list that were longer than a screen has fewer of each kind by themselves', async (t) => {
  const s = await session(t);
  const hooks = Array.from({ length: 8 }, (_, i) => `: > .husky/h${i}; : > .github/workflows/w${i}.yml`).join('; ');
  await s.sh(`mkdir -p .husky .github/workflows; ${hooks}; for i in 1 2 3; do mkdir s$i; : > s$i/Makefile; done`);
  assert.deepEqual((await s.succeed(['status'])).split('\n').slice(0, 6), [
    'Look at this first (19)',
    '  8 in .husky/  it is run by git hooks',
    '  8 in .github/workflows/  it runs in CI, with its secrets',
    ...[1, 2, 3].map((i) => `  s${i}/Makefile  a build, test run or container build runs it`),
  ]);
});

test('programs and links within a cache, and what git init brings, are not in the list; a changed program of a cache is', async (t) => {
  if (!has(t, ['git'])) return;
  const s = await session(t);
  mkdirSync(join(s.home, '.cache/browser'), { recursive: true });
  writeFileSync(join(s.home, '.cache/browser/chrome'), 'old\n', { mode: 0o755 });
  await s.sh(
    `git init -q; cd ~/.cache; echo new > browser/chrome; : > tool; chmod +x tool; ln -s tool inside; ln -s /etc out`,
  );
  assert.deepEqual((await s.succeed(['status'])).split('\n').slice(0, 4), [
    'Look at this first (2)',
    `  ${s.home}/.cache/out  a symlink to /etc`,
    `  ${s.home}/.cache/browser/chrome  executable`,
    '',
  ]);
});

async function ask(t: Parameters<typeof has>[0], s: Session): Promise<string | undefined> {
  if (!has(t, ['script'])) return undefined;
  const options = {
    cwd: s.project,
    account: s.account,
    env: { HOME: s.home, YOLOFS_TEST_ROOT: s.root, NO_COLOR: '1' },
  };
  const { shown } = await converse(
    `'${process.execPath}' '${MAIN}' commit`,
    [[/real files\? \[y\/N\] /, 'n\n']],
    options,
  );
  return shown;
}

/** What runs later is known by its path, and where that does not say it by its content. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Look, type Looked, lookInto } from '../../../src/history/commit/notices/contents.ts';
import { matchingRows } from '../../../src/history/commit/notices/patterns.ts';
import { TABLE } from '../../../src/history/commit/notices/table.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';

const FILE = { project: '/p' as BytePath, isLink: false };

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  git: [
    ...[
      '/p/.git/hooks/pre-commit',
      '/p/.git/modules/a/hooks/post-checkout',
      '/p/.githooks/pre-push',
      '/p/.git/config',
      '/p/sub/.git',
    ],
    ...[
      '/home/u/.gitconfig',
      '/home/u/.config/git/config',
      '/etc/gitconfig',
      '/p/.git/worktrees/w/config.worktree',
      '/p/.gitmodules',
    ],
    ...[
      '/p/.gitattributes',
      '/p/.git/info/attributes',
      '/p/.husky/pre-commit',
      '/p/.husky/_/husky.sh',
      '/p/.pre-commit-config.yaml',
    ],
  ],
  shell: [
    '/p/latexmkrc',
    '/p/.ghci',
    '/root/.bashrc',
    '/home/u/.zshenv',
    '/home/u/.config/fish/conf.d/a.fish',
    '/etc/profile.d/x.sh',
    '/p/.envrc',
    '/p/a/.envrc',
    ...[
      '/home/u/.ipython/profile_default/startup/00-a.py',
      '/home/u/.ipython/profile_default/db/rootmodules',
      '/home/u/.jupyter/jupyter_server_config.py',
      '/home/u/.local/share/jupyter/kernels/a/kernel.json',
    ],
  ],
  login: [
    '/home/u/.ssh/authorized_keys',
    '/etc/sudoers.d/x',
    '/home/u/.config/autostart/x.desktop',
    '/home/u/.local/share/applications/a.desktop',
  ],
  schedule: [
    '/etc/cron.d/x',
    '/var/spool/cron/crontabs/root',
    '/home/u/.config/systemd/user/a.service',
    '/home/u/.pm2/dump.pm2',
    '/home/u/.pm2/modules/a/index.js',
    '/etc/ld.so.preload',
    '/etc/udev/rules.d/1.rules',
  ],
  programs: [
    '/home/u/.local/bin/ls',
    '/home/u/bin/git',
    '/home/linuxbrew/.linuxbrew/bin/git',
    '/home/u/.config/hatch/config.toml',
    '/home/u/.terraform.d/plugins/registry.example/a/b/1.0.0/linux_amd64/terraform-provider-b',
    '/usr/local/bin/x',
    '/p/node_modules/.bin/tsc',
    '/p/.venv/bin/activate',
  ],
  agent: [
    '/p/.claude/settings.json',
    '/home/u/.qwen/settings.json',
    '/home/u/.qwen/output-language.md',
    '/p/.qwen/.env',
    '/home/u/.qwen/trustedFolders.json',
    '/p/QWEN.md',
    '/p/.mcp.json',
    '/p/CLAUDE.md',
    '/p/.cursor/rules/a.mdc',
    '/p/.codex/config.toml',
    '/p/.yolofs.toml',
  ],
  editor: [
    '/p/.vscode/tasks.json',
    '/p/.vscode/settings.json',
    '/p/.idea/workspace.xml',
    '/p/.nvim.lua',
    '/p/.exrc',
    '/p/.devcontainer/Dockerfile',
    '/p/a.code-workspace',
  ],
  packages: [
    '/p/package.json',
    '/p/.npmrc',
    '/p/.yarnrc.yml',
    '/p/.pnpmfile.cjs',
    '/v/site-packages/a.pth',
    '/v/sitecustomize.py',
    '/p/.cargo/config.toml',
    '/home/u/.cabal/config',
    '/home/u/.sbt/1.0/plugins/build.sbt',
  ],
  ci: ['/p/.github/workflows/a.yml', '/p/.gitlab-ci.yml', '/p/.ci/run.sh', '/p/.circleci/config.yml', '/p/Jenkinsfile'],
  build: [
    '/p/Makefile',
    '/p/sub/justfile',
    '/p/Dockerfile',
    '/p/conftest.py',
    '/p/build.rs',
    '/p/binding.gyp',
    '/p/flake.nix',
  ],
};

test('S11: every place of the table is known by its path, from the root or from any directory', () => {
  for (const [kind, paths] of Object.entries(KNOWN)) {
    for (const path of paths) {
      const kinds = matchingRows(path as BytePath, FILE).map((row) => row.kind);
      assert.ok(kinds.includes(kind as (typeof kinds)[number]), `${path}: ${kinds.join(' ')}`);
    }
  }
  for (const row of TABLE) {
    for (const pattern of row.patterns) {
      const example = pattern.replace('/**', '/a/b').replaceAll('*', 'x');
      const path = example.startsWith('/') ? example : `/home/u/p/${example}`;
      assert.ok(matchingRows(path as BytePath, FILE).includes(row), `${pattern}: ${path}`);
    }
  }
});

test('S11: a symlink in the place of a directory that is run is known, and a harmless path is not', () => {
  assert.equal(matchingRows('/p/.git/hooks' as BytePath, { isLink: true, project: '/p' as BytePath }).length > 0, true);
  assert.equal(matchingRows('/p/.vscode' as BytePath, { isLink: true, project: '/p' as BytePath }).length, 0);
  assert.equal(matchingRows('/p/.husky' as BytePath, { isLink: true, project: '/p' as BytePath }).length, 1);
  for (const path of [
    '/p/src/main.ts',
    '/p/README.md',
    '/p/.git/index',
    '/p/.git/objects/ab/cd',
    '/p/bin/x',
    '/p/notes/bashrc',
    '/p/my.envrc',
  ]) {
    assert.deepEqual(matchingRows(path as BytePath, FILE), [], path);
  }
});

test('of an installed package no settings of CI, editors and builds are named: they are looked for at the top of a project', () => {
  const at = (path: string): string[] => matchingRows(path as BytePath, FILE).map(({ kind }) => kind);
  for (const name of ['.travis.yml', '.github/workflows/ci.yml', '.vscode/tasks.json', 'Makefile', 'sub/Dockerfile']) {
    assert.deepEqual(at(`/p/node_modules/@a/b/${name}`), [], name);
    assert.notDeepEqual(at(`/p/packages/b/${name}`), [], name);
  }
  assert.deepEqual(at('/p/node_modules/a/AGENTS.md'), ['agent']);
  assert.deepEqual(at('/p/node_modules/a/.git/hooks/pre-commit'), ['git']);
});

test('what a package manager keeps in its cache, or installs for Python, is told of as installed packages are', () => {
  const at = (path: string): string[] => matchingRows(path as BytePath, FILE).map(({ kind }) => kind);
  for (const directory of [
    '/home/u/.bun/install/cache/a@1',
    '/home/u/.cache/deno/npm/a',
    '/p/.venv/lib/site-packages/a',
  ]) {
    assert.deepEqual(at(`${directory}/.travis.yml`), [], directory);
    assert.deepEqual(at(`${directory}/Makefile`), [], directory);
    assert.deepEqual(at(`${directory}/.git/hooks/pre-commit`), ['git'], directory);
    const look = (now: string): string | undefined =>
      told('package-scripts', { path: `${directory}/package.json`, now, before: '' });
    assert.equal(look('{"scripts":{"test":"ava"}}'), undefined, directory);
    assert.equal(look('{"scripts":{"test":"ava","preinstall":"x"}}'), 'scripts.preinstall', directory);
  }
});

/** What is told in a content, in one line. */
function told(
  look: Look,
  { path, ...texts }: Pick<Looked, 'now' | 'before'> & { readonly path: string },
): string | undefined {
  return lookInto(look, { path: path as BytePath, ...FILE, ...texts })?.join(', ');
}

const GIT = { path: '/p/.git/config', before: '' };

test('S11: of a git config the settings are named that run something, and no others', () => {
  const quiet =
    '[core]\n\tbare = false\n\tfsmonitor = false\n[remote "origin"]\n\turl = https://example.org/x.git\n[alias]\n\tco = checkout\n[pager]\n\tlog = false\n';
  assert.equal(told('git-config', { ...GIT, now: quiet }), undefined);
  for (const [text, key] of [
    ['[core]\n\tfsmonitor = "./evil"\n', 'core.fsmonitor'],
    ['[CORE] HooksPath=x', 'core.hookspath'],
    ['\xEF\xBB\xBF[core]\nsshCommand = x', 'core.sshcommand'],
    ['[core]\npager = le\\\nss', 'core.pager'],
    ['[core]\neditor = x', 'core.editor'],
    ['[alias]\nst = "!sh -c x"', 'alias.st'],
    ['[filter "lfs"]\nclean = x', 'filter.lfs.clean'],
    ['[diff]\nexternal = x', 'diff.external'],
    ['[diff "a b"]\ntextconv = x', 'diff.a b.textconv'],
    ['[include]\npath = ../x', 'include.path'],
    ['[includeIf "gitdir:/p/"]\npath = ../x', 'includeif.gitdir:/p/.path'],
    ['[credential "https://x"]\nhelper = !x', 'credential.https://x.helper'],
    ['[submodule "a"]\nupdate = !x', 'submodule.a.update'],
    ['[remote "o"]\nurl = ext::sh -c x', 'remote.o.url'],
    ['[gpg "ssh"]\nprogram = x', 'gpg.ssh.program'],
    ['[merge "x"]\ndriver = y', 'merge.x.driver'],
    ['[sequence]\neditor = x', 'sequence.editor'],
    ['[pager]\nlog = x', 'pager.log'],
    ['[init]\ntemplateDir = x', 'init.templatedir'],
  ] as const) {
    const now = `${text}\n${quiet}`;
    assert.equal(told('git-config', { ...GIT, now }), key, text);
    assert.equal(told('git-config', { ...GIT, now, before: now }), undefined, 'as before');
  }
  assert.match(told('git-config', { ...GIT, now: undefined }) ?? '', /nobody has looked/);
});

test('of an installed package only the scripts are named that an installation runs', () => {
  const now = '{"scripts":{"test":"ava","postinstall":"node x"},"husky":{"hooks":{}}}';
  const look = (path: string): string | undefined => told('package-scripts', { path, now, before: '' });
  assert.equal(look('/p/node_modules/@a/b/package.json'), 'scripts.postinstall');
  assert.equal(look('/p/packages/b/package.json'), 'scripts.postinstall, scripts.test, husky.hooks');
  const tested = { now: '{"scripts":{"test":"ava"}}', before: '' };
  assert.equal(told('package-scripts', { path: '/p/node_modules/a/package.json', ...tested }), undefined);
});

test('S11: of package.json and .gitattributes what is new is named', () => {
  const look = (now: string, before = ''): string | undefined =>
    told('package-scripts', { path: '/p/package.json', now, before });
  assert.equal(look('{"name":"a"}'), undefined);
  assert.equal(look('{"scripts":{"test":"x","postinstall":"y"}}', '{"scripts":{"test":"x"}}'), 'scripts.postinstall');
  assert.equal(look('{"scripts":{"test":"z"}}', '{"scripts":{"test":"x"}}'), 'scripts.test');
  assert.equal(look('{"version":"2","scripts":{"test":"x"}}', '{"scripts":{"test":"x"}}'), undefined);
  assert.equal(look('{ // no JSON\n "scripts": {} }'), 'not plain JSON');
  const attributes = (now: string): string | undefined =>
    told('attributes', {
      path: '/p/.gitattributes',
      now,
      before: '* text=auto\n',
    });
  assert.equal(attributes('* text=auto\n# *.c filter=x\n'), undefined);
  assert.equal(attributes('* text=auto\n*.c filter=x diff=y\n'), 'filter=x, diff=y');
});

test('S11: samples of hooks are no hooks, and a directory called hooks is none either', () => {
  const hook = (path: string): string | undefined => told('hook', { path, now: '', before: '' });
  assert.equal(hook('/p/.git/hooks/pre-commit'), '');
  assert.equal(hook('/p/.git/hooks/pre-commit.sample'), undefined);
  assert.equal(hook('/p/src/hooks/useThing.ts'), undefined);
});

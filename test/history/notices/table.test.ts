/** What runs later is known by its path. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
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
    '/p/mise.local.toml',
    '/home/u/.config/starship.toml',
    '/home/u/.gnupg/gpg-agent.conf',
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
    '/home/u/.forward',
    '/etc/update-motd.d/10-x',
  ],
  programs: [
    '/home/u/.local/bin/ls',
    '/home/u/bin/git',
    '/home/linuxbrew/.linuxbrew/bin/git',
    '/home/u/.config/hatch/config.toml',
    '/home/u/.terraform.d/plugins/registry.example/a/b/1.0.0/linux_amd64/terraform-provider-b',
    '/usr/local/bin/x',
    '/home/u/.nvm/versions/node/v24.1.0/bin/node',
    '/home/u/.local/share/gem/ruby/3.3.0/bin/rake',
    '/home/u/.docker/cli-plugins/docker-compose',
    '/home/u/.config/google-chrome/NativeMessagingHosts/x.json',
    '/p/.hg/hgrc',
    '/p/.jj/repo/config.toml',
    '/home/u/.subversion/config',
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
    '/p/.vscode/mcp.json',
    '/p/.kiro/settings/mcp.json',
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
    '/p/.lazy.lua',
    '/home/u/.local/share/nvim/site/plugin/a.lua',
  ],
  packages: [
    '/p/package.json',
    '/p/.npmrc',
    '/p/.yarnrc.yml',
    '/p/.pnpmfile.cjs',
    '/p/pnpm-workspace.yaml',
    '/p/.pnp.cjs',
    '/p/gradle/wrapper/gradle-wrapper.properties',
    '/p/pyproject.toml',
    '/p/crates/a/Cargo.toml',
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
    '/p/vitest.config.mts',
    '/p/eslint.config.js',
    '/p/.eslintrc.cjs',
    '/p/pom.xml',
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
    '/p/src/config.ts',
    '/p/forward',
    '/p/.hg/store/00changelog.i',
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
  }
});

/** The built-in secrets: each entry, what is not one, and files that hold a secret only sometimes. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { configFiles, loadConfig } from '../../src/rules/config/config.ts';
import { Rules } from '../../src/rules/rules.ts';
import { SECRET_GROUPS } from '../../src/rules/secrets/places.ts';
import { lookAtTokenFiles } from '../../src/rules/secrets/token-files.ts';
import type { State } from '../../src/rules/states.ts';
import { toBytePath } from '../../src/sys/bytes.ts';
import { layoutOf } from '../history/registry/layouts.ts';

const root = mkdtempSync('/var/tmp/yolofs-secrets-');
const [home, project] = [join(root, 'home'), join(root, 'project')];
for (const dir of [home, project]) mkdirSync(dir);
const homeBefore = process.env.HOME;
process.env.HOME = home;
after(() => {
  if (homeBefore === undefined) delete process.env.HOME;
  else process.env.HOME = homeBefore;
  rmSync(root, { recursive: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function stateOf(path: string): State {
  const absolute = path.replace(/^~/, home).replace(/^\.\//, `${project}/`);
  return new Rules(loadConfig(layoutOf(project)).rules).stateOf(toBytePath(absolute));
}

/** Each path that a pattern of ours stands for, its wildcards filled in. */
function examples(pattern: string): string[] {
  const group = /\{([^{}]*)\}/.exec(pattern);
  if (group !== null) return (group[1] ?? '').split(',').flatMap((one) => examples(pattern.replace(group[0], one)));
  return [pattern.replace(/^\*\*\//, './deep/dir/').replaceAll('*', '1000')];
}

test('S8: each built-in secret is in its state, and what is below it', () => {
  const rules = new Rules(loadConfig(layoutOf(project)).rules);
  let count = 0;
  for (const { state, patterns } of SECRET_GROUPS) {
    for (const path of patterns.flatMap(examples)) {
      const absolute = toBytePath(path.replace(/^~/, home).replace(/^\.\//, `${project}/`));
      assert.equal(rules.stateOf(absolute), state, path);
      assert.equal(rules.stateOf(toBytePath(`${absolute}/x`)), state, `${path}/x`);
      count += 1;
    }
  }
  assert.ok(count > 300, `${count} entries`);
});

test('S8: what was read without asking is denied', () => {
  for (const path of [
    ...['~/.cache/huggingface/token', '~/.local/share/opencode/auth.json', '~/.local/share/mkcert/rootCA-key.pem'],
    ...['~/.local/share/fish/fish_history', '~/.local/share/atuin/key', '~/.local/share/TelegramDesktop/tdata'],
    ...[
      '~/.local/share/cargo/credentials.toml',
      '~/.local/share/pass/x.gpg',
      '~/.local/share/azure/msal_token_cache.json',
    ],
    ...['~/.local/share/bash/history', '~/.local/share/node_repl_history'],
    ...['~/.terraform.d/credentials.tfrc.json', '~/.duckdb/stored_secrets/x', '~/.julia/servers/pkg.example/auth.toml'],
    ...['~/.local/share/uv/credentials/x', '~/.config/fish/fish_variables', './.netrc', './.env~', './prod.env'],
    ...['/etc/ssl/private', '/var/backups/shadow.bak', '/var/spool/cron/crontabs/root', '/root/.ssh/id_rsa'],
    ...['/run/user/1000/containers/auth.json', '/run/secrets/kubernetes.io/serviceaccount/token', '~/.kube/config'],
  ])
    assert.equal(stateOf(path), 'deny', path);
  for (const path of ['/etc/sudoers', '/etc/sudoers.d/x', '/etc/security/opasswd', '/etc/shadow'])
    assert.equal(stateOf(path), 'ask', path);
});

test('S8: what work needs is no secret', () => {
  for (const path of [
    ...['./src/main.ts', './node_modules/a/test/key.pem', './.env.example', './a/.env.template', './certs/ca.pem'],
    ...['./.npmrc', './vendor/x/id_rsa', './config/secrets.yml', './package-lock.json', './docs/keys.md'],
  ])
    assert.equal(stateOf(path), 'allow', path);
  for (const path of [
    ...['/etc/ssl/certs/ca-certificates.crt', '/usr/lib/python3/dist-packages/certifi/cacert.pem', '/etc/hosts'],
    ...['~/.bashrc', '~/.cargo/bin/cargo', '~/.local/share/mkcert/rootCA.pem', '~/.config/fish/config.fish'],
  ])
    assert.equal(stateOf(path), 'ask-write', path);
  // Toolchains, where their installers put them; what else is below a home directory stays a question.
  for (const path of [
    ...['~/venvs/a/bin/ruff', '~/.virtualenvs/a/lib/python3.11/site-packages/x.py', '~/.rvm/bin/rvm', '~/bin/mine'],
    ...[
      '~/flutter/bin/dart',
      '~/.pub-cache/bin/x',
      '~/.sbt/1.0/plugins/x',
      '~/.terraform.d/plugins/x',
      '~/R/x86_64-pc-linux-gnu-library/4.2/jsonlite/R/jsonlite',
      '~/.julia/config/startup.jl',
      '~/.luarocks/share/lua/5.4/inspect.lua',
      '~/Android/Sdk/platform-tools/adb',
      '~/perl5/lib/perl5/X.pm',
    ],
    ...[
      '/home/linuxbrew/.linuxbrew/bin/git',
      '~/.docker/cli-plugins/docker-compose',
      '~/.pixi/bin/x',
      '~/.tfenv/bin/tf',
    ],
  ])
    assert.equal(stateOf(path), 'ask-write', path);
  for (const path of [
    '~/tools/bin/x',
    '/home/linuxbrew/notes',
    '~/.rd/k8s',
    '~/binaries',
    '~/venv2',
    '~/Android/x',
    '~/R/notes',
  ])
    assert.equal(stateOf(path), 'ask', path);
  for (const path of ['~/venvs/a/.env', '~/.pub-cache/credentials.json', '~/.docker/config.json', '~/bin/.netrc'])
    assert.equal(stateOf(path), 'deny', path);
  for (const path of ['~/.cache/huggingface/hub/model', '~/.gitconfig']) assert.equal(stateOf(path), 'allow', path);
});

/** A name, what is in it, and whether that is a secret. */
const FILES: readonly (readonly [name: string, text: string, isSecret: boolean])[] = [
  ['~/.npmrc', 'registry=https://npm.example/\nsave-exact=true\nalways-auth=true\nauth-type=web\n', false],
  ['~/.npmrc', '//npm.example/:_authToken=abc\n', true],
  ['~/.npmrc', '//npm.example/:_password="YWJj"\n', true],
  ['~/.npmrc', '_auth = YWJjOmRlZg==\n', true],
  // A variable's name is none: the variable does not come into the view either.
  ['./.npmrc', '//npm.example/:_authToken=\x24{NPM_TOKEN}\n', false],
  ['./.npmrc', '//npm.example/:_authToken=npm_x\n', true],
  ['~/.config/pnpm/rc', 'store-dir=/x\n', false],
  ['~/.config/pnpm/rc', '//registry.npmjs.org/:_authToken=x\n', true],
  ['~/.config/npm/npmrc', '_authToken=x\n', true],
  ['~/.yarnrc.yml', 'nodeLinker: node-modules\nnpmAuthToken: "\x24{T}"\n', false],
  ['./.yarnrc.yml', 'npmAuthToken: "x"\n', true],
  ['~/.config/pip/pip.conf', '[global]\nindex-url = https://pypi.example/simple\n', false],
  ['~/.config/pip/pip.conf', '[global]\nindex-url = https://ada:pw@pypi.example/simple\n', true],
  ['~/.cabal/config', '-- username:\n-- password:\n-- token:\n-- other: x\n', false],
  ['~/.Rprofile', 'options(repos = c(CRAN = "https://cran.example"))\n', false],
  ['~/.Rprofile', 'Sys.setenv(GITHUB_PAT = "x")\n', true],
  ['~/.Renviron', 'R_LIBS_USER=~/R/lib\n', false],
  ['~/.Renviron', 'OPENAI_API_KEY=x\n', true],
  ['~/.terraformrc', 'plugin_cache_dir = "$HOME/.terraform.d/plugin-cache"\n', false],
  ['~/.terraformrc', 'credentials "app.terraform.io" {\n  token = "x"\n}\n', true],
  ['~/.cargo/config.toml', '[build]\njobs = 2\n[registry]\nglobal-credential-providers = ["cargo:token"]\n', false],
  ['~/.cargo/config.toml', '[registries.x]\ntoken = "Bearer x"\n', true],
  ['~/.bundle/config', '---\nBUNDLE_PATH: "vendor/bundle"\nBUNDLE_MIRROR: "https://gems.example"\n', false],
  ['~/.bundle/config', '---\nBUNDLE_GEMS__EXAMPLE__COM: "user:pw"\n', true],
  ['~/.m2/settings.xml', '<settings><mirrors/></settings>', false],
  ['~/.m2/settings.xml', '<server><password>\x24{env.PW}</password></server>', false],
  ['~/.m2/settings.xml', '<server><password>x</password></server>', true],
  ['~/.gradle/gradle.properties', 'org.gradle.jvmargs=-Xmx2g\n', false],
  ['~/.gradle/gradle.properties', 'nexusPassword=x\n', true],
  ['~/.nuget/NuGet/NuGet.Config', '<add key="ClearTextPassword" value="x" />', true],
  ['./.envrc', 'use flake\nexport PATH=$PWD/bin:$PATH\n', false],
  ['./.envrc', 'export AWS_SECRET_ACCESS_KEY=x\n', true],
  ['./server.pem', '-----BEGIN CERTIFICATE-----\nMII\n', false],
  ['./server.pem', '-----BEGIN CERTIFICATE-----\nMII\n-----BEGIN PRIVATE KEY-----\n', true],
  ['./certs/tls.key', '-----BEGIN EC PRIVATE KEY-----\n', true],
  ['./id_rsa', '-----BEGIN OPENSSH PRIVATE KEY-----\n', true],
  ['./id_ed25519', 'not a key\n', false],
  ['./versions.env', 'NODE=20\n', false],
  ['./app.env', 'DB_PASSWORD=x\n', true],
  ['./terraform.tfvars', 'region = "eu"\n', false],
  ['./terraform.tfvars', 'db_password = "x"\n', true],
  ['./terraform.tfstate', '{"outputs": {"password": "x"}}', true],
  ['./my-service-account.json', '{"private_key": "-----BEGIN PRIVATE KEY-----"}', true],
  ['./secrets/store.p12', '\0\0', true],
];

test('S8: a file that holds a secret only sometimes is denied when it does', () => {
  for (const [name, text, isSecret] of FILES) {
    const path = name.replace(/^~/, home).replace(/^\./, project);
    put(path, text);
    assert.equal(stateOf(path), isSecret ? 'deny' : path.startsWith(home) ? 'ask-write' : 'allow', `${name}: ${text}`);
    rmSync(path);
  }
});

test('S8: what a tool writes for itself may be written until there is a session of somebody in it', () => {
  const files = [
    ['~/.expo/state.json', '{"uuid": "a58e1e03-6f2f"}', '{"auth": {"sessionSecret": "{\\"id\\":\\"1\\"}"}}'],
    ['~/.config/configstore/firebase-tools.json', '{"motd": {}}', '{"tokens": {"refresh_token": "1//0"}}'],
    ['~/.pm2/module_conf.json', '{}', '{"pm2-plus": {"secret_key": 7}}'],
    ['~/.config/hatch/config.toml', 'mode = "local"\nshell = ""\n', '[publish.index]\nuser = "u"\nauth = "x"\n'],
  ] as const;
  for (const [name, plain, loggedIn] of files) {
    const path = name.replace(/^~/, home);
    assert.equal(stateOf(path), 'allow', `no ${name}`);
    put(path, plain);
    assert.equal(stateOf(path), 'allow', plain);
    put(path, loggedIn);
    assert.equal(stateOf(path), 'deny', loggedIn);
    rmSync(dirname(path), { recursive: true });
  }
  // What the person's programs have put out there is not for the view.
  assert.equal(stateOf('~/.pm2/logs/app-out.log'), 'allow');
  put(join(home, '.pm2/logs/app-out.log'), 'a token\n');
  assert.equal(stateOf('~/.pm2/logs/app-out.log'), 'ask');
  rmSync(join(home, '.pm2'), { recursive: true });
  for (const path of ['~/.expo/other', '~/.pm2/dump.pm2', '~/.pm2/modules/a/index.js'])
    assert.equal(stateOf(path), 'ask', path);
});

test('S8: what cannot be looked at is a secret, and nobody waits for it', () => {
  const file = join(project, '.npmrc');
  execFileSync('mkfifo', [file]);
  assert.notEqual(stateOf(file), undefined, 'a fifo');
  rmSync(file);
  symlinkSync(file, file);
  assert.equal(stateOf(file), 'deny', 'a circle');
  rmSync(file);
  put(file, 'x=y\n'.repeat(70_000));
  assert.equal(stateOf(file), 'deny', 'too long');
  for (const piece of ['-', 'a', 'a://', ' ', 'password', '_auth=$', ':', '-----BEGIN ', 'A ']) {
    put(file, piece.repeat(200_000 / piece.length));
    const start = performance.now();
    lookAtTokenFiles({ home, project });
    assert.ok(performance.now() - start < 2_000, `a file of ${piece}`);
  }
  rmSync(file);
});

test('S8: a token that comes into a file later is seen: the file is one of those that are watched', () => {
  const watched = configFiles(layoutOf(project));
  for (const path of [join(home, '.npmrc'), join(project, '.npmrc'), join(home, '.config/pip/pip.conf')])
    assert.ok(watched.includes(path), path);
});

test('S8: what is called after a wrapped program is open to it, and secrets in it are not', () => {
  const layout = layoutOf(project);
  mkdirSync(dirname(layout.agents), { recursive: true });
  const named = ['.qwen', '.ssh', '.kube', '.config/goose', '.config/yolofs'].map((name) => join(home, name));
  writeFileSync(layout.agents, JSON.stringify({ agents: { qwen: { named } } }));
  const expected = {
    allow: ['~/.qwen', '~/.qwen/tmp/a'],
    deny: ['~/.qwen/oauth_creds.json', '~/.qwen/.env', '~/.qwen/a/.netrc', '~/.ssh', '~/.ssh/id_rsa', '~/.kube/config'],
    'read-only': ['~/.config/yolofs/config.toml'],
  };
  for (const [state, paths] of Object.entries(expected))
    for (const path of paths) assert.equal(stateOf(path), state, path);
  rmSync(layout.agents);
});

test("S8: a wrapped agent reads its own tokens, and no others'", () => {
  const layout = layoutOf(project);
  mkdirSync(dirname(layout.agents), { recursive: true });
  const none = { direct: [], own: [], globs: [], asked: [], readable: [] };
  writeFileSync(layout.agents, JSON.stringify({ agents: { claude: { ...none, staged: [join(home, '.claude')] } } }));
  assert.equal(stateOf('~/.claude/.credentials.json'), 'allow');
  assert.equal(stateOf('~/.codex/auth.json'), 'deny');
  rmSync(layout.agents);
  assert.equal(stateOf('~/.claude/.credentials.json'), 'deny');
});

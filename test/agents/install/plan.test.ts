/** Installing into real files. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { applyChanges } from '../../../src/agents/install/apply.ts';
import type { Level, Places, ProgramWords } from '../../../src/agents/install/description.ts';
import { targetsOf } from '../../../src/agents/install/descriptions.ts';
import { type Change, planInstall, planUninstall } from '../../../src/agents/install/plan.ts';
import { loadRecords } from '../../../src/agents/install/record.ts';
import { UserError } from '../../../src/sys/user-error.ts';
import { AGENTS } from './places.ts';

const PROGRAM = ['/opt/yolofs/bin/yolofs'];
const JSON_TEXT =
  '\uFEFF// mine\r\n{\r\n\t"model": "x", // the good one\r\n\t"hooks": { "Stop": [ {"hooks": []} ] },\r\n}\r\n';
const TOML_TEXT = '# mine\nmodel = "x" # the good one\n\n[mcp_servers.other]\ncommand = "o"';

test('install and uninstall give every byte, mode and directory back, for each agent at each level', (t) => {
  for (const agent of AGENTS) {
    for (const level of ['user', 'project'] as const) {
      for (const seeded of [false, true]) {
        const p = placesIn(t, level);
        const paths = targetsOf(agent, p, PROGRAM).flatMap(({ path, kind }) => (kind === 'text' ? [] : [path]));
        if (seeded) for (const path of paths) seed(path, path.endsWith('.toml') ? TOML_TEXT : JSON_TEXT);
        const before = contentsBelow(dirname(p.home));
        assert.equal(install(agent, p).length, targetsOf(agent, p, PROGRAM).length, `${agent} ${level}`);
        const after = contentsBelow(dirname(p.home));
        assert.notDeepEqual(after, before);
        assert.deepEqual(install(agent, p), [], 'twice is once');
        assert.deepEqual(contentsBelow(dirname(p.home)), after);
        uninstall(agent, p);
        assert.deepEqual(contentsBelow(dirname(p.home)), before, `${agent} ${level}`);
        assert.deepEqual(uninstall(agent, p), []);
      }
    }
  }
});

test('a program that has moved takes the place of the old one, and uninstall still gives the bytes back', (t) => {
  for (const agent of AGENTS) {
    const p = placesIn(t, 'user');
    const paths = targetsOf(agent, p, PROGRAM).flatMap(({ path, kind }) => (kind === 'text' ? [] : [path]));
    for (const path of paths) seed(path, path.endsWith('.toml') ? TOML_TEXT : JSON_TEXT);
    const before = contentsBelow(dirname(p.home));
    install(agent, p, ['/old/bin/yolofs']);
    install(agent, p);
    const text = JSON.stringify(contentsBelow(dirname(p.home)));
    assert.ok(!text.includes('/old/bin') && text.includes('/opt/yolofs'), agent);
    uninstall(agent, p);
    assert.deepEqual(contentsBelow(dirname(p.home)), before, agent);
  }
});

test('a file that was changed since keeps what is not ours, and what somebody has added to our server', (t) => {
  const p = placesIn(t, 'user');
  const [settings] = paths('gemini', p);
  seed(settings, '{"theme": "dark"}\n');
  install('gemini', p, ['/old/bin/yolofs']);
  const changed = readFileSync(settings, 'utf8')
    .replace('"dark"', '"light"')
    .replace('"args": ["mcp"]', '"args": ["mcp"],\n"trust": true');
  writeFileSync(settings, changed);
  install('gemini', p);
  const now = JSON.parse(readFileSync(settings, 'utf8')) as { mcpServers: object };
  assert.deepEqual(now.mcpServers, { yolofs: { command: '/opt/yolofs/bin/yolofs', args: ['mcp'], trust: true } });
  writeFileSync(settings, readFileSync(settings, 'utf8').replace('"light"', '"blue"'));
  uninstall('gemini', p);
  assert.equal(readFileSync(settings, 'utf8'), '{"theme": "blue"\n}\n');
});

test('codex: tables that came below ours go with it, and all else of config.toml stays', (t) => {
  const p = placesIn(t, 'user');
  const [, config] = paths('codex', p);
  seed(config, TOML_TEXT);
  install('codex', p);
  const more = '\n[mcp_servers.yolofs.tools.diff]\napproval = "auto"\n\n# about hooks\n[hooks.state]\nx = "sha"\n';
  writeFileSync(config, readFileSync(config, 'utf8') + more);
  uninstall('codex', p);
  assert.equal(readFileSync(config, 'utf8'), `${TOML_TEXT}\n\n# about hooks\n[hooks.state]\nx = "sha"\n`);
});

test('a handler of ours goes from a group with others, and comments stay', (t) => {
  const p = placesIn(t, 'user');
  const [settings] = paths('claude', p);
  const others = '{ "type": "command", "command": "lint" }';
  const ours = '{ "type": "command", "command": "/old/yolofs", "args": ["hook", "claude", "--ask"] }';
  const text = (handlers: string): string =>
    `{ "hooks": { "PreToolUse": [ // why\n { "matcher": "Bash", "hooks": [${handlers}] }\n] } }`;
  seed(settings, text(`${others}, ${ours}`));
  uninstall('claude', p);
  assert.equal(readFileSync(settings, 'utf8'), text(others));
});

test('claude: the shell prefix comes beside a link that lasts, and leaves somebody else’s in its place', (t) => {
  const p = placesIn(t, 'user');
  const [dir, settings] = [join(p.home, 'bin'), join(p.home, '.claude/settings.json')];
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'main.cjs'), '', { mode: 0o755 });
  for (const name of ['yolofs', 'yolofs-shell']) symlinkSync('main.cjs', join(dir, name));
  const program = [join(dir, 'yolofs')];
  const env = (): unknown => (JSON.parse(readFileSync(settings, 'utf8')) as { env?: unknown }).env;
  const mine = '{"env":{"A":"b"}}';
  seed(settings, mine);
  install('claude', p, program);
  assert.deepEqual(env(), { A: 'b', CLAUDE_CODE_SHELL_PREFIX: join(dir, 'yolofs-shell') });
  assert.deepEqual(install('claude', p, program), []);
  writeFileSync(settings, readFileSync(settings, 'utf8').replace('"b"', '"c"'));
  uninstall('claude', p);
  assert.equal(readFileSync(settings, 'utf8').replaceAll(/\s/g, ''), '{"env":{"A":"c"}}', 'changed since');
  const theirs = '{"env":{"CLAUDE_CODE_SHELL_PREFIX":"/opt/theirs"}}';
  writeFileSync(settings, theirs);
  install('claude', p, program);
  assert.deepEqual(env(), { CLAUDE_CODE_SHELL_PREFIX: '/opt/theirs' });
  assert.deepEqual(install('claude', p, program), []);
  uninstall('claude', p);
  assert.equal(readFileSync(settings, 'utf8'), theirs);
});

test('a file that makes no sense is named with line and column, and nothing is touched', (t) => {
  const cases: [agent: string, file: number, text: string, said: RegExp][] = [
    ['claude', 0, '{\n  "hooks": {\n}', /settings\.json:3:2: this is not JSON: close brace expected/],
    ['claude', 0, '{ "hooks": [] }', /settings\.json:1:12: "hooks" is not an object/],
    ['claude', 0, '{ "hooks": {}, "hooks": {} }', /settings\.json:1:16: the key "hooks" is there twice/],
    ['claude', 1, '[1]', /\.claude\.json:1:1: not an object/],
    ['claude', 0, `{ "a": ${'['.repeat(30_000)}${']'.repeat(30_000)} }`, /settings\.json:1:207: nested too deep/],
    [
      'claude',
      0,
      `{ "a": "${'['.repeat(300)}" /* ${'{'.repeat(300)} */, }, `,
      /settings\.json:1:\d+: this is not JSON/,
    ],
    ['cursor', 0, '{ "version": 2 }', /hooks\.json:1:14: "version" is not 1/],
    ['codex', 1, 'a = 1\nb = = 2\n', /config\.toml:2:5: this is not TOML/],
    ['codex', 1, 'mcp_servers = { other = { command = "o" } }\n', /mcp_servers\.yolofs is written in a way/],
    ['gemini', 0, 'caf\xe9', /settings\.json is not UTF-8/],
    ['opencode', 0, 'export const Mine = 1\n', /yolofs\.ts is there, and it is not from yolofs/],
  ];
  for (const [agent, file, text, said] of cases) {
    const p = placesIn(t, 'user');
    seed(targetsOf(agent, p, PROGRAM)[file]?.path ?? '', Buffer.from(text, 'latin1'));
    const before = contentsBelow(p.home);
    assert.throws(
      () => install(agent, p),
      (error) => error instanceof UserError && said.test(error.message),
      text,
    );
    assert.deepEqual(contentsBelow(p.home), before);
  }
});

test('a symlink stays one: the file it names is changed; a project must not lead out of itself', (t) => {
  const p = placesIn(t, 'user');
  const [settings] = paths('claude', p);
  const dotfiles = join(p.home, 'dotfiles');
  seed(join(dotfiles, 'claude.json'), '{}');
  mkdirSync(dirname(settings));
  symlinkSync('../dotfiles/claude.json', settings);
  install('claude', p);
  assert.ok(lstatSync(settings).isSymbolicLink());
  assert.match(readFileSync(join(dotfiles, 'claude.json'), 'utf8'), /PreToolUse/);
  uninstall('claude', p);
  assert.equal(readFileSync(join(dotfiles, 'claude.json'), 'utf8'), '{}');

  const project: Places = { ...p, level: 'project' };
  symlinkSync('../home/dotfiles', join(p.project, '.claude'));
  assert.throws(() => install('claude', project), /leads out of the project/);
  rmSync(join(p.project, '.claude'));
  symlinkSync('nothing', join(p.project, '.mcp.json'));
  assert.throws(() => install('claude', project), /is a symlink to nothing/);
});

test('a file with several names is refused, and so is one that is no file', (t) => {
  const p = placesIn(t, 'user');
  const [settings] = paths('claude', p);
  seed(settings, '{}');
  linkSync(settings, join(p.home, 'other'));
  assert.throws(() => install('claude', p), /has 2 names/);
  rmSync(settings);
  mkdirSync(settings);
  assert.throws(() => install('claude', p), /is not a regular file/);
});

test('what somebody changed between plan and writing is left, and files written before it are taken back', (t) => {
  const p = placesIn(t, 'user');
  const [settings, servers] = paths('claude', p);
  seed(settings, '{}');
  seed(servers, '{}');
  const plan = planInstall(targetsOf('claude', p, PROGRAM), p, {});
  writeFileSync(servers, '{"numStartups": 3}');
  assert.throws(() => applyChanges(plan, p), /was changed meanwhile/);
  assert.deepEqual([readFileSync(settings, 'utf8'), readFileSync(servers, 'utf8')], ['{}', '{"numStartups": 3}']);
  assert.deepEqual(readdirSync(p.home).sort(), ['.claude', '.claude.json']);
});

test('where nothing can be recorded nothing is installed', (t) => {
  const p = placesIn(t, 'user');
  const [settings] = paths('claude', p);
  seed(settings, JSON_TEXT);
  const before = contentsBelow(p.home);
  assert.throws(() => install('claude', { ...p, environment: { XDG_STATE_HOME: settings } }), /cannot create/);
  assert.deepEqual(contentsBelow(p.home), before);
});

test('the owner of a file stays its owner', (t) => {
  if (process.getuid?.() !== 0) return;
  const p = placesIn(t, 'user');
  const [settings] = paths('claude', p);
  seed(settings, '{}');
  chownSync(settings, 12345, 12346);
  chmodSync(settings, 0o660);
  install('claude', p);
  const { uid, gid, mode } = statSync(settings);
  assert.deepEqual([uid, gid, mode & 0o7777], [12345, 12346, 0o660]);
});

function placesIn(t: TestContext, level: Level): Places {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'yolofs-test-install-')));
  t.after(() => rmSync(root, { recursive: true }));
  for (const name of ['home', 'project']) mkdirSync(join(root, name));
  return {
    level,
    home: join(root, 'home'),
    project: join(root, 'project'),
    environment: { XDG_STATE_HOME: `${root}/state` },
  };
}

function install(agent: string, p: Places, program: ProgramWords = PROGRAM): Change[] {
  const changes = planInstall(targetsOf(agent, p, program), p, loadRecords(p));
  if (changes.length > 0) applyChanges(changes, p);
  return changes;
}

function uninstall(agent: string, p: Places): Change[] {
  const changes = planUninstall(targetsOf(agent, p, PROGRAM), p, loadRecords(p));
  if (changes.length > 0) applyChanges(changes, p);
  return changes;
}

function paths(agent: string, p: Places): [string, string] {
  const [first, second] = targetsOf(agent, p, PROGRAM).map(({ path }) => path);
  return [first ?? '', second ?? ''];
}

function seed(path: string, text: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o640);
}

/** Paths with mode and content; our own record is left out. */
function contentsBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('/state') && existsSync(path))
    .map((path) => `${path} ${statSync(path).mode} ${statSync(path).isFile() ? readFileSync(path, 'latin1') : ''}`)
    .sort();
}

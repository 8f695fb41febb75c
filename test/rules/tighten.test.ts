/** A project's file can only tighten: each setting that there is, with what the user says and without. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Config, loadConfig } from '../../src/rules/config/config.ts';
import { CONFIG_TEMPLATE } from '../../src/rules/config/template.ts';
import { Rules } from '../../src/rules/rules.ts';
import { toBytePath } from '../../src/sys/bytes.ts';
import { layoutOf } from '../history/registry/layouts.ts';

const root = mkdtempSync('/var/tmp/yolofs-tighten-');
const [home, project, mine] = [join(root, 'home'), join(root, 'project'), join(root, 'mine')];
for (const dir of [join(home, '.config/yolofs'), project, join(mine, 'deep')]) mkdirSync(dir, { recursive: true });
symlinkSync(mine, join(root, 'link'));
const homeBefore = process.env.HOME;
process.env.HOME = home;
after(() => {
  if (homeBefore === undefined) delete process.env.HOME;
  else process.env.HOME = homeBefore;
  rmSync(root, { recursive: true });
});

function load(user: string, own: string): Config {
  assert.equal(homedir(), home);
  writeFileSync(join(home, '.config/yolofs/config.toml'), user);
  writeFileSync(join(project, '.yolofs.toml'), own);
  return loadConfig(layoutOf(project));
}

interface Case {
  readonly setting: string;
  readonly user?: string;
  readonly project: string;
  readonly is: (config: Config) => unknown;
  readonly expected: unknown;
  /** What is told of the project's file. */
  readonly told?: RegExp;
}

const session = (text: string): string => `[session]\n${text}\n`;
const limits = (text: string): string => `[limits]\n${text}\n`;
const ask = (text: string): string => `[ask]\n${text}\n`;
const stateOf =
  (path: string) =>
  ({ rules }: Config): unknown =>
    new Rules(rules).stateOf(toBytePath(path));

const CASES: readonly Case[] = [
  {
    setting: 'direct',
    project: session(`direct = ["${mine}", "${project}/src"]`),
    is: (config) => config.session.direct,
    expected: [],
    told: /'direct' would loosen/,
  },
  {
    setting: 'direct',
    user: session(`direct = ["${mine}"]`),
    project: session(`direct = ["${mine}"]`),
    is: (config) => config.session.direct,
    expected: [mine],
  },
  {
    setting: 'auto_snapshot',
    project: session('auto_snapshot = false'),
    is: (config) => config.session.autoSnapshot,
    expected: true,
    told: /'auto_snapshot = false' would loosen/,
  },
  {
    setting: 'auto_snapshot',
    user: session('auto_snapshot = false'),
    project: session('auto_snapshot = true'),
    is: (config) => config.session.autoSnapshot,
    expected: true,
  },
  {
    setting: 'auto_snapshot',
    user: session('auto_snapshot = false'),
    project: '',
    is: (config) => config.session.autoSnapshot,
    expected: false,
  },
  {
    setting: 'durability',
    project: session('durability = "process"'),
    is: (config) => config.session.durability,
    expected: 'full',
    told: /'durability = "process"' would loosen/,
  },
  {
    setting: 'durability',
    user: session('durability = "process"'),
    project: session('durability = "full"'),
    is: (config) => config.session.durability,
    expected: 'full',
  },
  {
    setting: 'quota',
    user: session('quota = "1 MiB"'),
    project: session('quota = "2 MiB"'),
    is: (config) => config.session.quota,
    expected: 2 ** 20,
  },
  {
    setting: 'quota',
    user: session('quota = "1 MiB"'),
    project: session('quota = "none"'),
    is: (config) => config.session.quota,
    expected: 2 ** 20,
  },
  {
    setting: 'network',
    user: session('network = "none"'),
    project: session('network = "host"'),
    is: (config) => config.cage.network,
    expected: 'none',
  },
  ...['memory', 'file_size', 'tmp'].map((key) => ({
    setting: key,
    user: limits(`${key} = "1 MiB"`),
    project: limits(`${key} = "2 MiB"`),
    is: ({ cage }: Config): unknown => Object.values(cage.limits),
    expected: [2 ** 20],
  })),
  ...['processes', 'open_files', 'cpu_time'].map((key) => ({
    setting: key,
    user: limits(`${key} = 100`),
    project: limits(`${key} = 200`),
    is: ({ cage }: Config): unknown => Object.values(cage.limits),
    expected: [100],
  })),
  // The daemon holds no door open by living on, and ends none by going: what it served is staged.
  {
    setting: 'idle_minutes',
    project: '[daemon]\nidle_minutes = 0\n',
    is: (config) => config.daemon.idleMinutes,
    expected: 0,
  },
  {
    setting: 'default',
    project: ask('default = "allow"'),
    is: (config) => config.ask.allow,
    expected: false,
    told: /'default = "allow"' would loosen/,
  },
  {
    setting: 'timeout',
    user: ask('default = "allow"\ntimeout = "5 min"'),
    project: ask('timeout = "1 ms"'),
    is: (config) => config.ask,
    expected: { timeout: 300_000, allow: true },
  },
  {
    setting: 'timeout',
    user: ask('timeout = "5 min"'),
    project: ask('timeout = "1 s"'),
    is: (config) => config.ask,
    expected: { timeout: 1_000, allow: false },
  },
  {
    setting: 'rules',
    project: '[rules]\n"~/.ssh" = "allow"\n"~/.aws" = "read-only"\n"~/x" = "deny"\n"sub" = "ask"\n"sub/a" = "allow"\n',
    is: (config) => ['.ssh', '.aws/x', 'x'].map((name) => stateOf(join(home, name))(config)),
    expected: ['deny', 'deny', 'deny'],
    told: /'"~\/\.ssh" = "allow"', '"~\/\.aws" = "read-only"' would loosen/,
  },
  {
    setting: 'rules',
    user: '[rules]\n"~/mail/**" = "deny"\n',
    project: '[rules]\n"~/mail/*" = "allow"\n',
    is: stateOf(join(home, 'mail/x')),
    expected: 'deny',
  },
];

test('S2: no setting of a project loosens, and what would is told once in one line', () => {
  for (const { setting, user = '', project: own, is, expected, told } of CASES) {
    const config = load(user, own);
    assert.deepEqual(is(config), expected, `${setting}: ${own} with ${user}`);
    assert.equal(config.ignored.length, told === undefined ? 0 : 1, config.ignored.join());
    if (told !== undefined) assert.match(config.ignored.join(), told);
    assert.ok(!config.ignored.join().includes('\n'));
  }
  const settings = [...CONFIG_TEMPLATE.matchAll(/^# (\w+) = /gm)].map(([, name]) => name);
  const tables = [...CONFIG_TEMPLATE.matchAll(/^\[(\w+)\]/gm)].map(([, name]) => name);
  assert.deepEqual(tables, ['session', 'limits', 'daemon', 'ask', 'rules']);
  assert.deepEqual(
    [...settings, 'rules'].filter((name) => !CASES.some(({ setting }) => setting === name)),
    [],
    'each setting has a case',
  );
});

test('S2: what only the user may say is an error in a project', () => {
  for (const text of [
    session('sockets = ["docker"]'),
    session('io_uring = true'),
    session('shims = ["grep"]'),
    session('incomplete_cage = true'),
    'default_rules = false\n',
  ])
    assert.throws(() => load('', text), /there is no setting/);
});

test('S2: what the person passes through loses no rule of a file, a glob or a path, by whatever name', () => {
  const rule = (line: string): string => `[rules]\n${line} = "deny"\n`;
  for (const line of [
    `"${mine}"`,
    `"${mine}/deep/key"`,
    `"${mine}/*.pem"`,
    `"${root}/m*/deep/*"`,
    `"${root}/*"`,
    `"${mine}/**"`,
  ]) {
    for (const at of [mine, join(root, 'link')]) {
      const direct = session(`direct = ["${at}"]`);
      for (const config of [load(direct + rule(line), ''), load(direct, rule(line))]) {
        assert.deepEqual(config.session.direct, [], line);
        assert.match(config.ignored.join(), /not direct, for a rule would be lost: \/var/, line);
      }
    }
  }
  for (const line of ['"**/*.pem"', `"${root}/other"`, `"${root}/other/*"`, `"${root}/m?/x"`]) {
    assert.deepEqual(load(session(`direct = ["${mine}"]`) + rule(line), '').session.direct, [mine], line);
  }
});

/** `.yolofs.toml`: what it may say, and where its errors are. */
import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { test } from 'node:test';
import { askSettings } from '../../src/rules/config/ask-table.ts';
import { parseConfig } from '../../src/rules/config/config.ts';
import { together } from '../../src/rules/config/settings.ts';
import { CONFIG_TEMPLATE } from '../../src/rules/config/template.ts';
import { UserError } from '../../src/sys/user-error.ts';

const FILE = '/p/.yolofs.toml';

function failure(text: string): string {
  try {
    parseConfig(text, FILE);
  } catch (error) {
    if (error instanceof UserError)
      return error.hint === undefined ? error.message : `${error.message} (${error.hint})`;
    throw error;
  }
  return 'no error';
}

test('parseConfig() fills in defaults', () => {
  const defaults = {
    session: { direct: [], autoSnapshot: undefined, durability: undefined, quota: undefined },
    cage: {
      network: 'host',
      sockets: [],
      ioUring: false,
      incomplete: false,
      passedVariables: [],
      shims: [],
      limits: {},
    },
    daemon: { idleMinutes: 30 },
    askTable: {},
    ruleLines: [],
    sources: {},
  };
  assert.deepEqual(parseConfig('', FILE), defaults);
  assert.deepEqual(parseConfig('[session]\n[daemon]\n', FILE), defaults);
});

test('parseConfig() reads every setting, and expands and normalises paths', () => {
  const text = `[session]
direct = ["~/.cache", "~", "/a//b/../c/"]
auto_snapshot = false
durability = "process"
quota = "1.5 GiB"
network = "none"
[limits]
memory = "4 GiB"
processes = 2000
open_files = 4096
cpu_time = 3600
file_size = "1 MiB"
[daemon]
idle_minutes = 1.5
[ask]
timeout = "5 min"
default = "deny"
`;
  assert.deepEqual(parseConfig(text, FILE), {
    session: {
      direct: [`${homedir()}/.cache`, homedir(), '/a/c'],
      autoSnapshot: false,
      durability: 'process',
      quota: 1.5 * 2 ** 30,
    },
    cage: {
      network: 'none',
      sockets: [],
      ioUring: false,
      incomplete: false,
      passedVariables: [],
      shims: [],
      limits: { memory: 2 ** 32, processes: 2000, openFiles: 4096, cpuTime: 3600, fileSize: 2 ** 20 },
    },
    daemon: { idleMinutes: 1.5 },
    askTable: { timeout: '5 min', default: 'deny' },
    ruleLines: [],
    sources: {},
  });
});

test('the template says the defaults, commented out and not', () => {
  const active = CONFIG_TEMPLATE.replace(/^# (?=\w+ = )/gm, '');
  assert.notEqual(active, CONFIG_TEMPLATE);
  const { cage, askTable: ask, session, ...rest } = parseConfig(active, FILE);
  const { cage: none, askTable: unasked, session: silent, ...defaults } = parseConfig('', FILE);
  assert.deepEqual(rest, defaults);
  assert.deepEqual(together(silent, session), together(silent, silent));
  assert.deepEqual(askSettings({}, ask), askSettings({}, unasked));
  // Limits have no defaults: the template has examples.
  assert.deepEqual({ ...cage, limits: {} }, none);
  assert.deepEqual(parseConfig(CONFIG_TEMPLATE, FILE), parseConfig('', FILE));
});

test('askSettings() takes times of both files, the project first where that lets nothing through, and "allow" of the user alone', () => {
  assert.deepEqual(askSettings({}, {}), { timeout: 60_000, allow: false });
  assert.deepEqual(askSettings({ timeout: '5 min', default: 'allow' }, {}), { timeout: 300_000, allow: true });
  assert.deepEqual(askSettings({ timeout: '5 min' }, { timeout: '500 ms' }), { timeout: 500, allow: false });
  assert.deepEqual(askSettings({ default: 'allow' }, { default: 'deny' }), { timeout: 60_000, allow: false });
  assert.deepEqual(askSettings({}, { default: 'allow' }), { timeout: 60_000, allow: false });
  assert.ok(askSettings({ timeout: 'none' }, {}).timeout > 86_400_000);
});

test('parseConfig() knows the line of each rule, however its path is written', () => {
  const text = `# "a" = "deny"\n[session]\n[rules]\n"a" = "deny"\n  'b\\c' = "deny"\n"d\\u0065" = "deny"\n\n"x y".z = 1\n`;
  const lines = parseConfig(text.replace(/"x y".*/, ''), FILE).ruleLines;
  assert.deepEqual(
    lines.map(({ text: path, place }) => `${path} ${place}`),
    ['a /p/.yolofs.toml:4:1', 'b\\c /p/.yolofs.toml:5:3', 'de /p/.yolofs.toml:3:2'],
  );
});

test('S12: what a project may have of rules and globs has an end, and the line is named that is beyond it', () => {
  const lines = (count: number, of: (i: number) => string): string =>
    `[rules]\n${Array.from({ length: count }, (_, i) => `"${of(i)}" = "deny"\n`).join('')}`;
  assert.equal(
    parseConfig(
      lines(2_000, (i) => `dir/${i}`),
      FILE,
    ).ruleLines.length,
    2_000,
  );
  assert.match(failure(lines(2_001, (i) => `dir/${i}`)), /^\/p\/\.yolofs\.toml:2002:1: rules: .* 2000 rules at most/);
  assert.equal(
    parseConfig(
      lines(100, (i) => `**/*${i}`),
      FILE,
    ).ruleLines.length,
    100,
  );
  assert.match(failure(lines(101, (i) => `**/*${i}`)), /:102:1: rules: .* 100 globs at most/);
  assert.match(failure(lines(2, (i) => `${i}/{a,b,c,d,e,f,g,h}{a,b,c,d,e,f,g,h}*`)), /:3:1: rules: .* 100 globs/);
  assert.equal(
    parseConfig(
      lines(1, () => `**/${'*a'.repeat(126)}`),
      FILE,
    ).ruleLines.length,
    1,
  );
  assert.match(failure(lines(1, () => `**/${'*a'.repeat(127)}`)), /:2:1: rules: a glob .* 256 characters at most/);
});

test('parseConfig() names line, column and key of what is wrong', () => {
  const cases: readonly [string, RegExp][] = [
    ['[session]\ndirect = [\n', /^\/p\/\.yolofs\.toml:[23]:\d+: /],
    ['[session]\n\n  direkt = []\n', /^\/p\/\.yolofs\.toml:3:3: there is no setting 'session\.direkt' \(.*direct/],
    ['[session]\nquota = "0"\n', /:2:1: session\.quota: '0' is neither a size such as "2 GiB" nor "none"$/],
    ['[session]\nquota = 5\n', /:2:1: session\.quota: has to be a size/],
    ['\n[sesion]\na = 1\n', /^\/p\/\.yolofs\.toml:2:2: there is no setting 'sesion' \(.*\[session\]/],
    ['sesion.direct = []\n', /:1:1: there is no setting 'sesion'/],
    ['[ask]\ntimeout = "soon"\n', /:2:1: ask\.timeout: 'soon' is neither a time such as/],
    ['[ask]\ndefault = "yes"\n', /:2:1: ask\.default: has to be "deny" or "allow"$/],
    ['session.direct = 3\n', /:1:1: session\.direct: has to be a list of paths$/],
    ['[session]\ndirect = "/etc"\n', /:2:1: session\.direct: has to be a list of paths$/],
    ['[session]\ndirect = ["/a", 3]\n', /:2:1: session\.direct: /],
    ['[session]\ndirect = [\n  "/a",\n  "b/c",\n]\n', /:4:3: session\.direct: 'b\/c' is neither/],
    ['[session]\nauto_snapshot = "yes"\n', /:2:1: session\.auto_snapshot: has to be true or false$/],
    ['[session]\n# x\ndurability = "never"\n', /:3:1: session\.durability: has to be 'full' or 'process'$/],
    ['[session]\nnetwork = "off"\n', /:2:1: session\.network: has to be 'host' or 'none'$/],
    ['[session]\nsockets = ["docker"]\n', /:2:1: there is no setting 'session\.sockets'/],
    ['[limits]\nmemory = 5\n', /:2:1: limits\.memory: has to be a size/],
    ['[limits]\nprocesses = 0\n', /:2:1: limits\.processes: /],
    ['[limits]\nmem = 5\n', /:2:1: there is no setting 'limits\.mem' \(\[limits\] knows memory, processes/],
    ['[daemon]\nidle_minutes = -1\n', /:2:1: daemon\.idle_minutes: has to be 0 or more$/],
    ['session = 3\n', /:1:1: session: /],
    ['[session]\n__proto__ = 3\n', /:2/],
  ];
  for (const [text, expected] of cases) assert.match(failure(text), expected, text);
});

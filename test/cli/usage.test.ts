/** What the program does without a session or a daemon: usage, help, discovery, init, errors. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { LAUNCHED } from '../../src/cli/hot-commands.ts';
import { GUEST_COMMANDS, LAUNCHED_COMMANDS } from '../../src/daemon/sockets/served-commands.ts';
import { registered } from '../history/registry/layouts.ts';
import { type ExecOptions, exec, type Result } from '../support/exec.ts';
import { BUILT } from '../support/session.ts';

const MAIN = join(BUILT, 'src/cli/main.js');

/** Sessions are registered there. */
const home = mkdtempSync('/var/tmp/yolofs-usage-home-');
after(() => rmSync(home, { recursive: true }));

function directory(t: TestContext): string {
  const path = mkdtempSync('/var/tmp/yolofs-usage-');
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}

function yolofs(args: readonly string[], options: ExecOptions = {}): Promise<Result> {
  return exec([process.execPath, MAIN, ...args], { cwd: '/', ...options, env: { HOME: home, ...options.env } });
}

describe('yolofs', () => {
  test('exits 2 with one line and a hint on every usage error', async () => {
    const cases: readonly (readonly [readonly string[], string])[] = [
      [['frobnicate'], "unknown command 'frobnicate'"],
      [['travel'], "travel: missing required argument 'generation'"],
      [['statuss'], "unknown command 'statuss' (Did you mean status?)"],
      [['status', '--no-such'], "status: unknown option '--no-such'"],
      [['status', '1', 'extra'], "status: too many arguments for 'status'. Expected 1 argument but got 2."],
      [['hook'], "hook: missing required argument 'agent'"],
      [['run'], 'run: a command is missing'],
      [['run', '--quiet', '--'], 'run: a command is missing'],
      [['run', '-c'], "run: option '-c <text>' argument missing"],
      [['run', '-c', 'ls', '--', 'ls'], 'run: either -c TEXT or a command'],
      [['help', 'frobnicate'], "unknown command 'frobnicate'"],
      [['init', ''], 'init: a path is empty'],
      [['install', 'claude', '--user', '--project'], 'install: --user and --project exclude each other'],
      [
        ['gc', '--keep-last', 'x'],
        "gc: option '--keep-last <n>' argument 'x' is invalid. It has to be a number of generations.",
      ],
    ];
    for (const [args, message] of cases) {
      const result = await yolofs(args);
      const command = /^(\w+): /.exec(message)?.[1];
      const help = command === undefined ? '--help' : `${command} --help`;
      const hint = command === undefined ? 'lists the commands' : 'tells how it is used';
      const stderr = `yolofs: ${message}\nhint: 'yolofs ${help}' ${hint}\n`;
      assert.deepEqual(result, { code: 2, stdout: '', stderr }, args.join(' '));
    }
  });

  test('shows its help on stderr and exits 2 without a command', async () => {
    const { code, stdout, stderr } = await yolofs([]);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^Usage: yolofs \[options\] \[command\]$/m);
  });

  test('--help names every command, a command has its own', async () => {
    const { code, stdout } = await yolofs(['--help']);
    assert.equal(code, 0);
    const names = [...stdout.matchAll(/^ {2}([a-z]+)[ |]/gm)].map((match) => match[1]);
    const expected =
      'init run shell wrap status diff review grep log audit snapshot travel commit export undo abort rule source watch mount unmount mcp hook install uninstall doctor setup stop gc du completion debug help';
    assert.deepEqual(names, expected.split(' '));
    const run = await yolofs(['run', '--help']);
    assert.equal(run.code, 0);
    assert.match(run.stdout, /--no-snapshot {2,}take no snapshot afterwards/);
    assert.deepEqual(await yolofs(['help', 'run']), run);
    assert.deepEqual(await yolofs(['help', 'rule', 'set']), await yolofs(['rule', 'set', '--help']));
    assert.deepEqual(await yolofs(['help', 'timeline']), await yolofs(['log', '--help']));
  });

  test('the commands that the daemon serves are in the table', () => {
    const names = COMMANDS.map(({ name }) => name);
    for (const name of [...GUEST_COMMANDS, ...LAUNCHED_COMMANDS]) assert.ok(names.includes(name), name);
    assert.deepEqual(
      LAUNCHED.map(({ name }) => name),
      LAUNCHED_COMMANDS,
    );
  });

  test('--version prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    assert.deepEqual(await yolofs(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('ends quietly when nobody reads on', async () => {
    const script = `"$1" "$2" --help | true; "$1" "$2" --help | head -c 10`;
    const result = await exec(['bash', '-o', 'pipefail', '-c', script, 'bash', process.execPath, MAIN]);
    assert.deepEqual(result, { code: 0, stdout: 'Usage: yol', stderr: '' });
  });
});

describe('a session', () => {
  test('that is nowhere is one clear line with a hint and exit 1, for every command that needs one', async (t) => {
    const cwd = directory(t);
    for (const args of [
      ['run', '--', 'true'],
      ['status'],
      ['diff'],
      ['grep', 'x'],
      ['log'],
      ['audit'],
      ['commit'],
      ['abort'],
      ['snapshot'],
      ['stop'],
      ['du'],
      ['shell'],
    ]) {
      const result = await yolofs(args, { cwd });
      assert.deepEqual(result, {
        code: 1,
        stdout: '',
        stderr: `yolofs: ${args[0]}: not a session: neither .yolofs/ nor .yolofs.toml in ${cwd} or above it\nhint: 'yolofs init' prepares a directory for sessions\n`,
      });
    }
  });

  test('that is named and does not exist is said so', async (t) => {
    const cwd = directory(t);
    const stderr = `yolofs: du: not a session: ${cwd}\nhint: 'yolofs init' prepares a directory for sessions\n`;
    const failure = { code: 1, stdout: '', stderr };
    assert.deepEqual(await yolofs(['du', '--session', cwd]), failure);
    assert.deepEqual(await yolofs(['--session', cwd, 'du']), failure);
    assert.deepEqual(await yolofs(['du'], { env: { YOLOFS_SESSION: cwd } }), failure);
  });

  test('is the nearest one upward, the one in $YOLOFS_SESSION, or the one in --session, the last first', async (t) => {
    const root = directory(t);
    for (const name of ['near', 'variable', 'option']) {
      mkdirSync(join(root, name, 'sub/deeper'), { recursive: true });
      await yolofs(['init', name], { cwd: root });
      writeFileSync(
        registered(join(root, name), home).journal,
        'x'.repeat({ near: 1, variable: 5000, option: 9000 }[name] ?? 0),
      );
    }
    const cwd = join(root, 'near/sub/deeper');
    const env = { YOLOFS_SESSION: join(root, 'variable') };
    const journal = async (args: readonly string[], options: ExecOptions): Promise<number> => {
      const { stdout } = await yolofs(['du', '--json', ...args], { cwd, ...options });
      return (JSON.parse(stdout) as { journal: { bytes: number } }).journal.bytes;
    };
    assert.equal(await journal([], {}), 4096);
    assert.equal(await journal([], { env }), 8192);
    assert.equal(await journal(['--session', join(root, 'option')], { env }), 12288);
    assert.equal(await journal(['--session', join(root, 'option/.yolofs')], { env }), 12288);
  });

  test('cannot be used from inside the view', async (t) => {
    const cwd = directory(t);
    await yolofs(['init'], { cwd });
    for (const command of ['run', 'commit', 'abort', 'stop', 'du']) {
      const args = command === 'run' ? ['run', '--', 'true'] : [command];
      const { code, stderr } = await yolofs(args, { cwd, env: { YOLOFS_VIEW: '1' } });
      assert.equal(code, 1);
      assert.equal(stderr.split('\n')[0], `yolofs: ${command}: not possible inside the view`);
    }
  });
});

describe('yolofs init', () => {
  test('writes a commented configuration and keeps .yolofs out of git', async (t) => {
    const cwd = directory(t);
    await exec(['git', 'init', '--quiet', cwd]);
    assert.equal((await yolofs(['init'], { cwd })).code, 0);
    assert.match(readFileSync(join(cwd, '.yolofs.toml'), 'utf8'), /^\[session\]$/m);
    const { stdout } = await exec(['git', 'status', '--porcelain', '--untracked-files=all'], { cwd });
    assert.equal(stdout, '?? .yolofs.toml\n');
  });

  test('never writes over a configuration', async (t) => {
    const cwd = directory(t);
    writeFileSync(join(cwd, '.yolofs.toml'), '# mine\n');
    const result = await yolofs(['init'], { cwd });
    assert.deepEqual(result, { code: 0, stdout: '', stderr: '.yolofs.toml exists and is left as it is\n' });
    assert.equal(readFileSync(join(cwd, '.yolofs.toml'), 'utf8'), '# mine\n');
  });

  test('prepares the directory it is given and refuses what is none', async (t) => {
    const cwd = directory(t);
    mkdirSync(join(cwd, 'project'));
    assert.equal((await yolofs(['init', 'project'], { cwd })).code, 0);
    assert.ok(existsSync(join(cwd, 'project/.yolofs.toml')));
    const result = await yolofs(['init', 'nowhere'], { cwd });
    assert.deepEqual(result, { code: 1, stdout: '', stderr: 'yolofs: init: not a directory: nowhere\n' });
  });

  test('says where it is not possible', async () => {
    const result = await yolofs(['init', '/proc']);
    assert.equal(result.code, 1);
    assert.match(
      result.stderr,
      /^yolofs: init: not possible in \/proc: the view has a \/proc of its own\nhint: a project lies elsewhere\n$/,
    );
  });
});

/** The installed program leaves hooks to the session's daemon: what it then says and leaves is what Node says and leaves. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, test } from 'node:test';
import type { ExecOptions, Result } from '../../support/exec.ts';
import { PROGRAM, type Session, session } from '../../support/session.ts';
import { REPOSITORY } from '../../support/source-files.ts';

const LONG = `cat > big.txt <<'END'\n${"it's a line\n".repeat(20_000)}END\n`;

const INPUTS: readonly ((s: Session) => string)[] = [
  (s) =>
    event(s, {
      tool_input: { command: `echo "it's" $HOME \`id\` 'é' !x # y\nsecond line`, timeout: 5, description: 'd' },
    }),
  (s) => event(s, { tool_input: { command: 'ls', run_in_background: true } }),
  (s) => event(s, { permission_mode: 'plan' }),
  (s) => event(s, { tool_name: 'Write', tool_input: { file_path: `${s.project}/x` } }),
  (s) => event(s, { tool_name: 'Write', tool_input: { file_path: `${s.home}/.claude/plans/x` } }),
  (s) => event(s, { cwd: s.root }),
  (s) => event(s, { cwd: '.' }),
  (s) => event(s, { hook_event_name: 'PostToolUse', tool_use_id: 'never' }),
  (s) => event(s, { hook_event_name: 'SessionStart' }),
  () => '',
  () => '{',
  () => 'null',
  (s) => event(s, { tool_input: { command: '\ud800 \u0000 \u2028' } }),
  () => '\ufeff{"hook_event_name":"PreToolUse"}',
];

describe('the launcher of a hook', () => {
  test('says what Node says, for each dialect, byte for byte', async (t) => {
    const s = await session(t);
    await s.sh(':');
    const inputs = INPUTS.map((make) => make(s));
    const others = ['codex', 'gemini', 'copilot', 'cursor', 'opencode', 'hal'];
    const all = [['claude', inputs] as const, ...others.map((agent) => [agent, inputs.slice(-2)] as const)];
    for (const [agent, input] of all.flatMap(([agent, some]) => some.map((input) => [agent, input] as const))) {
      const [launched, plain] = await Promise.all([hook(s, agent, input), hookOfNode(s, agent, input)]);
      assert.deepEqual(anonymous(launched), anonymous(plain), `${agent}: ${input}`);
    }
    const garbage = Buffer.from([0, 0xff, 0xfe, 0x0a, 0x80, 0x22]).toString('latin1');
    assert.deepEqual(await hook(s, 'claude', garbage), await hookOfNode(s, 'claude', garbage));
  });

  test('needs no Node, and leaves the notes that the hook leaves', async (t) => {
    const s = await session(t);
    await s.sh(':');
    await hook(s, 'claude', event(s, {}));
    rmSync(join(s.layout.entry, 'calls'), { recursive: true });
    const { stdout } = await hook(s, 'claude', event(s, {}), { env: { PATH: onlyPrograms(s, 'perl') } });
    assert.match(stdout, /run --call 'c-toolu_7' --keep-directory -c 'true'/);
    assert.deepEqual(readdirSync(join(s.layout.entry, 'calls')), ['c-toolu_7.json']);
    assert.equal(readFileSync(join(s.layout.entry, 'calls/c-toolu_7.json'), 'utf8'), '{"state":"asked"}');
  });

  test("is of the caller's environment: directories for long commands, of Claude Code, of the session", async (t) => {
    const s = await session(t);
    await s.sh(':');
    const long = event(s, { tool_input: { command: LONG } });
    const { stdout } = await hook(s, 'claude', long, { env: { TMPDIR: s.home } });
    const file = new RegExp(`--command-file '(${s.home}/yolofs-command-\\w+/command)'`).exec(stdout)?.[1] ?? '';
    assert.equal(readFileSync(file, 'utf8'), LONG);
    const prefix = { CLAUDE_CODE_SHELL_PREFIX: '/x/yolofs-shell' };
    assert.equal((await hook(s, 'claude', event(s, {}), { env: prefix })).stdout, '{}\n');
    const outside = event(s, { cwd: s.home });
    const named = await hook(s, 'claude', outside, { env: { CLAUDE_PROJECT_DIR: s.project }, cwd: s.home });
    assert.ok(named.stdout.includes(` run --session '${s.project}' --call 'c-toolu_7'`), named.stdout);
    const chosen = await hook(s, 'claude', outside, { env: { YOLOFS_SESSION: s.project }, cwd: s.home });
    assert.match(chosen.stdout, / run --call 'c-toolu_7'/);
  });

  test('is Node where there is no daemon, and no Perl', async (t) => {
    const s = await session(t);
    const wanted = /run --call 'c-toolu_7' --keep-directory -c 'true'/;
    assert.match((await hook(s, 'claude', event(s, {}))).stdout, wanted);
    assert.equal(existsSync(join(s.layout.entry, 'sock')), false, 'no daemon is started for a hook');
    await s.sh(':');
    const without = await hook(s, 'claude', event(s, {}), { env: { PATH: onlyPrograms(s, 'node') } });
    assert.match(without.stdout, wanted);
  });

  test('S12: ends with 2, which every agent takes for a refusal, where there is no Node', async (t) => {
    const s = await session(t);
    const lack = "yolofs: Node 20 or newer is needed, and there is no 'node' in PATH\n";
    for (const left of ['none', 'perl'] as const) {
      const PATH = onlyPrograms(s, left);
      assert.deepEqual(
        await hook(s, 'claude', event(s, {}), { env: { PATH } }),
        { code: 2, stdout: '', stderr: lack },
        left,
      );
      const { code, stderr } = await s.native([PROGRAM, 'run', '-c', 'true'], { env: { PATH } });
      assert.deepEqual([code, stderr], [1, lack], left);
    }
  });

  test('finds the Node beside it, as nvm has it, which is in the PATH of shells only', async (t) => {
    const s = await session(t);
    const prefix = join(s.root, 'v22');
    for (const dir of ['bin', 'lib/node_modules']) mkdirSync(join(prefix, dir), { recursive: true });
    const node = join(prefix, 'bin/node');
    // Something else of that name is none.
    mkdirSync(node);
    symlinkSync(PROGRAM, join(prefix, 'bin/yolofs'));
    symlinkSync(REPOSITORY, join(prefix, 'lib/node_modules/yolofs'));
    const installed = join(prefix, 'lib/node_modules/yolofs', relative(REPOSITORY, PROGRAM));
    const without = { input: event(s, {}), env: { PATH: onlyPrograms(s, 'none') } };
    assert.equal((await s.native([installed, 'hook', 'claude'], without)).code, 2);
    rmdirSync(node);
    symlinkSync(process.execPath, node);
    for (const program of [join(prefix, 'bin/yolofs'), installed]) {
      for (const left of ['none', 'perl'] as const) {
        const options = { input: event(s, {}), env: { PATH: onlyPrograms(s, left) } };
        const { stdout, stderr } = await s.native([program, 'hook', 'claude'], options);
        assert.match(stdout, /run --call 'c-toolu_7' --keep-directory -c 'true'/, `${program}, ${left}: ${stderr}`);
      }
    }
  });
});

/** A directory of programs with no more than one of Node and Perl. */
function onlyPrograms(s: Session, name: 'node' | 'perl' | 'none'): string {
  const dir = join(s.root, `only-${name}`);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir);
  if (name !== 'none') symlinkSync(name === 'node' ? process.execPath : '/usr/bin/perl', join(dir, name));
  return dir;
}

function event(s: Session, over: object): string {
  const call = { tool_name: 'Bash', tool_use_id: 'toolu_7', tool_input: { command: 'true' } };
  return JSON.stringify({ hook_event_name: 'PreToolUse', cwd: s.project, session_id: 's', ...call, ...over });
}

function hook(s: Session, agent: string, input: string, options: ExecOptions = {}): Promise<Result> {
  return s.native([PROGRAM, 'hook', agent], { ...options, input });
}

function hookOfNode(s: Session, agent: string, input: string): Promise<Result> {
  return s.native([process.execPath, PROGRAM, 'hook', agent], { input });
}

/** Names that are new each time. */
function anonymous({ stdout, ...rest }: Result): Result {
  return { ...rest, stdout: stdout.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID') };
}

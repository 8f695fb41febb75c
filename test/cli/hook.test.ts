/** The hook and the run it makes, end to end: a command in Claude Code's frame, wrapped by the real program. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type ExecOptions, exec } from '../support/exec.ts';
import { BUILT, type Session, session } from '../support/session.ts';

/** What the frame means something to; quoting.test.ts has all the others. */
const IN_FRAME = [
  'echo plain',
  'mkdir -p d && cd d && echo here > made.txt && cat made.txt && cd .. && rm -r d',
  "cat <<'EOF'\nit's $literal `text`\nEOF",
  'echo one # a trailing comment',
  '(echo sub; exit 3)',
  'exit 7',
  'false',
  'echo out; echo err >&2',
  'sleep 0 & wait; echo done',
  'set -e; false; echo goes on',
];
const MAIN = join(BUILT, 'src/cli/main.js');

describe('yolofs hook claude', () => {
  test('makes commands do in the view, in the frame that Claude Code puts around them, what they do outside', async (t) => {
    const s = await session(t);
    const twin = join(s.root, 'twin');
    await exec(['cp', '-a', s.project, twin]);
    await exec(['rm', '-r', join(twin, '.yolofs')]);
    const before = await s.baseTree({ mtime: true });
    for (const command of IN_FRAME) {
      const wrapped = await frame(s, await rewritten(s, command));
      const stderr = wrapped.stderr.replace(/^yolofs: .*\n( .*\n)*(?:snapshot|generation) .*\n/m, '');
      assert.deepEqual({ ...wrapped, stderr }, await frame(s, command, { cwd: twin }), command);
      assert.deepEqual(await s.baseTree({ mtime: true }), before, command);
    }
  });

  test('stages what a long command writes', async (t) => {
    const s = await session(t);
    const command = `cat > big.txt <<'END'\n${"it's a line\n".repeat(20_000)}END\n`;
    const text = await rewritten(s, command);
    assert.match(text, /run --call 'c-[\w-]+' --keep-directory --command-file '/);
    assert.equal((await frame(s, text)).code, 0);
    assert.equal(await s.sh('wc -l < big.txt'), '20000\n');
    assert.equal(existsSync(join(s.project, 'big.txt')), false);
  });

  test('names the session of $CLAUDE_PROJECT_DIR for a command outside of it', async (t) => {
    const s = await session(t);
    const env = { CLAUDE_PROJECT_DIR: s.project };
    const text = await rewritten(s, 'echo x > outside.txt', { env, cwd: s.home });
    assert.ok(text.includes(` run --session '${s.project}' --call 'c-`), text);
    assert.equal((await frame(s, text, { cwd: s.home })).code, 0);
    assert.equal(existsSync(join(s.home, 'outside.txt')), false);
    assert.deepEqual(await s.changeLines(), [`added ${s.home}/outside.txt`]);
  });

  test('has nothing to say in the view and for tools that write nothing', async (t) => {
    const s = await session(t);
    const quiet = { code: 0, stdout: '{}\n', stderr: '' };
    assert.deepEqual(await hook(s, event(s, 'ls'), { env: { YOLOFS_VIEW: '1' } }), quiet);
    assert.deepEqual(await hook(s, JSON.stringify({ ...JSON.parse(event(s, 'ls')), tool_name: 'Read' })), quiet);
  });

  test('answers broken input with JSON that denies', async (t) => {
    const s = await session(t);
    for (const input of ['', '{', '\xff\xfe', '[1]']) {
      const { code, stdout, stderr } = await hook(s, input);
      assert.deepEqual([code, stderr], [0, '']);
      const answer = JSON.parse(stdout) as { hookSpecificOutput: { permissionDecision: string } };
      assert.equal(answer.hookSpecificOutput.permissionDecision, 'deny');
    }
  });

  test('refuses agents it does not know', async (t) => {
    const s = await session(t);
    const result = await s.cli(['hook', 'hal'], { input: '{}' });
    assert.deepEqual([result.code, result.stdout], [2, '']);
    assert.match(result.stderr, /^yolofs: hook: unknown agent: hal\nhint: known agents: claude, .*opencode, qwen\n$/);
  });
});

function event(s: Session, command: string, cwd = s.project): string {
  return JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash', cwd, tool_input: { command } });
}

function hook(s: Session, input: string, options: ExecOptions = {}): ReturnType<typeof exec> {
  chmodSync(MAIN, 0o755);
  return s.native([MAIN, 'hook', 'claude'], { ...options, input });
}

async function rewritten(s: Session, command: string, options: ExecOptions = {}): Promise<string> {
  const { stdout } = await hook(s, event(s, command, options.cwd), options);
  const answer = JSON.parse(stdout) as { hookSpecificOutput: { updatedInput: { command: string } } };
  return answer.hookSpecificOutput.updatedInput.command;
}

/** Runs a command as Claude Code's Bash tool does. */
function frame(s: Session, command: string, options: ExecOptions = {}): ReturnType<typeof exec> {
  const quoted = `'${command.replaceAll("'", `'"'"'`)}'`;
  const text = `shopt -u extglob 2>/dev/null || true && eval ${quoted} < /dev/null && pwd -P >| ${s.root}/cwd`;
  return s.native(['bash', '-c', text], options);
}

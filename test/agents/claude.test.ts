import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { answerEvent, type HookContext } from '../../src/agents/answer.ts';
import { takeCommandFile } from '../../src/agents/command-file.ts';
import { claude } from '../../src/agents/dialects/claude.ts';
import { CASES } from './quoting-commands.ts';

const PROGRAM = '/opt/yolofs/bin/yolofs';
const PROJECT = '/home/dev/project';

const context: HookContext = {
  program: [PROGRAM],
  ask: false,
  findSession: (cwd) => (cwd.startsWith(PROJECT) ? { project: PROJECT, isNearest: true } : undefined),
};

interface Answer {
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: {
    readonly hookEventName: string;
    readonly permissionDecision: string;
    readonly permissionDecisionReason: string;
    readonly updatedInput?: Record<string, unknown> & { readonly command: string };
  };
}

/** The event as Claude Code 2.1 sends it. */
function event(tool: Record<string, unknown>, over: Record<string, unknown> = {}): string {
  return JSON.stringify({
    session_id: '5f1c6a2e-6f0d-4a6e-9d44-2f0f4d1e1c11',
    transcript_path: '/home/dev/.claude/projects/-home-dev-project/5f1c6a2e.jsonl',
    cwd: PROJECT,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: tool,
    tool_use_id: 'toolu_01ABCdefGHIjklMNOpqrSTU',
    ...over,
  });
}

/** What the hook prints for an event; undefined when it has nothing to say. */
function answer(input: string, over: Partial<HookContext> = {}): Answer | undefined {
  const parsed = claude.parse(input);
  const { stdout, exit } = claude.render(parsed, answerEvent(parsed, { ...context, ...over }));
  assert.equal(exit, 0);
  return stdout === '{}' ? undefined : (JSON.parse(stdout) as Answer);
}

function rewritten(command: string, over: Partial<HookContext> = {}): string {
  const updated = answer(event({ command }), over)?.hookSpecificOutput?.updatedInput;
  assert.ok(updated, `not rewritten: ${command}`);
  return updated.command;
}

describe('Claude Code: an event and its answer', () => {
  test('rewrites the command and keeps every other field of the input', () => {
    const tool = {
      command: 'npm test',
      description: 'Run tests',
      timeout: 600000,
      run_in_background: true,
      later: [1],
    };
    assert.deepEqual(answer(event(tool)), {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        permissionDecisionReason: 'staged by yolofs',
        updatedInput: { ...tool, command: `'${PROGRAM}' run -c 'npm test'` },
      },
    });
  });

  test('writes each single quote of the command as quote, backslash, quote, quote', () => {
    assert.equal(rewritten("echo 'a'"), `'${PROGRAM}' run -c 'echo '\\''a'\\'''`);
  });

  test('names the session when it is not the nearest one of the working directory', () => {
    const findSession = () => ({ project: "/home/dev/o'hara", isNearest: false });
    assert.equal(rewritten('ls', { findSession }), `'${PROGRAM}' run --session '/home/dev/o'\\''hara' -c 'ls'`);
  });

  test('lets the agent ask when told so, and in plan mode', () => {
    assert.equal(answer(event({ command: 'ls' }), { ask: true })?.hookSpecificOutput?.permissionDecision, 'ask');
    const planning = event({ command: 'ls' }, { permission_mode: 'plan' });
    assert.equal(answer(planning)?.hookSpecificOutput?.permissionDecision, 'ask');
  });

  test('leaves a command alone that it has wrapped already', () => {
    for (const { command } of CASES) {
      if (command.length < 10_000) assert.equal(answer(event({ command: rewritten(command) })), undefined);
    }
  });

  test('wraps a command that only begins like a wrapped one', () => {
    for (const tail of [
      " run -c 'ls' && rm -rf ~",
      ' run --no-snapshot -c ls',
      " run -c 'a' 'b'",
      " run -c 'a'b",
      ' stop',
    ]) {
      const command = `'${PROGRAM}'${tail}`;
      assert.equal(unquote(rewritten(command)), command);
    }
  });

  test('where there is no session it says so once, at the start, and changes nothing', () => {
    const elsewhere = { cwd: '/srv/other' };
    assert.deepEqual(answer(event({}, { ...elsewhere, hook_event_name: 'SessionStart', source: 'startup' })), {
      systemMessage:
        "yolofs: no session in /srv/other or above it ('yolofs init' makes one): commands there run on the real files",
    });
    assert.equal(answer(event({ command: 'ls' }, elsewhere)), undefined);
  });

  test('stays silent for tools that write nothing and other events', () => {
    for (const tool_name of ['Read', 'Grep', 'TodoWrite', 'mcp__fs__write']) {
      assert.equal(answer(event({ file_path: `${PROJECT}/a.ts` }, { tool_name })), undefined);
    }
    for (const hook_event_name of ['PostToolUse', 'PostToolBatch', 'Stop']) {
      assert.equal(answer(event({ command: 'ls' }, { hook_event_name })), undefined);
    }
    assert.equal(answer(event({ ws: { url: 'wss://localhost' } }, { tool_name: 'Monitor' })), undefined);
  });

  test('wraps what Monitor runs', () => {
    const told = answer(event({ command: 'tail -f log', timeout_ms: 5 }, { tool_name: 'Monitor' }));
    const updated = told?.hookSpecificOutput?.updatedInput;
    assert.deepEqual(updated, { command: `'${PROGRAM}' run -c 'tail -f log'`, timeout_ms: 5 });
  });

  test('denies built-in tools that write files, and says what is staged', () => {
    for (const tool_name of ['Write', 'Edit', 'NotebookEdit']) {
      const told = answer(event({ file_path: `${PROJECT}/a.ts` }, { tool_name }))?.hookSpecificOutput;
      assert.equal(told?.permissionDecision, 'deny');
      assert.match(told?.permissionDecisionReason ?? '', /a\.ts\) was not carried out.* shell command/);
    }
    assert.equal(answer(event({ file_path: '/srv/x' }, { tool_name: 'Write', cwd: '/srv' })), undefined, 'no session');
  });

  test('lets Claude Code write its own plans and memory, and nothing beside them', () => {
    const home = join(homedir(), '.claude');
    const scratchpad_dir = '/tmp/claude-0/scratchpad';
    const write = (file_path: string): Answer | undefined =>
      answer(event({ file_path }, { tool_name: 'Write', scratchpad_dir }));
    for (const path of [`${home}/plans/a.md`, `${home}/projects/-p/memory/m.md`, `${scratchpad_dir}/s`]) {
      assert.equal(write(path), undefined, path);
    }
    for (const path of [
      `${home}/settings.json`,
      `${home}/plans/../settings.json`,
      `${home}/projects/-p/x.jsonl`,
      `${scratchpad_dir}2/s`,
      `${scratchpad_dir}/../s`,
    ]) {
      assert.equal(write(path)?.hookSpecificOutput?.permissionDecision, 'deny', path);
    }
  });

  test('denies a shell call that it cannot understand', () => {
    const broken = [
      event({}),
      event({ command: 42 }),
      event({ command: null }),
      event({}, { tool_input: 'ls' }),
      event({}, { tool_input: [] }),
      event({ command: 'ls' }, { cwd: undefined }),
    ];
    for (const input of [
      ...broken,
      '',
      ' ',
      '{',
      'null',
      '[]',
      '"text"',
      '\u0000',
      event({ command: 'ls' }, { hook_event_name: 42 }),
      event({ command: 'ls' }, { tool_name: undefined }),
      event({ command: 'ls' }).slice(0, -9),
    ]) {
      const told = answer(input)?.hookSpecificOutput;
      assert.equal(told?.permissionDecision, 'deny', input);
      assert.match(told?.permissionDecisionReason ?? '', /^yolofs: this hook cannot stage the call: /);
    }
  });

  test('puts a command beyond 100 KiB into a private file that is gone once taken', () => {
    const command = `cat <<'END'\n${"it's long\n".repeat(20_000)}END`;
    const text = rewritten(command);
    assert.ok(text.length < 300, `${text.length} characters`);
    const path = /^'\S+' run --command-file '(.+)'$/.exec(text)?.[1] ?? '';
    assert.equal(execFileSync('stat', ['-c', '%a', join(path, '..'), path], { encoding: 'utf8' }), '700\n600\n');
    assert.equal(answer(event({ command: text })), undefined, 'wrapped twice');
    assert.equal(takeCommandFile(path), command);
    assert.equal(existsSync(join(path, '..')), false);
  });
});

describe('takeCommandFile()', () => {
  test('refuses, and does not remove, a file that no hook has left', (t) => {
    const dir = mkdtempSync(join(tmpdir(), 'somebody-else-'));
    t.after(() => rmSync(dir, { recursive: true }));
    const path = join(dir, 'command');
    writeFileSync(path, 'precious');
    assert.equal(takeCommandFile(path), undefined);
    assert.equal(readFileSync(path, 'utf8'), 'precious');
  });

  test('refuses a directory that others can enter', (t) => {
    const dir = mkdtempSync(join(tmpdir(), 'yolofs-command-'));
    t.after(() => rmSync(dir, { recursive: true }));
    chmodSync(dir, 0o755);
    writeFileSync(join(dir, 'command'), 'precious');
    assert.equal(takeCommandFile(join(dir, 'command')), undefined);
  });
});

function unquote(text: string): string {
  const prefix = `'${PROGRAM}' run -c `;
  assert.ok(text.startsWith(prefix), text);
  return execFileSync('sh', ['-c', `printf %s ${text.slice(prefix.length)}`], { encoding: 'utf8' });
}

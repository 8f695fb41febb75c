import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { qwen } from '../../../src/agents/dialects/qwen.ts';
import { askDialect, PROJECT } from './ask-dialect.ts';

/** As Qwen Code 0.15.10 sent it. */
const BASE = {
  session_id: '31474a60-e446-489c-8453-4ae17caecf6b',
  transcript_path: '/home/dev/.qwen/projects/-home-dev-project/chats/31474a60.jsonl',
  cwd: PROJECT,
  timestamp: '2026-11-28T09:16:19.000Z',
};

const INPUT = { command: 'echo hi', description: 'd', directory: `${PROJECT}/sub`, is_background: true };

function event(hook_event_name: string, tool_name: unknown, tool_input: unknown, over: object = {}): object {
  const call = { permission_mode: 'yolo', tool_name, tool_input, tool_use_id: 'toolu_1_a' };
  return { ...BASE, hook_event_name, ...call, ...over };
}

const before = (tool: unknown, input: unknown, over: object = {}): object => event('PreToolUse', tool, input, over);

function reasonOf(input: unknown): string {
  const { json } = askDialect(qwen, input);
  const { permissionDecision, permissionDecisionReason } = json.hookSpecificOutput as Record<string, unknown>;
  assert.equal(permissionDecision, 'deny', JSON.stringify(input));
  return String(permissionDecisionReason);
}

describe('the dialect of Qwen Code', () => {
  test('denies a shell command, which it could not have run elsewhere, and says how it would be', () => {
    assert.match(reasonOf(before('run_shell_command', INPUT)), /'yolofs wrap qwen'/);
    const parsed = qwen.parse(JSON.stringify(before('run_shell_command', INPUT)));
    assert.deepEqual(parsed.kind === 'shell' && parsed.cwd, `${PROJECT}/sub`);
    const elsewhere = before('run_shell_command', { ...INPUT, directory: '/srv/other' });
    assert.deepEqual(askDialect(qwen, elsewhere).json, {}, 'no session there');
  });

  test('denies its file tools with a reason', () => {
    for (const tool of ['write_file', 'edit'])
      assert.match(
        reasonOf(before(tool, { file_path: `${PROJECT}/a.ts`, content: 'x' })),
        new RegExp(`^yolofs: ${tool} \\(${PROJECT}/a\\.ts\\) .*shell`),
      );
  });

  test('after a call tells what it has done by the id of the call, in the name of the event', () => {
    const tool_response = { llmContent: 'Command: echo hi\nOutput: hi', returnDisplay: 'hi' };
    const done = qwen.parse(JSON.stringify(event('PostToolUse', 'run_shell_command', INPUT, { tool_response })));
    const call = { tool: 'run_shell_command', isShell: true, background: true, output: 'hi', call: 'toolu_1_a' };
    assert.deepEqual(done, {
      kind: 'done',
      calls: [{ ...call, command: 'echo hi' }],
      cwd: `${PROJECT}/sub`,
      failed: false,
      session: BASE.session_id,
      name: 'PostToolUse',
    });
    assert.deepEqual(JSON.parse(qwen.render(done, { kind: 'tell', text: '1 added', loud: 'look' }).stdout), {
      systemMessage: 'look',
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: '1 added' },
    });
    const failed = qwen.parse(JSON.stringify(event('PostToolUseFailure', 'edit', {}, { error: 'no such text' })));
    assert.equal(failed.kind === 'done' && failed.failed && failed.calls[0]?.output, 'no such text');
  });

  test('tells at the start of a session, and says nothing to what does not concern it', () => {
    const start = qwen.parse(JSON.stringify({ ...BASE, hook_event_name: 'SessionStart', source: 'startup' }));
    assert.deepEqual(start, { kind: 'start', cwd: PROJECT, name: 'SessionStart' });
    for (const tool of ['read_file', 'glob', 'todo_write', 'web_fetch'])
      assert.deepEqual(askDialect(qwen, before(tool, {})).json, {});
    assert.deepEqual(askDialect(qwen, { ...BASE, hook_event_name: 'Stop' }).json, {});
  });

  test('denies a call that it cannot understand, and only warns after one', () => {
    const broken = [
      ...['', '{', 'null', '[]', '"x"', '\u0000'],
      { ...BASE, tool_name: 'run_shell_command', tool_input: INPUT },
      before('run_shell_command', {}),
      before('run_shell_command', { command: 42 }),
      before('run_shell_command', [INPUT]),
      before('run_shell_command', INPUT, { cwd: undefined }),
      before(undefined, INPUT),
    ];
    for (const input of broken) assert.match(reasonOf(input), /^yolofs: this hook cannot stage the call: /);
    const { json } = askDialect(qwen, event('PostToolUse', 1, INPUT));
    assert.deepEqual(Object.keys(json), ['systemMessage']);
  });
});

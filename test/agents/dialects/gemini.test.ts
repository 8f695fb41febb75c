import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gemini } from '../../../src/agents/dialects/gemini.ts';
import { askDialect, PROGRAM, PROJECT } from './ask-dialect.ts';

const STATE = '/home/dev/.gemini/tmp/project';

/** As Gemini CLI 0.61.0 sent it. */
const BASE = {
  session_id: 'd0a6955b-6e79-420f-89ad-668c934ace60',
  transcript_path: `${STATE}/chats/session-2026-11-22T01-48-d0a6955b.jsonl`,
  cwd: PROJECT,
  timestamp: '2026-11-22T01:48:48.157Z',
};

const INPUT = { command: 'echo hi', description: 'd', dir_path: 'sub', is_background: true, wait_for_previous: true };

function before(tool_name: unknown, tool_input: unknown, over: object = {}): object {
  return { ...BASE, hook_event_name: 'BeforeTool', tool_name, tool_input, ...over };
}

function afterwards(command: string, over: object = {}): string {
  const tool_response = { llmContent: 'Output: hi\nExit Code: 4', returnDisplay: 'hi' };
  const call = { tool_name: 'run_shell_command', tool_input: { ...INPUT, command }, tool_response };
  return JSON.stringify({ ...BASE, hook_event_name: 'AfterTool', ...call, ...over });
}

describe('the dialect of Gemini CLI', () => {
  test('rewrites a shell command and sends the whole input back', () => {
    const { json } = askDialect(gemini, before('run_shell_command', INPUT));
    const tool_input = { ...INPUT, command: `'${PROGRAM}' run -c 'echo hi'` };
    assert.deepEqual(json, { decision: 'allow', hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input } });
  });

  test('has Gemini CLI ask when told so, in the word that it knows', () => {
    const { json } = askDialect(gemini, before('run_shell_command', INPUT), { ask: true });
    assert.equal(json.decision, 'ask');
  });

  test('takes the command to run in the directory that it names', () => {
    const event = gemini.parse(JSON.stringify(before('run_shell_command', INPUT)));
    assert.deepEqual(event.kind === 'shell' && event.cwd, `${PROJECT}/sub`);
    const elsewhere = before('run_shell_command', { ...INPUT, dir_path: '/srv/other' });
    assert.deepEqual(askDialect(gemini, elsewhere).json, {}, 'no session there');
  });

  test('denies its file tools with a reason, except for its own notes of this project', () => {
    for (const tool of ['write_file', 'replace']) {
      const { json } = askDialect(gemini, before(tool, { file_path: 'src/a.ts', content: 'x' }));
      assert.equal(json.decision, 'deny');
      assert.match(String(json.reason), new RegExp(`^yolofs: ${tool} \\(${PROJECT}/src/a\\.ts\\) .*shell`));
    }
    assert.deepEqual(askDialect(gemini, before('write_file', { file_path: `${STATE}/x/plans/p.md` })).json, {});
    for (const file_path of [`${STATE}/../../settings.json`, `${STATE}x/p.md`, STATE, '/home/dev/.gemini/tmp/bin/rg']) {
      assert.equal(askDialect(gemini, before('write_file', { file_path })).json.decision, 'deny', file_path);
    }
    const lie = before('write_file', { file_path: `${PROJECT}/a` }, { transcript_path: `${PROJECT}/chats/x.jsonl` });
    assert.equal(askDialect(gemini, lie).json.decision, 'deny');
  });

  test('knows what a call came to, and gives the summary to the model', () => {
    const event = gemini.parse(afterwards('echo REWRITTEN'));
    assert.deepEqual(event, {
      kind: 'done',
      calls: [{ tool: 'run_shell_command', isShell: true, background: true, output: 'hi', command: 'echo REWRITTEN' }],
      cwd: `${PROJECT}/sub`,
      failed: false,
      session: BASE.session_id,
    });
    assert.deepEqual(JSON.parse(gemini.render(event, { kind: 'tell', text: '1 added', loud: 'look' }).stdout), {
      systemMessage: 'look',
      hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext: '1 added' },
    });
    const failed = gemini.parse(afterwards('x', { tool_response: { error: { message: 'no' } } }));
    assert.equal(failed.kind === 'done' && failed.failed, true);
  });

  test('tells at the start of a session', () => {
    const event = gemini.parse(JSON.stringify({ ...BASE, hook_event_name: 'SessionStart', source: 'startup' }));
    assert.deepEqual(event, { kind: 'start', cwd: PROJECT });
    const { stdout } = gemini.render(event, { kind: 'tell', text: 'staged' });
    const hookSpecificOutput = { hookEventName: 'SessionStart', additionalContext: 'staged' };
    assert.deepEqual(JSON.parse(stdout), { hookSpecificOutput });
  });

  test('says nothing to what does not concern it', () => {
    for (const tool of ['read_file', 'glob', 'mcp_yolofs_diff', 'google_web_search']) {
      assert.deepEqual(askDialect(gemini, before(tool, {})).json, {});
    }
    assert.deepEqual(askDialect(gemini, { ...BASE, hook_event_name: 'BeforeModel', llm_request: {} }).json, {});
  });

  test('denies a call that it cannot understand, and only warns after one', () => {
    const broken = [
      ...['', '{', 'null', '[]', '"x"', '\u0000', afterwards('x').slice(0, -5)],
      { ...BASE, tool_name: 'run_shell_command', tool_input: INPUT },
      before('run_shell_command', {}),
      before('run_shell_command', { command: 42 }),
      before('run_shell_command', [INPUT]),
      before('run_shell_command', INPUT, { cwd: undefined }),
      before(undefined, INPUT),
    ];
    for (const input of broken) {
      const { json } = askDialect(gemini, input);
      assert.equal(json.decision, 'deny', JSON.stringify(input));
      assert.match(String(json.reason), /^yolofs: this hook cannot stage the call: /);
    }
    const { json } = askDialect(gemini, afterwards('x', { tool_name: 1 }));
    assert.deepEqual(Object.keys(json), ['systemMessage']);
  });
});

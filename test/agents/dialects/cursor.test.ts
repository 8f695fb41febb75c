import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cursor } from '../../../src/agents/dialects/cursor.ts';
import { askDialect, PROGRAM, PROJECT } from './ask-dialect.ts';

/** After Cursor's documentation of its hooks; nothing of it was recorded here. */
const BASE = {
  conversation_id: 'c-1',
  generation_id: 'g-1',
  model: 'some-model',
  cursor_version: '3.18.0',
  workspace_roots: [PROJECT],
  user_email: null,
  transcript_path: null,
};
const INPUT = { command: 'npm test', working_directory: 'sub', timeout: 30000 };

function call(hook_event_name: string, tool_name: unknown, tool_input: unknown, over: object = {}): object {
  const agent_message = 'I run the tests.';
  return { ...BASE, hook_event_name, tool_name, tool_input, tool_use_id: 't-1', cwd: PROJECT, agent_message, ...over };
}

describe('the dialect of Cursor', () => {
  test('rewrites a command and sends the whole input back', () => {
    const updated_input = { ...INPUT, command: `'${PROGRAM}' run -c 'npm test'` };
    const { json } = askDialect(cursor, call('preToolUse', 'Shell', INPUT));
    assert.deepEqual(json, { permission: 'allow', updated_input });
    const asked = askDialect(cursor, call('preToolUse', 'Shell', INPUT), { ask: true }).json;
    assert.deepEqual(asked, { permission: 'ask', updated_input });
  });

  test('reads past byte order marks, which Cursor sends on Windows', () => {
    for (const marks of ['\ufeff', '\ufeff\ufeff']) {
      const { json } = askDialect(cursor, `${marks}${JSON.stringify(call('preToolUse', 'Shell', INPUT))}`);
      assert.equal(json.permission, 'allow');
    }
  });

  test('takes the command to run in its own directory, else in the workspace', () => {
    const parsed = (input: object, over: object = {}) =>
      cursor.parse(JSON.stringify(call('preToolUse', 'Shell', input, over)));
    const cwds = [parsed(INPUT), parsed({ command: 'ls' }), parsed({ command: 'ls' }, { cwd: '' })].map(
      (event) => event.kind === 'shell' && event.cwd,
    );
    assert.deepEqual(cwds, [`${PROJECT}/sub`, PROJECT, PROJECT]);
  });

  test('denies its file tools with a reason for the agent and the person', () => {
    for (const tool of ['Write', 'Delete']) {
      const { json } = askDialect(cursor, call('preToolUse', tool, { file_path: `${PROJECT}/a.ts` }));
      assert.equal(json.permission, 'deny');
      assert.match(String(json.agent_message), new RegExp(`^yolofs: ${tool} .*shell`));
      assert.equal(json.user_message, json.agent_message);
    }
    assert.equal(askDialect(cursor, call('preToolUse', 'Write', { unheard: 'of' })).json.permission, 'deny');
  });

  test('gives the summary to the model', () => {
    const event = cursor.parse(JSON.stringify(call('postToolUse', 'Shell', INPUT, { tool_output: '{}' })));
    assert.deepEqual(event, {
      kind: 'done',
      calls: [{ tool: 'Shell', isShell: true, call: 't-1', command: 'npm test' }],
      cwd: `${PROJECT}/sub`,
      failed: false,
      session: 'c-1',
    });
    const { stdout } = cursor.render(event, { kind: 'tell', text: '1 added', loud: 'look' });
    assert.deepEqual(JSON.parse(stdout), { additional_context: 'look\n1 added' });
  });

  test('says nothing to what does not concern it', () => {
    const shell = { ...BASE, hook_event_name: 'beforeShellExecution', command: 'ls', cwd: PROJECT, sandbox: false };
    assert.deepEqual(askDialect(cursor, shell).json, {});
    for (const tool of ['Read', 'Grep', 'MCP:diff']) {
      assert.deepEqual(askDialect(cursor, call('preToolUse', tool, {})).json, {});
    }
  });

  test('denies a call that it cannot understand, and says nothing after one', () => {
    const broken = [
      ...['', '{', 'null', '[]', '\ufeff', '\u0000'],
      { ...BASE, tool_name: 'Shell', tool_input: INPUT },
      call('preToolUse', 'Shell', {}),
      call('preToolUse', 'Shell', JSON.stringify(INPUT)),
      call('preToolUse', 7, INPUT),
      call('preToolUse', 'Shell', INPUT, { cwd: 1, workspace_roots: [2] }),
    ];
    for (const input of broken) {
      assert.equal(askDialect(cursor, input).json.permission, 'deny', JSON.stringify(input));
    }
    assert.deepEqual(askDialect(cursor, call('postToolUse', 'Shell', INPUT, { cwd: 1, workspace_roots: 2 })).json, {});
  });
});

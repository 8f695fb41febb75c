import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { copilot } from '../../../src/agents/dialects/copilot.ts';
import { askDialect, PROGRAM, PROJECT } from './ask-dialect.ts';

/** As Copilot CLI 1.0.102 sent it: no name of the event, no id of the call. */
const BASE = { sessionId: 'ae7d981f-4e50-44f2-b91a-d3c962406ac6', timestamp: 1795312443882, cwd: PROJECT };
const ARGS = { command: 'npm test', description: 'd', mode: 'async', initial_wait: 120 };
const RESULT = { resultType: 'success', textResultForLlm: '\n<shellId: 1 completed with exit code 3>' };

function call(toolName: unknown, toolArgs: unknown, over: object = {}): object {
  return { ...BASE, toolName, toolArgs, ...over };
}

describe('the dialect of Copilot CLI', () => {
  test('rewrites a command and leaves the decision to the person', () => {
    const modifiedArgs = { ...ARGS, command: `'${PROGRAM}' run -c 'npm test'` };
    assert.deepEqual(askDialect(copilot, call('bash', ARGS)).json, { modifiedArgs });
    const asked = askDialect(copilot, call('bash', ARGS), { ask: true }).json;
    assert.equal(asked.permissionDecision, 'ask');
    assert.deepEqual(asked.modifiedArgs, modifiedArgs);
  });

  test('takes arguments that are the JSON text of an object', () => {
    const { json } = askDialect(copilot, call('bash', JSON.stringify(ARGS)));
    assert.deepEqual(json.modifiedArgs, { ...ARGS, command: `'${PROGRAM}' run -c 'npm test'` });
  });

  test('denies its file tools with a reason', () => {
    const path = `${PROJECT}/a.ts`;
    for (const tool of ['create', 'edit', 'str_replace_editor', 'apply_patch']) {
      const { json } = askDialect(copilot, call(tool, { path, file_text: 'x' }));
      assert.equal(json.permissionDecision, 'deny');
      assert.match(String(json.permissionDecisionReason), new RegExp(`^yolofs: ${tool} \\(${path}\\) .*shell`));
    }
    const patch = askDialect(copilot, call('apply_patch', '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch'));
    assert.equal(patch.json.permissionDecision, 'deny');
    assert.deepEqual(askDialect(copilot, call('str_replace_editor', { command: 'view', path })).json, {});
    assert.deepEqual(askDialect(copilot, call('view', { path })).json, {});
  });

  test('gives the summary to the model, also of a command that failed', () => {
    const event = copilot.parse(JSON.stringify(call('bash', ARGS, { toolResult: RESULT })));
    assert.deepEqual(event, {
      kind: 'done',
      calls: [{ tool: 'bash', isShell: true, background: true, command: 'npm test' }],
      cwd: PROJECT,
      failed: false,
      session: BASE.sessionId,
    });
    const { stdout, exit } = copilot.render(event, { kind: 'tell', text: '1 added', loud: 'look' });
    assert.deepEqual([JSON.parse(stdout), exit], [{ additionalContext: 'look\n1 added' }, 0]);
  });

  test('gives it as plain text with exit code 2 after a call that Copilot calls failed', () => {
    const event = copilot.parse(JSON.stringify(call('bash', ARGS, { error: 'Invalid enum value' })));
    assert.equal(event.kind === 'done' && event.failed, true);
    assert.deepEqual(copilot.render(event, { kind: 'tell', text: '1 added' }), { stdout: '1 added', exit: 2 });
    assert.deepEqual(copilot.render(event, { kind: 'pass' }), { stdout: '{}', exit: 0 });
  });

  test('denies what it cannot understand, and events that a configuration names in PascalCase', () => {
    const pascal = { hook_event_name: 'PreToolUse', cwd: PROJECT, tool_name: 'Bash', tool_input: ARGS };
    const broken = [
      ...['', '{', 'null', '[]', '"x"', '\u0000'],
      pascal,
      call('bash', 'not JSON'),
      call('bash', [ARGS]),
      call('bash', { command: 42 }),
      call(undefined, ARGS),
      call('bash', ARGS, { cwd: 1 }),
      BASE,
    ];
    for (const input of broken) {
      const { json } = askDialect(copilot, input);
      assert.equal(json.permissionDecision, 'deny', JSON.stringify(input));
      assert.match(String(json.permissionDecisionReason), /^yolofs: this hook cannot stage the call: /);
    }
    assert.deepEqual(askDialect(copilot, call(undefined, ARGS, { toolResult: RESULT })).json, {});
  });

  test('says nothing to what does not concern it', () => {
    for (const tool of ['grep', 'task', 'read_bash', 'sql', 'yolofs-diff']) {
      assert.deepEqual(askDialect(copilot, call(tool, {})).json, {});
    }
  });

  test('says at the start of a session what is staged', () => {
    const { json } = askDialect(copilot, { ...BASE, source: 'new', initialPrompt: 'x' });
    assert.match(
      String(json.additionalContext),
      /^yolofs: in this session the file changes of shell commands are staged/,
    );
  });
});

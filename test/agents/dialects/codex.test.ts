import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answerEvent, type HookContext } from '../../../src/agents/answer.ts';
import { codex } from '../../../src/agents/dialects/codex.ts';
import type { Answer } from '../../../src/agents/event.ts';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';
import { assertUnderstood } from './codex-schema.ts';

const CONTEXT: HookContext = {
  program: ['/opt/yolofs'],
  ask: false,
  findSession: (cwd) => (cwd.startsWith('/p') ? { project: '/p', isNearest: true } : undefined),
};

/** As the real client sends it. */
const EVENT = {
  session_id: '01a200ed-b2f5-7c70-b83c-af75428e4255',
  turn_id: '01a200ed-b307-7f52-8e74-c23e1bfe97bd',
  transcript_path: '/home/dev/.codex/sessions/2026/11/22/rollout.jsonl',
  cwd: '/p/sub',
  hook_event_name: 'PreToolUse',
  model: 'gpt-5.5',
  permission_mode: 'bypassPermissions',
  tool_name: 'Bash',
  tool_input: { command: 'echo hi > there' },
  tool_use_id: 'call_1',
};
const PATCH =
  '*** Begin Patch\n*** Add File: a b.txt\n+x\n*** Update File: /abs/old\n*** Move to: new\n*** End Patch\n';

function event(change: object = {}): string {
  return JSON.stringify({ ...EVENT, ...change });
}

function answered(input: string): { hookSpecificOutput?: Record<string, unknown>; systemMessage?: string } {
  const { stdout, exit } = codex.render(codex.parse(input), answerEvent(codex.parse(input), CONTEXT));
  assert.equal(exit, 0);
  return JSON.parse(stdout) as object;
}

describe('the dialect of Codex', () => {
  test('allows a shell command as another one, and says no more', () => {
    assert.deepEqual(answered(event()), {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: { command: "'/opt/yolofs' run -c 'echo hi > there'" },
      },
    });
  });

  test('leaves other tools, other events and what is wrapped alone', () => {
    const wrapped = { command: "'/opt/yolofs' run -c 'ls'" };
    for (const change of [
      { tool_name: 'mcp__yolofs__status' },
      { tool_name: 'view_image' },
      { hook_event_name: 'Stop' },
      { hook_event_name: 'PermissionRequest' },
      { tool_input: wrapped },
    ]) {
      assert.deepEqual(answered(event(change)), {}, JSON.stringify(change));
    }
  });

  test('reads the files of a patch, and denies it', () => {
    const patch = event({ tool_name: 'apply_patch', tool_input: { command: PATCH } });
    const read = codex.parse(patch);
    assert.deepEqual(read.kind === 'file' && read.paths, ['/p/sub/a b.txt', '/abs/old', '/p/sub/new']);
    assert.equal(answered(patch).hookSpecificOutput?.permissionDecision, 'deny');
    assert.deepEqual(answered(event({ tool_name: 'apply_patch', cwd: '/elsewhere' })), {});
  });

  test('reads what a call came to, with the command as it ran', () => {
    const command = `PATH="$PATH":'/x/codex-arg0A' '/opt/yolofs' run -c 'apply_patch'`;
    const done = codex.parse(event({ hook_event_name: 'PostToolUse', tool_input: { command }, tool_response: 'x' }));
    assert.ok(done.kind === 'done');
    const call = {
      tool: 'Bash',
      isShell: true,
      output: 'x',
      call: 'call_1',
      command: "'/opt/yolofs' run -c 'apply_patch'",
    };
    assert.deepEqual(done.calls, [call]);
  });

  test('denies a call that it cannot understand', () => {
    for (const input of [
      '',
      '{',
      'null',
      '[]',
      '\u0000',
      event().slice(0, -9),
      event({ tool_input: {} }),
      event({ tool_input: 'ls' }),
      event({ tool_input: { command: 42 } }),
      event({ cwd: null }),
      event({ tool_name: 7 }),
    ]) {
      assert.equal(answered(input).hookSpecificOutput?.permissionDecision, 'deny', input);
    }
  });

  test('says to any input, and for any answer, only what Codex understands', () => {
    fc.assert(
      fc.property(inputs, answers, (input, answer) => {
        const parsed = codex.parse(input);
        const name = parsed.name ?? 'PreToolUse';
        for (const one of [answerEvent(parsed, CONTEXT), answer]) {
          const { stdout, exit } = codex.render(parsed, one);
          assertUnderstood(stdout, name);
          assert.equal(exit, 0);
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});

const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('/p', 'ls', PATCH, 'apply_patch'));
const reason = text.map((some) => `yolofs: ${some}`);

const answers: fc.Arbitrary<Answer> = fc.oneof(
  fc.record({ kind: fc.constant('pass' as const) }),
  fc.record({ kind: fc.constant('pass' as const), loud: text }),
  fc.record({ kind: fc.constant('deny' as const), reason }),
  fc.record({ kind: fc.constant('rewrite' as const), command: text, ask: fc.boolean() }),
  fc.record({ kind: fc.constant('tell' as const), text, loud: text }),
);

/** Half of them are near to what the client sends. */
const inputs = fc.oneof(
  text,
  fc.json(),
  fc
    .record(
      {
        hook_event_name: fc.oneof(
          fc.constantFrom('PreToolUse', 'PostToolUse', 'SessionStart', 'Stop', 'PreCompact', 'constructor'),
          fc.jsonValue(),
        ),
        tool_name: fc.oneof(fc.constantFrom('Bash', 'apply_patch', 'Write', '__proto__'), fc.jsonValue()),
        tool_input: fc.oneof(fc.record({ command: fc.oneof(text, fc.jsonValue()) }), fc.jsonValue()),
        cwd: fc.oneof(fc.constantFrom('/p', '/p/sub', '/', '', '\u0000'), fc.jsonValue()),
        tool_use_id: fc.oneof(text, fc.jsonValue()),
        session_id: fc.oneof(text, fc.jsonValue()),
        permission_mode: fc.oneof(fc.constantFrom('plan', 'default'), fc.jsonValue()),
      },
      { requiredKeys: [] },
    )
    .map((fields) => JSON.stringify(fields)),
);

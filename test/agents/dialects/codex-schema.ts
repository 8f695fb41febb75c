/**
 * What Codex 0.169 takes from a hook, written by hand from what the real client did with each answer: an object with
 * any other field, or of another shape, counts as no answer at all.
 */
import assert from 'node:assert/strict';

type Json = Record<string, unknown>;

const CONTEXT = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PreToolUse'];

/** Fails unless `text` is one JSON object that Codex understands as an answer to event `name`. */
export function assertUnderstood(text: string, name: string): Json {
  const answer = JSON.parse(text) as Json;
  assertFields(answer, ['systemMessage', 'hookSpecificOutput']);
  if ('systemMessage' in answer) assert.equal(typeof answer.systemMessage, 'string');
  const output = answer.hookSpecificOutput as Json | undefined;
  if (output === undefined) return answer;
  assert.equal(output.hookEventName, name);
  assert.ok(CONTEXT.includes(name), `${name} has no output of its own`);
  if (name === 'PreToolUse') assertDecision(output);
  else assertFields(output, ['hookEventName', 'additionalContext']);
  if ('additionalContext' in output) assert.equal(typeof output.additionalContext, 'string');
  return answer;
}

function assertDecision(output: Json): void {
  assertFields(output, [
    'hookEventName',
    'permissionDecision',
    'permissionDecisionReason',
    'updatedInput',
    'additionalContext',
  ]);
  const { permissionDecision: decision, permissionDecisionReason: reason, updatedInput } = output;
  if (decision === 'deny') {
    assert.ok(typeof reason === 'string' && reason.trim() !== '', 'a denial needs a reason');
    assert.equal(updatedInput, undefined);
  } else if (decision === 'allow') {
    assert.equal(typeof (updatedInput as Json | undefined)?.command, 'string', 'to allow needs a new command');
  } else {
    assert.equal(decision, undefined, 'there is no other decision');
    assert.equal(updatedInput, undefined);
  }
}

function assertFields(value: Json, known: readonly string[]): void {
  for (const field of Object.keys(value)) assert.ok(known.includes(field), `unknown field ${field}`);
}

/** `withRule()`: a rule that is written into a file leaves all else of it as it was. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withRule } from '../../../src/rules/config/edit.ts';

function edited(text: string): string {
  return withRule(text, '/new', 'deny', ['/new']);
}

test('withRule() makes the table where a file has none, with one blank line before it', () => {
  assert.equal(edited(''), '[rules]\n"/new" = "deny"\n');
  assert.equal(edited('[session]\n'), '[session]\n\n[rules]\n"/new" = "deny"\n');
  assert.equal(edited('# no end of line'), '# no end of line\n\n[rules]\n"/new" = "deny"\n');
});

test('withRule() changes the state of a rule that is there, and nothing around it', () => {
  const text = '# mine\n[rules]\n"/old" = "ask" # why\n  "/new"   = \'allow\' # because\n\n[session]\n';
  assert.equal(edited(text), text.replace("'allow'", '"deny"'));
});

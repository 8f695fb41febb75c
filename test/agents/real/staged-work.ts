/** What a real agent is told to do in tests of hooks, and what must have come of it: the same work for agents with `bash`. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '../../support/session.ts';
import type { ToolCall, Turn } from '../model-servers/script.ts';

export function bash(id: string, command: string): ToolCall {
  return { id, tool: 'bash', input: { command, description: 'for the test' } };
}

/** One call that changes and removes and fails, two at once, and then `others`, which write by the agent's own tools. */
export function work(...others: readonly ToolCall[]): Turn[] {
  return [
    { text: 'First.', calls: [bash('one', "echo it\\'s >> hello.txt; rm multi.txt; echo said; echo not >&2; exit 3")] },
    { calls: [bash('left', 'echo l > left.txt; cat left.txt'), bash('right', 'echo r > right.txt; cat right.txt')] },
    { calls: others },
    { text: 'Done.' },
  ];
}

/** Staged is what the commands did, and real is nothing. */
export async function assertOnlyStaged(s: Session): Promise<void> {
  assert.deepEqual((await s.changeLines()).sort(), [
    'added left.txt',
    'added right.txt',
    'deleted multi.txt',
    'modified hello.txt',
  ]);
  assert.equal(readFileSync(join(s.project, 'hello.txt'), 'utf8'), 'base content\n');
  assert.equal(readFileSync(join(s.project, 'multi.txt'), 'utf8'), 'line1\nline2\n');
  for (const name of ['left.txt', 'right.txt', 'written.txt']) assert.equal(existsSync(join(s.project, name)), false);
  assert.equal(await s.sh('cat hello.txt'), "base content\nit's\n");
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blameRanges } from '../../src/page/server/model/blame.ts';

const step = (text: string, generation: number): Parameters<typeof blameRanges>[1][number] => ({
  ...{ text, generation },
  command: `command ${generation}`,
});

test('a line belongs to the command that wrote it last, also when others move it', () => {
  const steps = [step('a\nB\nc\n', 1), step('new\na\nB\nc\n', 2), step('new\na\nB\nC\nd\n', 3)];
  assert.deepEqual(blameRanges('a\nb\nc\n', steps), [
    { start: 1, count: 1, generation: 2, command: 'command 2' },
    { start: 3, count: 1, generation: 1, command: 'command 1' },
    { start: 4, count: 2, generation: 3, command: 'command 3' },
  ]);
  assert.deepEqual(blameRanges('', [step('x\n', 1), step('', 2)]), []);
  assert.deepEqual(blameRanges('a\n', [step('b\n', 1), step('a\n', 2)]), [
    { start: 1, count: 1, generation: 2, command: 'command 2' },
  ]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownersOf } from '../../src/history/past/line-owners.ts';

function owners(...texts: readonly string[]): ReturnType<typeof ownersOf<number>> {
  const [before = [], ...steps] = texts.map((text) => text.split(' ').filter((line) => line !== ''));
  return ownersOf(
    before,
    steps.map((lines, index) => ({ lines, by: index + 1 })),
  );
}

test('a line belongs to the step that wrote it last, also when others move it', () => {
  assert.deepEqual(owners('a b c', 'a B c', 'new a B c', 'new a B C d'), {
    added: [2, undefined, 1, 3, 3],
    removed: [undefined, 1, 3],
  });
  assert.deepEqual(owners('', 'x', ''), { added: [], removed: [] });
  assert.deepEqual(owners('a', 'b', 'a'), { added: [2], removed: [1] });
  assert.deepEqual(owners('a b'), { added: [undefined, undefined], removed: [undefined, undefined] });
});

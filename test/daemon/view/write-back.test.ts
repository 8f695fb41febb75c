/** What happens once the kernel has sent all that it holds; the kernel and the FUSE thread are played. */
import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Packed } from '../../../src/daemon/view/invalidate.ts';
import { storeAll, type WrittenView } from '../../../src/daemon/view/write-back.ts';
import { type Errno, ESTALE } from '../../../src/sys/errno.ts';

/** `forget`: what the FUSE thread says that the kernel must forget; `done`: what came of it, in its order. */
function viewOf(t: TestContext, forget: readonly Packed[], errno?: Errno): { view: WrittenView; done: string[] } {
  const done: string[] = [];
  const first = openSync('/', 'r');
  t.after(() => closeSync(first));
  const played = {
    holder: { roots: { first, second: undefined } },
    worker: { order: async () => ({ forget, paths: [], more: 0, ...(errno === undefined ? {} : { errno }) }) },
    notifiers: new Map([[5, { many: async () => void done.push('forgotten') }]]),
    echo: { run: () => void done.push('made in the view') },
    files: { project: '/p' },
  };
  return { view: played as unknown as WrittenView, done };
}

test('nobody is told that something was not stored when the view has been stopped meanwhile', async (t) => {
  const { view, done } = viewOf(t, []);
  Object.assign(view.holder, { roots: undefined });
  for (const mode of ['tolerant', 'telling', 'strict'] as const)
    await assert.rejects(storeAll(view, mode), { message: 'the view has ended' });
  assert.deepEqual(done, []);
});

const SOMETHING: readonly Packed[] = [{ device: 5, messages: Uint8Array.of(1) }];

test('D1: what a copy-up has found changed outside is made in the view, also where the order that came with it is refused', async (t) => {
  // Else who has it open, or looks it up, has new content up to the old size.
  for (const mode of ['tolerant', 'telling', 'strict'] as const) {
    const { view, done } = viewOf(t, SOMETHING);
    await storeAll(view, mode);
    assert.deepEqual(done, ['forgotten', 'made in the view'], mode);
  }
  const refused = viewOf(t, SOMETHING, ESTALE);
  await assert.rejects(storeAll(refused.view, 'strict'), /ESTALE/);
  assert.deepEqual(refused.done, ['forgotten', 'made in the view']);
  const nothing = viewOf(t, [{ device: 5, messages: new Uint8Array() }]);
  await storeAll(nothing.view, 'tolerant');
  assert.deepEqual(nothing.done, []);
});

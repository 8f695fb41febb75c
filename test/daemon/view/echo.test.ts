/** Rounds of what is made in the view, with the kernel, the init and the FUSE thread played. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Echo } from '../../../src/daemon/view/echo.ts';
import type { ServedView } from '../../../src/daemon/view/served-view.ts';
import type { NodeId } from '../../../src/sys/bytes.ts';

test('D1: what is to be made while a round fails is made in the next one', async () => {
  const made: string[] = [];
  let isDone = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    isDone = resolve;
  });
  const answers: Readonly<Record<string, object>> = {
    echo: { steps: [{ how: 'touched', path: '/f', more: [] }], more: false },
    echoed: { forget: [{ device: 5, messages: Uint8Array.of(1) }] },
  };
  const many = async (): Promise<void> => {
    if (made.length > 1) return isDone();
    echo.run();
    throw new Error('the kernel refuses');
  };
  const played = {
    worker: { order: async (name: string) => answers[name] ?? {} },
    holder: { pid: process.pid, echo: async (lines: string) => void made.push(lines) },
    notifiers: new Map([[5, { many }]]),
  };
  const echo = new Echo(played as unknown as ServedView);
  // Its pauses keep no process alive.
  const alive = setInterval(() => undefined, 1000);
  echo.run();
  await done;
  clearInterval(alive);
  assert.deepEqual(made.slice(0, 2), ['touched 2f66\n', 'touched 2f66\n']);
});

test('whoever starts waits until the thread has looked outside, and the kernel has forgotten what was found there', async () => {
  const order: string[] = [];
  let tellForgotten = (): void => undefined;
  const forgotten = new Promise<void>((resolve) => {
    tellForgotten = resolve;
  });
  const played = {
    worker: {
      order: async (name: string) => {
        order.push(name);
        if (name === 'lookOutside') echo.forgetter.forget([{ kind: 'inode', nodeId: 7 as NodeId }]);
        return name === 'echo' ? { steps: [], more: false } : {};
      },
    },
    holder: { pid: process.pid, echo: undefined },
    notifiers: new Map([[5, { invalInode: () => forgotten }]]),
  };
  const echo = new Echo(played as unknown as ServedView);
  const started = echo.idle().then(() => order.push('started'));
  // Longer than anybody waits for what is made.
  await sleep(300);
  order.push('forgotten');
  tellForgotten();
  await started;
  assert.deepEqual(order, ['lookOutside', 'forgotten', 'started']);
});

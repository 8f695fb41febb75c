/** Output to a reader that takes its time, over a socket, as programs that start `yolofs` give it one: it must be complete. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { session } from '../support/session.ts';

const FIRST = 2000;
/** A quarter of what is written in one piece: in one of four runs the last piece is a small one, which nothing waits for. */
const MORE = 60;

test('status --json is complete for a reader that is slower than the command', async (t) => {
  const s = await session(t);
  const long = 'x'.repeat(180);
  for (let files = FIRST, made = 0; files <= FIRST + 4 * MORE; made = files, files += MORE) {
    await s.sh(`i=${made}; while [ $i -lt ${files} ]; do : > ${long}$i; i=$((i+1)); done`);
    const said = await s.succeed(['status', '--json'], { onStdout: () => waitBusily(10) });
    const { changes } = JSON.parse(said) as { changes: unknown[] };
    assert.equal(changes.length, files);
  }
});

/** Keeps this process from reading on. */
function waitBusily(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

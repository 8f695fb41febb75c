/** `GateLog`: no refusal is lost, and nobody who loops floods the journal. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Ticket } from '../../../src/fuse/filesystem.ts';
import { GateLog } from '../../../src/rules/gate-log.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';

const CALLER = { uid: 0, gid: 0, pid: 7, ticket: 0 as Ticket };

/** With a clock that goes only where it is said. */
interface Refuser {
  refuse(path: string): void;
  flush(): void;
  lines(): string[];
  wait(ms: number): void;
}

function refuser(t: TestContext): Refuser {
  let now = 60_000;
  t.mock.method(performance, 'now', () => now);
  const lines: string[] = [];
  const log = new GateLog((tag, fields, pid) => lines.push([tag, ...fields, pid].join(' ')));
  return {
    refuse: (path) =>
      log.refused({ access: 'read', op: 'open', path: path as BytePath, state: 'deny', pattern: '/s' }, CALLER),
    flush: () => log.flush(),
    lines: () => lines.splice(0),
    wait: (ms) => {
      now += ms;
    },
  };
}

test('take() writes the first refusal of a path at once, and later ones once, as a number', (t) => {
  const { refuse, flush, lines } = refuser(t);
  refuse('/s/a');
  assert.deepEqual(lines(), ['G refused read open /s/a deny /s 1 7']);
  flush();
  assert.deepEqual(lines(), [], 'nothing is held back yet');
  refuse('/s/a');
  assert.deepEqual(lines(), []);
  flush();
  assert.deepEqual(lines(), ['G refused read open /s/a deny /s 1 7']);
  for (let i = 0; i < 3; i++) refuse('/s/a');
  refuse('/s/b');
  flush();
  flush();
  assert.deepEqual(lines(), ['G refused read open /s/b deny /s 1 7', 'G refused read open /s/a deny /s 3 7']);
});

test('take() names fifty paths of one rule, and counts the refusals of all others together', (t) => {
  const { refuse, flush, lines } = refuser(t);
  for (let i = 0; i < 60; i++) refuse(`/s/${i}`);
  const named = lines();
  assert.equal(named.length, 51);
  assert.equal(named[49], 'G refused read open /s/49 deny /s 1 7');
  assert.equal(named[50], 'G refused read open /s/50 deny /s 1 7');
  flush();
  assert.deepEqual(lines(), ['G refused read open /s/50 deny /s 9 7']);
});

test('take() tells what it held back when a while is over, and begins to name paths anew', (t) => {
  const { refuse, lines, wait } = refuser(t);
  for (let i = 0; i < 60; i++) refuse(`/s/${i}`);
  lines();
  wait(10_000);
  refuse('/s/new');
  const told = 'G refused read open /s/50 deny /s 9 7';
  assert.deepEqual(lines(), [told, 'G refused read open /s/new deny /s 1 7']);
  refuse('/s/0');
  assert.deepEqual(lines(), ['G refused read open /s/0 deny /s 1 7']);
});

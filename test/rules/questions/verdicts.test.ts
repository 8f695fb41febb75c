/** `Verdicts`: what was decided holds for the request that waited, leave to change a path a moment longer, for few threads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ticket } from '../../../src/fuse/filesystem.ts';
import { Verdicts } from '../../../src/rules/questions/verdicts.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';

const PATH = '/p/file' as BytePath;
const MOST_THREADS = 4096;

function thread(pid: number, ticket: number): { pid: number; ticket: Ticket } {
  return { pid, ticket: ticket as Ticket };
}

test('of() answers the request that waited, and no other of that thread but for leave to change, for a moment', () => {
  let now = 0;
  const verdicts = new Verdicts(() => now);
  verdicts.note(thread(1, 1), { access: 'read', path: PATH }, true);
  verdicts.note(thread(2, 2), { access: 'write', path: PATH }, true);
  verdicts.note(thread(3, 3), { access: 'write', path: PATH }, false);
  assert.equal(verdicts.of(thread(1, 1), 'read', PATH), true);
  assert.equal(verdicts.of(thread(1, 1), 'write', PATH), undefined);
  assert.equal(verdicts.of(thread(1, 9), 'read', PATH), undefined);
  assert.equal(verdicts.of(thread(2, 2), 'read', PATH), true, 'who may change it may read it');
  assert.equal(verdicts.of(thread(3, 3), 'write', PATH), false);
  assert.equal(verdicts.of(thread(3, 3), 'read', PATH), undefined);
  now = 1999;
  assert.equal(verdicts.of(thread(2, 9), 'write', PATH), true);
  assert.equal(verdicts.of(thread(3, 9), 'write', PATH), undefined);
  now = 2000;
  assert.equal(verdicts.of(thread(2, 9), 'write', PATH), undefined);
  assert.equal(verdicts.of(thread(2, 2), 'write', PATH), true);
});

test('note() forgets the thread that was decided for the longest time ago', () => {
  const verdicts = new Verdicts(() => 0);
  for (let pid = 1; pid <= MOST_THREADS; pid++) verdicts.note(thread(pid, pid), { access: 'read', path: PATH }, true);
  verdicts.note(thread(1, 1), { access: 'read', path: '/p/other' as BytePath }, false);
  verdicts.note(thread(MOST_THREADS + 1, 1), { access: 'read', path: PATH }, true);
  assert.equal(verdicts.of(thread(1, 1), 'read', PATH), true, 'decided again since');
  assert.equal(verdicts.of(thread(1, 1), 'read', '/p/other' as BytePath), false);
  assert.equal(verdicts.of(thread(2, 2), 'read', PATH), undefined);
  assert.equal(verdicts.of(thread(3, 3), 'read', PATH), true);
});

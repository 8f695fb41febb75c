/** `PendingRules`: who asks about what a rule on its way will decide is held until it is there, and no longer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ticket } from '../../../src/fuse/filesystem.ts';
import { PendingRules } from '../../../src/rules/questions/pending-rules.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';

const DIR = '/p/box' as BytePath;
const FILE = '/p/box/file' as BytePath;

function ticket(number: number): Ticket {
  return number as Ticket;
}

test('a request is held while a rule about its path is on its way, and comes back once with its end', () => {
  const rules = new PendingRules(() => 0);
  assert.equal(rules.holds(FILE, ticket(1)), false);
  rules.begin(DIR);
  assert.deepEqual([rules.holds(FILE, ticket(1)), rules.holds('/p/boxes' as BytePath, ticket(2))], [true, false]);
  assert.deepEqual(rules.end(DIR), [1]);
  assert.equal(rules.size, 0);
  assert.equal(rules.holds(FILE, ticket(3)), false);
  assert.equal(rules.left, -1);
});

test('two answers for one path are two rules, and one that does not come is given up', () => {
  let now = 0;
  const rules = new PendingRules(() => now);
  rules.begin(DIR);
  rules.begin(DIR);
  assert.equal(rules.holds(FILE, ticket(1)), true);
  assert.deepEqual(rules.end(DIR), [1]);
  assert.equal(rules.holds(FILE, ticket(2)), true);
  assert.deepEqual(rules.expire(), []);
  now = rules.left;
  assert.deepEqual(rules.expire(), [2]);
  assert.equal(rules.holds(FILE, ticket(3)), false);
});

/** `WithoutHidden`: a listing leaves names out, and what the kernel does not get to know is not held for it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DirectorySink, Entry } from '../../../src/fuse/filesystem.ts';
import { WithoutHidden } from '../../../src/rules/hidden.ts';
import type { Ino, Name, NodeId } from '../../../src/sys/bytes.ts';

test('add() leaves out what is hidden, and gives its reference back', () => {
  const [shown, forgotten]: [string[], unknown[]] = [[], []];
  const sink: DirectorySink = { fits: () => true, add: (name) => shown.push(name) };
  const listing = new WithoutHidden(sink, 1 as NodeId, {
    hides: (_dir, name) => name !== 'seen',
    forget: (nodeId, lookups) => forgotten.push([nodeId, lookups]),
  });
  const entry = { nodeId: 7 as NodeId } as Entry;
  for (const name of ['.', '..', 'seen', 'secret']) listing.add(name as Name, 5 as Ino, 8, 1, entry);
  listing.add('plain' as Name, 6 as Ino, 8, 2);
  assert.deepEqual(shown, ['.', '..', 'seen']);
  assert.deepEqual(forgotten, [[7, 1]]);
});

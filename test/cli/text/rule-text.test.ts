import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteJson } from '../../../src/cli/text/rule-text.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';

test('noteJson() has text for everything that is bytes', () => {
  const bytes = Buffer.from('/tür').toString('latin1') as BytePath;
  const said = { outcome: 'denied', access: 'read', op: 'open', state: 'ask', times: 1 } as const;
  const json = noteJson({ ...said, path: bytes, pattern: bytes, by: bytes, always: bytes });
  assert.deepEqual(json, { ...said, path: '/tür', pattern: '/tür', by: '/tür', always: '/tür' });
});

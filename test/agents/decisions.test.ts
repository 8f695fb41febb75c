/** What a person decided is noted for the agent; where it cannot be, nothing else fails. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { noteDecision, takeDecisions } from '../../src/agents/decisions.ts';

test('a decision is told once, and one that cannot be noted fails nothing', () => {
  const root = mkdtempSync(join(tmpdir(), 'yolofs-decisions-'));
  try {
    const [calls, agents] = [join(root, 'calls'), join(root, 'agents')];
    noteDecision({ calls, agents }, 'nobody has a hook');
    assert.deepEqual(takeDecisions({ calls }), []);
    mkdirSync(agents);
    noteDecision({ calls, agents }, 'the person discarded 1 hunk');
    assert.deepEqual(takeDecisions({ calls }), ['yolofs: the person discarded 1 hunk']);
    assert.deepEqual(takeDecisions({ calls }), []);
    const notes = Array.from({ length: 12 }, (_, index) => `the person says of line ${index}`);
    for (const note of notes) noteDecision({ calls, agents }, note);
    assert.deepEqual(takeDecisions({ calls }).sort(), notes.map((note) => `yolofs: ${note}`).sort());
    const file = join(root, 'file');
    writeFileSync(file, 'in its place');
    noteDecision({ calls: file, agents }, 'it cannot be noted');
    assert.equal(readFileSync(file, 'utf8'), 'in its place');
  } finally {
    rmSync(root, { recursive: true });
  }
});

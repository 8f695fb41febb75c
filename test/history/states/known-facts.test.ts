import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import { netChanges } from '../../../src/history/diff/changes.ts';
import { Facts, KnownFacts } from '../../../src/history/diff/facts.ts';
import { type StagedProject, withProject } from '../projects/staged-project.ts';

function lines(p: StagedProject, facts: Facts): string[] {
  const { tree, base, store } = p.view;
  return [...netChanges({ tree, base, store, facts })].map((change) => p.line(change));
}

test('several listings with one KnownFacts speak of the contents as the first has found them', () =>
  withProject({ same: 'abc', other: 'abc' }, (p) => {
    p.write('same', 'abc').write('other', 'abd');
    const { base, store } = p.view;
    const known = new Facts(base, store, new KnownFacts());
    assert.deepEqual(lines(p, known), ['modified file other']);
    fs.writeFileSync(p.at('same'), 'abd');
    fs.writeFileSync(p.at('other'), 'abd');
    assert.deepEqual(lines(p, known), ['modified file other']);
    assert.deepEqual(lines(p, new Facts(base, store)), ['modified file same']);
    assert.deepEqual(lines(p, new Facts(base, store, new KnownFacts())), ['modified file same']);
  }));

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import { factsOfNow, planCommit, reviewOf } from '../../../src/history/commit/plan.ts';
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

test('what is told of a plan speaks of the contents as the plan has found them', () =>
  withProject({ tool: 'abc', other: 'abc' }, (p) => {
    fs.chmodSync(p.at('tool'), 0o755);
    p.takeStock().write('tool', 'abc').write('other', 'abd');
    const { tree, base, store } = p.view;
    const options = { tree, base, store, project: p.at(''), facts: factsOfNow(p.view) };
    const plan = planCommit({ ...options, log: p.nextLog() });
    assert.ok('steps' in plan);
    fs.writeFileSync(p.at('tool'), 'abd');
    const told = (facts: Facts): unknown => reviewOf(plan, { ...options, facts }).notices.map(({ kind }) => kind);
    assert.deepEqual([plan.changes, told(options.facts), told(factsOfNow(p.view))], [1, [], ['executable']]);
  }));

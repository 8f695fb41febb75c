/** Net changes between two states: against the base they are those of changes.ts; between any two, a judge compares trees. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import fc from 'fast-check';
import type { PathChange } from '../../src/history/changes.ts';
import { stateChanges } from '../../src/history/states/changes.ts';
import { OverrideTree } from '../../src/staging/override-tree.ts';
import { NativeTwin, type Operations } from './native-twin.ts';
import { BASE, isPossible, type Op, op, perform } from './random-operations.ts';
import { StagedProject } from './staged-project.ts';

const numRuns = Number(process.env.YOLOFS_MODEL_RUNS ?? 100);

function sinceBase(p: StagedProject, expand: boolean): PathChange[] {
  const { tree, base, store } = p.view;
  return [...stateChanges({ before: new OverrideTree(), after: tree, base, store, expand })];
}

function compareOnce(ops: readonly Op[]): void {
  const p = new StagedProject();
  try {
    p.base(BASE);
    const twin = new NativeTwin(p.view.dir);
    for (const op of ops) {
      if (!isPossible(twin.dir, op)) continue;
      perform(twin, op);
      perform(p as unknown as Operations, op);
    }
    for (const expand of [false, true]) {
      assert.deepEqual(
        sinceBase(p, expand).map((change) => p.line(change)),
        p.lines({ expand }),
      );
    }
  } finally {
    fs.rmSync(`${p.view.dir}-twin`, { recursive: true, force: true });
    p.close();
  }
}

test('stateChanges() against the base equals netChanges()', () => {
  fc.assert(fc.property(fc.array(op, { maxLength: 25 }), compareOnce), { numRuns, includeErrorInReport: true });
});

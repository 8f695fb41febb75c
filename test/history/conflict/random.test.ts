/**
 * Random work in the view, then one change outside: either the commit is refused, or what was written outside is
 * somewhere in the base afterwards. Nobody's work is ever lost without a word.
 */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { applyPlan, CommitError } from '../../../src/history/commit/commit.ts';
import { planCommit } from '../../../src/history/commit/plan.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';
import { replayedTree } from '../commit/cases.ts';
import { NativeTwin, type Operations } from '../projects/native-twin.ts';
import { BASE, isPossible, type Op, op, perform } from '../projects/random-operations.ts';
import { StagedProject } from '../projects/staged-project.ts';

const MARKER = 'written outside';

interface Outside {
  readonly how: 'append' | 'overwrite' | 'replace' | 'new';
  /** Of all files, or directories, there are. */
  readonly which: number;
}

const outside: fc.Arbitrary<Outside> = fc.record({
  how: fc.constantFrom('append', 'overwrite', 'replace', 'new'),
  which: fc.nat(100),
});

function paths(dir: string, wanted: (stat: fs.Stats) => boolean): string[] {
  const names = fs.readdirSync(dir, { recursive: true }) as string[];
  return [dir, ...names.map((name) => join(dir, name))].filter((path) => wanted(fs.lstatSync(path))).sort();
}

function change(dir: string, { how, which }: Outside): void {
  const all = paths(dir, (stat) => (how === 'new' ? stat.isDirectory() : stat.isFile()));
  const path = all[which % all.length] as string;
  if (how === 'append') fs.appendFileSync(path, MARKER);
  else if (how === 'overwrite') fs.writeFileSync(path, MARKER);
  else if (how === 'new') fs.writeFileSync(join(path, 'c-d'), MARKER);
  else {
    fs.writeFileSync(`${dir}-tmp`, MARKER);
    fs.renameSync(`${dir}-tmp`, path);
  }
}

function isKept(dir: string): boolean {
  return paths(dir, (stat) => stat.isFile()).some((path) => fs.readFileSync(path, 'utf8').includes(MARKER));
}

const seen = { refused: 0, kept: 0 };

async function play(ops: readonly Op[], edit: Outside, restarted: boolean): Promise<void> {
  const p = new StagedProject();
  try {
    p.base(BASE);
    p.native((dir) => fs.linkSync(`${dir}/c`, `${dir}/b/a-b`));
    const twin = new NativeTwin(p.view.dir);
    for (const op of ops) {
      if (!isPossible(twin.dir, op)) continue;
      perform(twin, op);
      perform(p as unknown as Operations, op);
    }
    const { base, store, dir } = p.view;
    const tree = restarted ? replayedTree(p) : p.view.tree;
    p.native((root) => change(root, edit));
    const plan = planCommit({ tree, base, store, project: `${dir}/nowhere` as BytePath, log: p.nextLog() });
    assert.ok(!('problems' in plan), JSON.stringify(plan));
    if ('conflicts' in plan) {
      seen.refused += 1;
      return;
    }
    const applied = await applyPlan(plan, { sync: false });
    assert.ok(!(applied instanceof CommitError), String(applied));
    fs.rmSync(plan.log, { recursive: true, force: true });
    seen.kept += 1;
    assert.ok(isKept(dir), 'what was written outside is gone');
  } finally {
    p.close();
  }
}

test('commit after random work and a change outside loses nothing of either', async () => {
  const numRuns = runs(200);
  await fc.assert(
    fc.asyncProperty(fc.array(op, { minLength: 10, maxLength: 40, size: 'max' }), outside, fc.boolean(), play),
    {
      numRuns,
    },
  );
  assert.ok(seen.refused > numRuns / 20 && seen.kept > numRuns / 20, JSON.stringify(seen));
});

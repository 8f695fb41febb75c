/** Commits a part of what a StagedProject has staged, as the daemon does, and checks what it leaves. */
import assert from 'node:assert/strict';
import { removeTree } from '../../../src/history/commit/apply/remove-tree.ts';
import { applyPlan, CommitError } from '../../../src/history/commit/commit.ts';
import { describePlan } from '../../../src/history/commit/plan.ts';
import { type CommitSelection, selectForCommit } from '../../../src/history/commit/select/selection.ts';
import { Facts } from '../../../src/history/diff/facts.ts';
import { checkpointOf, dateContent } from '../../../src/history/timeline/checkpoint/checkpoint.ts';
import { Replayer } from '../../../src/history/timeline/replayer.ts';
import type { Fingerprint } from '../../../src/staging/inode.ts';
import { OverrideTree } from '../../../src/staging/override-tree.ts';
import type { Mutation } from '../../../src/staging/recorder.ts';
import type { BytePath, Gen } from '../../../src/sys/bytes.ts';
import { label } from '../../../src/sys/bytes.ts';
import { OK } from '../../../src/sys/errno.ts';
import { AT_FDCWD } from '../../../src/sys/libc.ts';
import { planOf } from '../commit/cases.ts';
import { dumpTree } from '../dump-tree.ts';
import type { StagedProject } from '../projects/staged-project.ts';

/** Selects paths that are relative to the project. */
export function select(p: StagedProject, paths: readonly string[]): CommitSelection {
  const { tree, base, store } = p.view;
  return selectForCommit({ tree, facts: new Facts(base, store), paths: paths.map((path) => p.at(path)) });
}

/** What a commit of paths would do and what would come along, relative to the project. */
export function dryRun(p: StagedProject, paths: readonly string[]): { steps: string[]; along: string[] } {
  const selection = select(p, paths);
  const short = (text: string): string => text.replaceAll(`${p.view.dir}/`, '');
  return {
    steps: describePlan(planOf(p, selection.tree)).map(short),
    along: selection.along.map((path) => short(label(path))),
  };
}

/** Commits paths; the live tree, and the one that a restart would find, are what must be left. */
export async function commitPart(p: StagedProject, paths: readonly string[]): Promise<void> {
  const { tree, overlay, recorder, base } = p.view;
  const selection = select(p, paths);
  overlay.treeSwitch.holdUnnamed();
  const plan = planOf(p, selection.tree);
  const applied = await applyPlan(plan, { sync: false });
  assert.ok(!(applied instanceof CommitError), String(applied));
  assert.deepEqual(applied.leftover, []);
  // A file that lost one of several names has it in the backups as long as the commit is kept; here that ends at once.
  assert.equal(removeTree(AT_FDCWD, plan.log), OK);
  base.shed();
  const rest = selection.rest();
  const carried = [...checkpointOf(rest)];
  overlay.treeSwitch.rebasePart(selection.committed, printsOf(rest));
  dateContent(tree, recorder.generation);
  assert.equal(dumpTree(tree), dumpTree(replayed(carried, recorder.generation)), 'live and replayed');
  recorder.records.length = 0;
  for (const mutation of carried) recorder.records.push({ mutation, time: TIME, gen: recorder.generation });
  recorder.generation = (recorder.generation + 1) as Gen;
}

function printsOf({ linked }: OverrideTree): Map<string, Fingerprint> {
  return new Map([...linked].flatMap(([key, { staged }]) => (staged?.fingerprint ? [[key, staged.fingerprint]] : [])));
}

const TIME = { sec: 1, nsec: 0 };

function replayed(mutations: readonly Mutation[], generation: Gen): OverrideTree {
  const tree = new OverrideTree();
  const replayer = new Replayer(tree);
  const who = { run: 0, pid: 0, process: undefined };
  for (const body of mutations) replayer.apply({ generation, time: TIME, who, body });
  return tree;
}

export function relative(p: StagedProject, path: BytePath): string {
  return label(path.slice(p.view.dir.length + 1));
}

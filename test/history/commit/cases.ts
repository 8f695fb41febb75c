/**
 * Runs one commit case: the same operations in the view and natively, then a commit; afterwards the base must
 * equal the native tree in everything but the times the clock made, and the view before the commit in those too.
 */
import assert from 'node:assert/strict';
import { removeTree } from '../../../src/history/commit/apply/remove-tree.ts';
import { applyPlan, CommitError } from '../../../src/history/commit/commit.ts';
import { type Plan, planCommit } from '../../../src/history/commit/plan.ts';
import { Replayer } from '../../../src/history/timeline/replayer.ts';
import { seenTime } from '../../../src/staging/copy-up/seen-version.ts';
import { type Inode, viewPath } from '../../../src/staging/inode.ts';
import { OverrideTree } from '../../../src/staging/override-tree.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';
import { OK } from '../../../src/sys/errno.ts';
import { AT_FDCWD } from '../../../src/sys/libc.ts';
import { assertSameTree } from '../../support/tree.ts';
import { NativeTwin, type Operations } from '../projects/native-twin.ts';
import { StagedProject } from '../projects/staged-project.ts';
import { readPlain, readView, withoutTimes } from '../projects/view-tree.ts';

export const FILES = {
  'hello.txt': 'base content\n',
  'multi.txt': 'line1\nline2\n',
  'third.txt': 'third\n',
  'subdir/deep.txt': 'nested\n',
  'subdir/in/leaf.txt': 'leaf\n',
  'subdir/in/twig.txt': 'twig\n',
  'other/x': 'x\n',
  'empty/': '',
  'untouched/file': 'stays\n',
};

/** The override tree as the journal's records tell it, as after a restart. */
export function replayedTree(p: StagedProject): OverrideTree {
  const tree = new OverrideTree();
  const replayer = new Replayer(tree);
  for (const { mutation: body, time, gen: generation } of p.view.recorder.records) {
    replayer.apply({ generation, time, who: { run: 0, pid: 0, process: undefined }, body });
  }
  return tree;
}

/** Plans; fails on problems. */
export function planOf(p: StagedProject, tree = p.view.tree): Plan {
  const { base, store } = p.view;
  const { ownChanges } = p;
  const project = `${p.view.dir}/nowhere` as BytePath;
  const plan = planCommit({ tree, base, store, project, ownChanges, log: p.nextLog() });
  assert.ok('steps' in plan, JSON.stringify(plan));
  return plan;
}

export interface CommitOptions {
  /** Commit the tree that a restart would find, not the live one. */
  readonly restarted?: boolean;
}

/** Commits and ends the epoch as the daemon does; fails on errors. Returns the number of changes. */
export async function commit(p: StagedProject, options: CommitOptions = {}): Promise<number> {
  const plan = planOf(p, options.restarted ? replayedTree(p) : p.view.tree);
  const applied = await applyPlan(plan, { sync: false });
  assert.ok(!(applied instanceof CommitError), String(applied));
  assert.deepEqual(applied.leftover, []);
  // A file that lost one of several names has it in the backups as long as the commit is kept; here that ends at once.
  assert.equal(removeTree(AT_FDCWD, plan.log), OK);
  const written = stagedContent(p.view.tree.root);
  p.view.overlay.treeSwitch.rebase(applied.placed);
  for (const inode of written) assertRemembered(inode, p);
  p.view.recorder.records.length = 0;
  return applied.changes;
}

/** Files that have content of their own and that the kernel knows. */
function stagedContent(dir: Inode): Inode[] {
  return [...(dir.children?.values() ?? [])].flatMap((child) => {
    if (child?.children !== undefined) return stagedContent(child);
    return child && child.nodeId !== 0 && (child.staged?.object ?? 0) !== 0 ? [child] : [];
  });
}

/** What the view knows of a file of the base, without having asked for all of them, is what the base says. */
function assertRemembered(inode: Inode, p: StagedProject): void {
  const path = viewPath(inode) ?? ('' as BytePath);
  const stat = p.view.base.statPath(path);
  assert.ok(typeof stat === 'object', path);
  const { ino, seenSize, seenMtime, stale } = inode;
  const expected = { ino: stat.ino, seenSize: stat.size, seenMtime: seenTime(stat), stale: false };
  assert.deepEqual({ ino, seenSize, seenMtime, stale }, expected, path);
}

/** Performs operations in a fresh view and natively, commits and compares. */
export async function runCase(files: Readonly<Record<string, string>>, act: (p: Operations) => unknown): Promise<void> {
  const p = new StagedProject();
  try {
    p.base(files);
    const twin = new NativeTwin(p.view.dir);
    act(twin);
    act(p as unknown as Operations);
    await commitAndCompare(p, twin);
  } finally {
    p.close();
  }
}

/** Commits what is staged and compares the base with the twin and with the view. */
export async function commitAndCompare(p: StagedProject, twin: NativeTwin, options: CommitOptions = {}): Promise<void> {
  const native = withoutTimes(readPlain(twin.dir));
  const view = readView(p);
  assertSameTree(withoutTimes(view), native, 'the view and the native tree');
  const lines = p.lines();
  const changes = await commit(p, options);
  assertSameTree(readPlain(p.view.dir), native, 'the base after the commit and the native tree');
  assertSameTree(readPlain(p.view.dir, { mtime: true }), view, 'the base after the commit and the view before it');
  // A name that the base itself has for a changed file is in the live tree once it was looked up.
  if (options.restarted) assert.ok(changes <= lines.length);
  else assert.equal(changes, lines.length);
  assertSameTree(readView(p), view, 'the view after the commit');
  assert.deepEqual(p.lines(), [], 'nothing is staged after a commit');
}

/** Conflicts that a tree of another time takes over: of a file with two names that has become two files outside. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import { checkBase } from '../../../src/history/commit/conflict/check.ts';
import type { Conflict } from '../../../src/history/commit/conflict/conflict.ts';
import { keepConflicts } from '../../../src/history/commit/conflict/keep-conflicts.ts';
import { Facts } from '../../../src/history/diff/facts.ts';
import { refreshFromBase } from '../../../src/history/past/refresh.ts';
import type { Inode } from '../../../src/staging/inode.ts';
import { OverrideTree } from '../../../src/staging/override-tree.ts';
import type { Gen, Ino, ObjectId } from '../../../src/sys/bytes.ts';
import { S_IFREG } from '../../../src/sys/stat.ts';
import { StagedProject } from '../projects/staged-project.ts';

const TIME = { sec: 1, nsec: 0 };

/** What the live tree has in conflict when one file, known first by `first`, was written to and `g` was replaced outside. */
function split(p: StagedProject, first: 'f' | 'g'): readonly Conflict[] {
  p.base({ f: 'base\n' });
  p.native((dir) => fs.linkSync(`${dir}/f`, `${dir}/g`));
  for (const name of first === 'f' ? ['f', 'g'] : ['g', 'f']) assert.ok(p.driver.resolve(p.at(name)) > 0);
  p.append(first, 'ours\n');
  p.native((dir) => {
    fs.writeFileSync(`${dir}/anew`, 'theirs\n');
    fs.renameSync(`${dir}/anew`, `${dir}/g`);
  });
  return conflictsOf(p, p.view.tree);
}

function conflictsOf({ view: { base, store } }: StagedProject, tree: OverrideTree): readonly Conflict[] {
  base.shed();
  return checkBase({ tree, facts: new Facts(base, store) }).conflicts;
}

/** The names in conflict that a tree told anew has left. */
function kept(p: StagedProject, tree: OverrideTree, conflicts: readonly Conflict[]): string[] {
  assert.deepEqual(names(p, conflicts), ['f', 'g']);
  refreshFromBase(tree, new Facts(p.view.base, p.view.store));
  assert.deepEqual(conflictsOf(p, tree), []);
  keepConflicts(tree, conflicts);
  return names(p, conflictsOf(p, tree));
}

function names({ view: { dir } }: StagedProject, conflicts: readonly Conflict[]): string[] {
  return conflicts.map(({ path }) => path.slice(dir.length + 1));
}

function written(p: StagedProject, tree: OverrideTree, name: 'f' | 'g'): Inode {
  const inode = tree.scaffold(tree.place(p.at(name)), S_IFREG, 0 as Ino);
  tree.setContent(inode, { object: 1 as ObjectId, gen: 0 as Gen });
  return inode;
}

for (const first of ['f', 'g'] as const) {
  test(`D1: keepConflicts() names both of two names that are files of their own now, known first by ${first}`, () => {
    const p = new StagedProject();
    try {
      const conflicts = split(p, first);
      const tree = new OverrideTree();
      for (const name of ['f', 'g'] as const) written(p, tree, name);
      assert.deepEqual(kept(p, tree, conflicts), ['f', 'g']);
    } finally {
      p.close();
    }
  });

  test(`D1: keepConflicts() names both of two names of what is one file of the tree, known first by ${first}`, () => {
    const p = new StagedProject();
    try {
      const conflicts = split(p, first);
      const tree = new OverrideTree();
      tree.link(written(p, tree, 'f'), tree.place(p.at('g')), TIME);
      assert.deepEqual(kept(p, tree, conflicts), ['f', 'g']);
    } finally {
      p.close();
    }
  });
}

/**
 * Net changes after random operations, judged by comparing two real trees, the base and a directory in which the
 * same was done natively: each path that differs is accounted for, and nothing else is listed.
 */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import fc from 'fast-check';
import type { PathChange } from '../../src/history/changes.ts';
import { readTree, type TreeEntry } from '../support/tree.ts';
import { NativeTwin, type Operations } from './native-twin.ts';
import { BASE, isPossible, type Op, op, perform } from './random-operations.ts';
import { StagedProject } from './staged-project.ts';

/** What a path holds, apart from metadata. */
function content(entry: TreeEntry | undefined): string {
  return entry === undefined ? 'nothing' : `${entry.type} ${entry.sha256 ?? entry.target ?? ''}`;
}

/** Why a listed change is not true; undefined when it is. */
function lie(change: PathChange, before: TreeEntry | undefined, after: TreeEntry | undefined): string | undefined {
  const [old, now] = [content(before), content(after)];
  switch (change.change) {
    case 'added':
      return before === undefined && after !== undefined ? undefined : `added: ${old} -> ${now}`;
    case 'deleted':
      return before !== undefined && after === undefined ? undefined : `deleted: ${old} -> ${now}`;
    case 'modified':
      return old !== now && before !== undefined && after !== undefined ? undefined : `modified: ${old} -> ${now}`;
    case 'metadata':
      return old === now ? undefined : `metadata: ${old} -> ${now}`;
    case 'renamed':
      return after === undefined ? 'renamed to nothing' : undefined;
  }
}

function judge(p: StagedProject, twin: NativeTwin): void {
  const byPath = (entries: TreeEntry[]): Map<string, TreeEntry> => new Map(entries.map((entry) => [entry.path, entry]));
  const [before, after] = [byPath(readTree(p.view.dir)), byPath(readTree(twin.dir))];
  const relative = (path: string): string => path.slice(p.view.dir.length + 1);
  const changes = p.changes({ expand: true });
  const listed = new Map(changes.map((change) => [relative(change.path), change]));
  assert.equal(listed.size, changes.length, 'one entry a path');
  assert.deepEqual(
    changes.map(({ path }) => path),
    [...changes.map(({ path }) => path)].sort(),
    'in order',
  );
  const left = new Set(changes.flatMap(({ from }) => (from === undefined ? [] : relative(from))));
  for (const [path, change] of listed) {
    assert.equal(lie(change, before.get(path), after.get(path)), undefined, path);
  }
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    if (content(before.get(path)) === content(after.get(path)) || listed.has(path)) continue;
    // Another name, in a directory without changes, of a file that is listed as changed.
    const group = before.get(path)?.sameAs;
    if (group !== undefined && after.get(path)?.sha256 !== undefined && changesGroup(listed, before, group)) continue;
    assert.ok(
      !after.has(path) && left.has(path),
      `${path}: ${content(before.get(path))} -> ${content(after.get(path))}`,
    );
  }
}

function changesGroup(
  listed: ReadonlyMap<string, PathChange>,
  before: ReadonlyMap<string, TreeEntry>,
  group: string,
): boolean {
  return [...before].some(([path, entry]) => {
    const change = listed.get(path) ?? [...listed.values()].find(({ from }) => from?.endsWith(`/${path}`));
    return entry.sameAs === group && change !== undefined;
  });
}

function compareOnce(ops: readonly Op[]): void {
  const p = new StagedProject();
  try {
    p.base(BASE);
    p.native((dir) => fs.linkSync(`${dir}/c`, `${dir}/b/a-b`));
    p.native((dir) => fs.linkSync(`${dir}/a/a`, `${dir}/a/b/a`));
    const twin = new NativeTwin(p.view.dir);
    for (const op of ops) {
      if (!isPossible(twin.dir, op)) continue;
      perform(twin, op);
      perform(p as unknown as Operations, op);
    }
    judge(p, twin);
  } finally {
    p.close();
  }
}

test('netChanges() accounts for every difference between two trees, and for nothing else', () => {
  const numRuns = Number(process.env.YOLOFS_MODEL_RUNS ?? 100);
  fc.assert(fc.property(fc.array(op, { maxLength: 25 }), compareOnce), { numRuns, includeErrorInReport: true });
});

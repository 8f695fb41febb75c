/**
 * Judges a list of net changes by two real trees: each path that differs is accounted for, and nothing else is listed.
 */
import assert from 'node:assert/strict';
import type { PathChange } from '../../../src/history/diff/changes.ts';
import type { TreeEntry } from '../../support/tree.ts';

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

interface Judged {
  /** What the paths of the changes are below. */
  readonly dir: string;
  readonly before: readonly TreeEntry[];
  readonly after: readonly TreeEntry[];
}

/** Holds a list of changes, with all that moved directories hold, against the two trees that they lie between. */
export function judge(changes: readonly PathChange[], judged: Judged): void {
  const [before, after] = [byPath(judged.before), byPath(judged.after)];
  const relative = (path: string): string => path.slice(judged.dir.length + 1);
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

function byPath(entries: readonly TreeEntry[]): Map<string, TreeEntry> {
  return new Map(entries.map((entry) => [entry.path, entry]));
}

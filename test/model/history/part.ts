/**
 * Commits and aborts of paths, as far as a naive model can say what they do: the selected paths are all the way on the
 * other side, no other path has anything that neither side had, and the other tree has not changed.
 */
import assert from 'node:assert/strict';
import type { Image, Node } from './image.ts';

/** A tree that took over parts of another one. */
export interface Merge {
  readonly before: Image;
  readonly after: Image;
  /** Where the parts come from. */
  readonly source: Image;
  readonly selected: readonly string[];
  readonly isAbort: boolean;
}

/** Paths at which two trees differ, in byte order. */
export function differing(a: Image, b: Image): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((path) => !isSame(a.get(path), b.get(path))).sort();
}

/** Fails unless the selected paths are the source's and all others the source's or as they were. */
export function checkMerge({ before, after, source, selected, isAbort }: Merge): void {
  for (const path of new Set([...before.keys(), ...after.keys(), ...source.keys()])) {
    const isSelected = selected.some((top) => path === top || path.startsWith(`${top}/`));
    const [was, is, goal] = [before.get(path), after.get(path), source.get(path)];
    if (isSame(is, goal)) continue;
    if (isSelected && isAbort && isGivenUpElsewhere({ path, is, goal }, { before, after, source })) continue;
    assert.ok(!isSelected, `${JSON.stringify(path)} was selected and is ${show(is)}, not ${show(goal)}`);
    // A directory that moves takes along what nobody selected in it, as it was at its old place.
    const isKnown = isSame(is, was) || [...before.values(), ...source.values()].some((node) => isSame(is, node));
    assert.ok(isKnown, `${JSON.stringify(path)} is ${show(is)}, neither ${show(was)} nor ${show(goal)}`);
  }
}

/** An abort in a directory that has moved gives up there what was done, and the directory stays where it is. */
function isGivenUpElsewhere(
  { path, is, goal }: { path: string; is: Node | undefined; goal: Node | undefined },
  { before, after, source }: Pick<Merge, 'before' | 'after' | 'source'>,
): boolean {
  const dir = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const hasNoPlace = (tree: Image): boolean => dir !== '' && tree.get(dir)?.type !== 'directory';
  const isIn = (tree: Image, node: Node): boolean => [...tree.values()].some((other) => isSame(other, node));
  // Another directory may be in its place, and what was changed may be further down.
  const isChanged = (): boolean => differing(before, after).some((at) => at === path || at.startsWith(`${path}/`));
  if (goal === undefined) return is !== undefined && isIn(source, is) && (hasNoPlace(source) || isChanged());
  const cameBack = (): boolean => [...after].some(([at, node]) => isSame(node, goal) && !isSame(before.get(at), node));
  return is === undefined && (hasNoPlace(after) ? isIn(after, goal) : cameBack());
}

/** Names of one file may be parted by it, and a directory's time depends on what is done in it. */
export function isSame(a: Node | undefined, b: Node | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.type !== b.type || a.content !== b.content || a.owner !== b.owner) return false;
  if (a.type === 'symlink') return true;
  return a.mode === b.mode && JSON.stringify(a.xattrs) === JSON.stringify(b.xattrs);
}

function show(node: Node | undefined): string {
  return node === undefined ? 'absent' : `${node.type} ${node.mode.toString(8)} ${JSON.stringify(node.content)}`;
}

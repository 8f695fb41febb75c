/**
 * Changes as a unified diff in git's form, which `git apply` understands, one change at a time: neither the list
 * nor the text is ever held as a whole. What git has no words for (directories, special files, owners) is said in
 * lines that start with `#`, which `git apply` passes over.
 */
import type { BaseTree } from '../../staging/base-tree.ts';
import type { ObjectStore } from '../../staging/object-store.ts';
import type { BytePath } from '../../sys/bytes.ts';
import { Facts } from './facts.ts';
import type { ChangeKind, PathChange } from './path-change.ts';
import type { FileDiff } from './text/file-diff.ts';
import { type DiffContext, diffChange } from './text/file-diff.ts';

export interface DiffOptions {
  readonly base: BaseTree;
  readonly store: ObjectStore;
  /** Paths below it are shown relative to it. */
  readonly project: BytePath;
}

/** Yields the diff in pieces of text with their line ends. */
export function* renderDiff(changes: Iterable<PathChange>, options: DiffOptions): Generator<string, void, undefined> {
  const context = { facts: new Facts(options.base, options.store), project: options.project };
  for (const change of changes) {
    for (const part of diffChange(change, context)) yield* renderPart(part);
  }
}

function* renderPart({ header, body }: FileDiff): Generator<string, void, undefined> {
  if (header.length > 0) yield `${header.join('\n')}\n`;
  if (body === undefined) return;
  for (const line of body.lines()) yield `${line}\n`;
}

/** A row of `diff --stat`. */
export interface DiffStat {
  readonly path: BytePath;
  readonly from?: BytePath;
  readonly change: ChangeKind;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  /** The content differs, but not in lines that could be counted. */
  readonly binary: boolean;
}

/** Yields how much each change adds and removes. */
export function* diffStats(changes: Iterable<PathChange>, options: DiffOptions): Generator<DiffStat, void, undefined> {
  const context = { facts: new Facts(options.base, options.store), project: options.project };
  for (const change of changes) yield diffStat(change, context);
}

/** How much a change adds and removes. */
export function diffStat(change: PathChange, context: DiffContext): DiffStat {
  let [added, removed, binary] = [0, 0, false];
  for (const part of diffChange(change, context)) {
    added += part.body?.added ?? 0;
    removed += part.body?.removed ?? 0;
    binary ||= part.binary;
  }
  const { path, from } = change;
  const row = { path, change: change.change, added, removed, binary };
  return from === undefined ? row : { ...row, from };
}

/** What is wished of hunks once conflicts are resolved: the texts that the keys were made of are not the same then. */

import type { Merged, Outcome } from '../../../history/commit/conflict/resolve.ts';
import { netChanges } from '../../../history/diff/changes.ts';
import { Facts } from '../../../history/diff/facts.ts';
import { keyPrefix, prefixOf, sectionsOf } from '../../../history/diff/text/sections.ts';
import { type BytePath, isWithin, label } from '../../../sys/bytes.ts';
import { UserError } from '../../../sys/user-error.ts';
import type { CommitAsk } from '../answers.ts';
import type { LiveSession } from '../live-session.ts';
import { type ChosenFile, chosenFiles, type HunkWish } from './chosen.ts';
import { mergedPart } from './merged-part.ts';

type Resolution = Pick<Outcome, 'dropped' | 'merged'>;

/**
 * Asked before conflicts are resolved, the result is called afterwards: it wishes nothing of what was given up, and of a file that was
 * merged what of the merge was chosen. Throws a UserError for keys that stand for nothing, and for a part of a file that cannot be told
 * from what was done outside.
 */
export function hunksLeft(
  { tree, base, store }: LiveSession,
  { hunks: wishes = [], discard = [] }: Pick<CommitAsk, 'hunks' | 'discard'>,
  { dropped, merged }: Resolution,
): () => HunkWish[] {
  refuseDiscard(discard, merged);
  if (wishes.length === 0) return () => [];
  const changes = () => netChanges({ tree, base, store, expand: true });
  const before = new Facts(base, store);
  const files = chosenFiles(wishes, changes(), before);
  const parts: HunkWish[] = [];
  const whole = new Set<BytePath>();
  for (const file of files) {
    const result = merged.find(({ path }) => path === file.change.path);
    if (result === undefined) continue;
    if (isWhole(file)) whole.add(result.path);
    else parts.push(...partOf(file, { result, wishes, facts: before }));
  }
  const together = new Set(merged.map(({ path }) => path));
  const isOther = (path: BytePath): boolean => together.has(path) || dropped.some((gone) => isWithin(path, gone));
  const others = new Set(
    files
      .map(({ change }) => change.path)
      .filter(isOther)
      .map(keyPrefix),
  );
  return () => {
    const facts = new Facts(base, store);
    const again = [...changes()].filter(({ path }) => whole.has(path));
    const kept = wishes.filter(({ key }) => !others.has(prefixOf(key)));
    return [...kept, ...parts, ...again.flatMap((change) => keysOf(sectionsOf(change, facts)))];
  };
}

function isWhole({ content, attributes }: ChosenFile): boolean {
  return content === 'all' && attributes;
}

/** What stays of it afterwards is not known before. */
function refuseDiscard(discard: readonly HunkWish[], merged: readonly Merged[]): void {
  const prefixes = new Set(discard.map(({ key }) => prefixOf(key)));
  const both = merged.find(({ path }) => prefixes.has(keyPrefix(path)));
  if (both !== undefined)
    throw new UserError(
      `${label(both.path)}: what is merged with a change outside cannot be thrown away in part: nothing was changed`,
      'commit it without, and throw away what is left then',
    );
}

interface Given {
  readonly result: Merged;
  readonly wishes: readonly HunkWish[];
  readonly facts: Facts;
}

function partOf({ change }: ChosenFile, { result, wishes, facts }: Given): HunkWish[] {
  const sections = sectionsOf(change, facts);
  const found = mergedPart(change.path, sections, { content: result.content, wishes });
  if (found !== undefined) return found;
  throw new UserError(
    `${label(change.path)}: what was chosen of it takes back a change outside, or cannot be told from one: nothing was changed`,
    "choose other hunks of it, or all of it, or '--ours' for what is staged",
  );
}

function keysOf({ sections, text }: ReturnType<typeof sectionsOf>): HunkWish[] {
  return [...sections.values(), ...(text?.hunks ?? []).map((hunk) => hunk.key)].map((key) => ({ key }));
}

/** What is wished of hunks once conflicts are resolved: the texts that the keys were made of are not the same then. */

import type { Outcome } from '../../../history/commit/conflict/resolve.ts';
import { netChanges } from '../../../history/diff/changes.ts';
import { Facts } from '../../../history/diff/facts.ts';
import { keyPrefix, prefixOf, sectionsOf } from '../../../history/diff/text/sections.ts';
import { type BytePath, isWithin, label } from '../../../sys/bytes.ts';
import { UserError } from '../../../sys/user-error.ts';
import type { LiveSession } from '../live-session.ts';
import { chosenFiles, type HunkWish } from './chosen.ts';

/**
 * Asked before conflicts are resolved, the result is called afterwards: it wishes nothing of what was given up, and of a file that was
 * merged all that is staged of it then. Throws a UserError for keys that stand for nothing, and for a part of a file that is to be merged.
 */
export function hunksLeft(
  { tree, base, store }: LiveSession,
  wishes: readonly HunkWish[],
  { dropped, merged }: Pick<Outcome, 'dropped' | 'merged'>,
): () => HunkWish[] {
  if (wishes.length === 0) return () => [];
  const changes = () => netChanges({ tree, base, store, expand: true });
  const files = chosenFiles(wishes, changes(), new Facts(base, store));
  const together = new Set<BytePath>(merged.map(({ path }) => path));
  for (const { change, content, attributes } of files) {
    if (together.has(change.path) && !(content === 'all' && attributes))
      throw new UserError(`${label(change.path)}: only all of it can be merged: nothing was changed`);
  }
  const paths = files.map(({ change }) => change.path);
  const isOther = (path: BytePath): boolean => together.has(path) || dropped.some((gone) => isWithin(path, gone));
  const others = new Set(paths.filter(isOther).map(keyPrefix));
  return () => {
    const facts = new Facts(base, store);
    const again = [...changes()].filter(({ path }) => together.has(path) && paths.includes(path));
    const kept = wishes.filter(({ key }) => !others.has(prefixOf(key)));
    return [...kept, ...again.flatMap((change) => keysOf(sectionsOf(change, facts)))];
  };
}

function keysOf({ sections, text }: ReturnType<typeof sectionsOf>): HunkWish[] {
  return [...sections.values(), ...(text?.hunks ?? []).map((hunk) => hunk.key)].map((key) => ({ key }));
}

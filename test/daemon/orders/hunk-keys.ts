/** What of a session without a mount can be decided alone, as `diff --json --hunks` tells it. */
import { netChanges } from '../../../src/history/diff/changes.ts';
import { Facts } from '../../../src/history/diff/facts.ts';
import { type Sections, sectionsOf } from '../../../src/history/diff/text/sections.ts';
import { openBase } from '../../../src/history/registry/mounts.ts';
import { ObjectStore } from '../../../src/staging/object-store.ts';
import type { CrashWorld } from '../../crash/crash-world.ts';

/** By the names of the files below the base. */
export function sectionsIn({ live, place }: CrashWorld): Map<string, Sections> {
  const base = openBase(place.layout);
  const store = new ObjectStore(place.layout.files);
  try {
    const facts = new Facts(base, store);
    const changes = [...netChanges({ tree: live.tree, base, store, expand: true })];
    return new Map(changes.map((change) => [change.path.slice(place.base.length + 1), sectionsOf(change, facts)]));
  } finally {
    store.close();
    base.close();
  }
}

/** The units of a review that are put to a person one after the other, as far as they have to be known before the first. */
import { Facts } from '../../history/diff/facts.ts';
import type { BaseTree } from '../../staging/base-tree.ts';
import type { ObjectStore } from '../../staging/object-store.ts';
import type { Item } from './item.ts';
import type { Unit } from './units.ts';

/** So much is read before the first question, so that their number is known. */
const MOST_ITEMS = 200;
const MOST_BYTES = 4 << 20;

interface Read {
  readonly base: BaseTree;
  readonly store: ObjectStore;
}

/** Those of the first items; one for each of the others, which reads when it is asked. */
export function* unitsAhead(items: readonly Item[], { base, store }: Read): Generator<Unit, void> {
  const facts = new Facts(base, store);
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    const { change, files, gate } = item;
    bytes += item.what === 'file' && change.newSide !== undefined ? (facts.size(change.newSide.backing) ?? 0) : 0;
    if (index < MOST_ITEMS && bytes <= MOST_BYTES) yield* item.units();
    else {
      const { path, change: kind, type } = change;
      const what: Unit['what'] = item.what === 'file' ? 'whole' : item.what;
      const gated = gate === undefined ? {} : { gate };
      const stand = { what, change: { path, change: kind, type }, keys: [], lines: [], files, ...gated };
      yield { ...stand, unread: () => item.units() };
    }
  }
}

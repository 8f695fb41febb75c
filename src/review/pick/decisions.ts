/** What a person has said of items and of their units: take, leave, refuse, or nothing yet. */
import type { Item } from './item.ts';
import type { Decision } from './plan.ts';
import type { Unit } from './units.ts';

/** `leave`: looked at, and it stays staged. */
export type Said = Decision | 'leave';

interface OfItem {
  /** Of all that nothing else was said of. */
  readonly whole: Said | undefined;
  readonly units: ReadonlyMap<Unit, Said | undefined>;
}

const NOTHING: OfItem = { whole: undefined, units: new Map() };

export class Decisions {
  readonly #items = new Map<Item, OfItem>();

  /** Undefined takes back what was said. */
  say(item: Item, said: Said | undefined): void {
    if (said === undefined) this.#items.delete(item);
    else this.#items.set(item, { whole: said, units: new Map() });
  }

  sayOf(item: Item, unit: Unit, said: Said | undefined): void {
    const { whole, units } = this.#items.get(item) ?? NOTHING;
    this.#items.set(item, { whole, units: new Map([...units, [unit, said]]) });
  }

  /** The parts of a unit are what it was. */
  split(item: Item, unit: Unit): boolean {
    const said = this.of(item, unit);
    const parts = item.split(unit);
    if (parts.length > 1) for (const part of parts) this.sayOf(item, part, said);
    return parts.length > 1;
  }

  /** What was said of a unit. */
  of(item: Item, unit: Unit): Said | undefined {
    const found = this.#items.get(item);
    return found?.units.has(unit) === true ? found.units.get(unit) : found?.whole;
  }

  /** Of all of its units; reads nothing of an item of which only the whole was spoken. */
  stateOf(item: Item): Said | 'mixed' | undefined {
    const found = this.#items.get(item);
    if (found === undefined || found.units.size === 0) return found?.whole;
    const all = new Set(item.units().map((unit) => this.of(item, unit)));
    const [only] = all;
    return all.size === 1 ? only : 'mixed';
  }

  /** Items of which something was said. */
  get decided(): readonly Item[] {
    return [...this.#items.keys()].filter((item) => this.stateOf(item) !== undefined);
  }

  /** The same about other items: what was said of something holds as long as it is the same. */
  movedTo(items: readonly Item[]): Decisions {
    const moved = new Decisions();
    const now = new Map(items.map((item) => [nameOf(item), item]));
    for (const [old, { whole, units }] of this.#items) {
      const item = now.get(nameOf(old));
      if (item === undefined) continue;
      if (whole !== undefined && item.stamp === old.stamp) moved.say(item, whole);
      if (units.size === 0) continue;
      const said = new Map([...units].map(([unit, one]) => [identityOf(unit), one]));
      for (const unit of item.units()) {
        const one = said.get(identityOf(unit));
        if (one !== undefined) moved.sayOf(item, unit, one);
      }
    }
    return moved;
  }
}

function nameOf({ what, change }: Item): string {
  return `${what} ${change.path}`;
}

function identityOf({ what, keys, hunk }: Unit): string {
  return [what, ...keys, hunk?.hunk.key, ...(hunk?.numbers ?? [])].join(' ');
}

/** The decisions on a list of items, and on their units. */
import { type Decidable, Decisions, type Part, type Said, type State, stateOf } from './decisions.ts';
import type { Item } from './item.ts';
import { numbersOf, type Unit } from './units.ts';

export class ItemDecisions {
  readonly #decisions = new Decisions();

  /** Undefined takes back what was said. Reads nothing. */
  say(item: Item, said: Said | undefined): void {
    this.#decisions.say(toDecidable(item), said);
  }

  sayOf(item: Item, unit: Unit, said: Said | undefined): void {
    const { hunk, keys } = unit;
    // Of what is decided together the keys take reading all of it.
    if (hunk === undefined && item.units().length === 1) this.say(item, said);
    else if (hunk === undefined)
      this.#decisions.sayOf(toDecidable(item), new Map(keys.map((key) => [key, 'all'])), said);
    else this.#decisions.sayOf(toDecidable(item), new Map([[hunk.hunk.key, hunk.numbers]]), said);
  }

  /** What was said of a unit; of a hunk perhaps of each line. */
  partOf(item: Item, { hunk, keys }: Unit): Part {
    const state = this.stateOf(item);
    return state === 'mixed' ? this.#decisions.partOf(idOf(item), hunk?.hunk.key ?? keys[0] ?? '') : { said: state };
  }

  /** The same in a word. */
  of(item: Item, unit: Unit): State {
    const part = this.partOf(item, unit);
    if ('said' in part) return part.said;
    const meant = unit.hunk?.numbers.map((number) => part.lines[number - 1]) ?? part.lines;
    return stateOf({ lines: meant });
  }

  /** Of all of its units; reads nothing. */
  stateOf(item: Item): State {
    return this.#decisions.stateOf(idOf(item));
  }

  /** The items are others: what was said of something holds as long as it is the same. */
  renew(items: readonly Item[]): void {
    const now = new Map(items.map((item) => [idOf(item), item]));
    this.#decisions.renew((id) => {
      const item = now.get(id);
      return item && toDecidable(item);
    });
  }
}

function idOf({ what, change }: Item): string {
  return `${what} ${change.path}`;
}

function toDecidable(item: Item): Decidable {
  return {
    id: idOf(item),
    get stamp() {
      // What is shown is what a snapshot has.
      return { what: item.stamp, times: '', isFixed: true };
    },
    parts: () =>
      new Map(
        item
          .units()
          .flatMap(({ hunk, keys }): [string, number | undefined][] =>
            hunk === undefined ? keys.map((key) => [key, undefined]) : [[hunk.hunk.key, numbersOf(hunk.hunk).length]],
          ),
      ),
  };
}

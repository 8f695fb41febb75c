/**
 * Which name in the earlier state each name in the later one continues. With one name on either side that is plain;
 * files with several (hard links) are paired name by name.
 */
import { type BytePath, splitPath } from '../../sys/bytes.ts';
import { hasManyNames, type Key, keyOf, type Node } from './node.ts';
import type { Located, State } from './state.ts';

export interface Came {
  /** Where it was; undefined: it is new, or one more name of something that is not new. */
  readonly from: Located | undefined;
  /** It came along with its directory, or never moved: nobody gave it this name. */
  readonly carried: boolean;
}

const NEW: Came = { from: undefined, carried: false };

interface Pairs {
  /** By the name in the later state. */
  readonly came: Map<BytePath, Came>;
  /** Names of the earlier state that have a successor. */
  readonly gone: Set<BytePath>;
  /** Names of either state that were looked at: a state finds further ones only when it is asked about them. */
  readonly seen: { readonly homes: Set<BytePath>; readonly places: Set<BytePath> };
}

export class Names {
  readonly #before: State;
  readonly #after: State;
  /** Of files with several names. */
  readonly #pairs = new Map<Key, Pairs>();

  constructor(before: State, after: State) {
    this.#before = before;
    this.#after = after;
  }

  /** Where a node of the later state came from; `dir` is where its directory was. */
  cameFrom({ path, node }: Located, dir: Located | undefined): Came {
    const homes = this.#before.locate(node);
    const [home] = homes;
    if (home === undefined) return NEW;
    if (homes.length > 1 || hasManyNames(node) || hasManyNames(home.node)) {
      return this.#pair(node, (pairs) => pairs.seen.places.has(path)).came.get(path) ?? NEW;
    }
    const carried = dir !== undefined && isIn(home.path, dir.path) && nameOf(home.path) === nameOf(path);
    return { from: home, carried };
  }

  /** Whether what an earlier name stood for lives on, and not just under its other names. */
  livesOn({ path, node }: Located): boolean {
    const places = this.#after.locate(node);
    const [place] = places;
    if (place === undefined) return false;
    if (places.length === 1 && !hasManyNames(node) && !hasManyNames(place.node)) return true;
    return this.#pair(node, (pairs) => pairs.seen.homes.has(path)).gone.has(path);
  }

  #pair(node: Node, isEnough: (pairs: Pairs) => boolean): Pairs {
    const key = keyOf(node);
    const known = this.#pairs.get(key);
    if (known !== undefined && isEnough(known)) return known;
    const pairs = known ?? { came: new Map(), gone: new Set(), seen: { homes: new Set(), places: new Set() } };
    this.#pairs.set(key, pairs);
    const { homes, places } = this.#allNames(node);
    // What was looked at before may have been told already, also that it is new or gone.
    const left = [...homes.values()].filter(({ path }) => !pairs.seen.homes.has(path));
    const right = [...places.values()].filter(({ path }) => !pairs.seen.places.has(path));
    for (const path of homes.keys()) pairs.seen.homes.add(path);
    for (const path of places.keys()) pairs.seen.places.add(path);
    this.#join(pairs, new Set(left), new Set(right));
    return pairs;
  }

  /** The names in both states. Each that is found has a base entry of its own, by which others may be found. */
  #allNames(node: Node): { homes: Map<BytePath, Located>; places: Map<BytePath, Located> } {
    const [homes, places] = [new Map<BytePath, Located>(), new Map<BytePath, Located>()];
    const origins = new Set<BytePath | undefined>();
    const todo = [node];
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      if (origins.has(next.origin)) continue;
      origins.add(next.origin);
      for (const home of this.#before.locate(next)) homes.set(home.path, home);
      for (const place of this.#after.locate(next)) places.set(place.path, place);
      todo.push(...[...homes.values(), ...places.values()].map((found) => found.node));
    }
    return { homes, places };
  }

  /** Names that stayed, then those that came along with their directories, then the others in order. */
  #join(pairs: Pairs, homes: Set<Located>, places: Set<Located>): void {
    const join = (home: Located, place: Located, carried: boolean): void => {
      pairs.came.set(place.path, { from: home, carried });
      pairs.gone.add(home.path);
      homes.delete(home);
      places.delete(place);
    };
    for (const isKept of [samePath, this.#sameDirectory]) {
      for (const place of places) {
        const home = [...homes].find((one) => isKept(one.path, place.path));
        if (home !== undefined) join(home, place, true);
      }
    }
    const left = [...homes];
    [...places].forEach((place, i) => {
      const home = left[i];
      if (home !== undefined) join(home, place, false);
    });
  }

  readonly #sameDirectory = (home: BytePath, place: BytePath): boolean => {
    if (nameOf(home) !== nameOf(place)) return false;
    const [was, is] = [splitPath(home), splitPath(place)];
    const from = was === undefined ? undefined : this.#before.at(was.dir);
    const to = is === undefined ? undefined : this.#after.at(is.dir);
    return from !== undefined && to !== undefined && keyOf(from) === keyOf(to);
  };
}

function samePath(home: BytePath, place: BytePath): boolean {
  return home === place;
}

function isIn(path: BytePath, dir: BytePath): boolean {
  return splitPath(path)?.dir === dir;
}

function nameOf(path: BytePath): string {
  return splitPath(path)?.name ?? '';
}

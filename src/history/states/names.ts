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
  readonly came: ReadonlyMap<BytePath, Came>;
  /** Names of the earlier state that have a successor. */
  readonly gone: ReadonlySet<BytePath>;
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
      return this.#pair(node).came.get(path) ?? NEW;
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
    return this.#pair(node).gone.has(path);
  }

  #pair(node: Node): Pairs {
    const key = keyOf(node);
    const known = this.#pairs.get(key);
    if (known !== undefined) return known;
    const homes = new Set(this.#before.locate(node));
    const places = new Set(this.#after.locate(node));
    const came = new Map<BytePath, Came>();
    const gone = new Set<BytePath>();
    const join = (home: Located, place: Located, carried: boolean): void => {
      came.set(place.path, { from: home, carried });
      gone.add(home.path);
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
    const pairs = { came, gone };
    this.#pairs.set(key, pairs);
    return pairs;
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

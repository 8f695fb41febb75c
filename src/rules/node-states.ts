/**
 * What state nodes and names are in, for the requests that come with them: kept by node id with the number of a version. A
 * change of rules, or a directory that moves, makes a new version and walks nothing. A daemon serves most of its requests before
 * what it runs is compiled well, so what is asked for each name takes few steps.
 */
import type { Entry } from '../fuse/filesystem.ts';
import type { KnownPlace, NodePaths } from '../staging/names/node-paths.ts';
import { type Ino, join, type Name, type NodeId } from '../sys/bytes.ts';
import { S_IFDIR, S_IFMT } from '../sys/stat.ts';
import type { Identities } from './identities.ts';
import type { NameSet } from './rule-names.ts';
import type { Rules } from './rules.ts';
import { isClosed, STATES, type State, strictest } from './states.ts';

/** What the path of a directory says. Found once for all names in it. */
interface Place extends KnownPlace {
  readonly version: number;
  readonly state: State;
  /** All other names are in the state of the directory. */
  readonly ruled: NameSet;
  /** Whether anything in it may be hidden. */
  readonly mayHide: boolean;
  /** What is kept of a file in that state that has one name alone. */
  readonly plain: number;
}

/** What is kept of a node is a number: VERSION for each version, SINGLE if it has one name alone, and a state's place below. */
const VERSION = 16;
const SINGLE = 8;
const STATE_AT: readonly (State | undefined)[] = [undefined, ...STATES];

const NONE = 0 as NodeId;

export class NodeStates {
  /** Nodes with a name of which rules say one thing where the base has it, and another where it was born in the view. */
  readonly twofold = new Set<NodeId>();
  readonly #nodePaths: NodePaths;
  readonly #identities: Identities;
  readonly #facts: number[] = [];
  readonly #places = new Map<NodeId, Place>();
  /** Of the directory that was asked for last. */
  #latest: Place | undefined;
  #latestDir = NONE;
  #rules: Rules;
  #version = 1;
  /** What is kept of a node is of this version if it is more. */
  #floor = VERSION;

  constructor(rules: Rules, nodePaths: NodePaths, identities: Identities) {
    this.#rules = rules;
    this.#nodePaths = nodePaths;
    this.#identities = identities;
    identities.setRules(rules);
  }

  setRules(rules: Rules): void {
    this.#rules = rules;
    this.#identities.setRules(rules);
    this.moved();
  }

  /** Paths are not what they were. */
  moved(): void {
    this.#version += 1;
    this.#floor = this.#version * VERSION;
    this.#latestDir = NONE;
  }

  /** A node id is free, and may become another's. */
  dropped(nodeId: NodeId): void {
    this.#places.delete(nodeId);
    this.twofold.delete(nodeId);
    if (nodeId === this.#latestDir) this.#latestDir = NONE;
    this.forget(nodeId);
  }

  /** A node has another name now, or one more. */
  named(parent: NodeId, name: Name, nodeId: NodeId): void {
    this.forget(nodeId);
    this.#noteTwofold(parent, name, nodeId);
  }

  /** What is known of a node does not hold any more. */
  forget(nodeId: NodeId): void {
    this.#facts[nodeId] = 0;
  }

  /** A node has one name less: it goes by those that it has left, and without one it stays what it was. */
  lostName(nodeId: NodeId): void {
    this.#facts[nodeId] = (this.#facts[nodeId] ?? 0) % VERSION;
  }

  stateOf(nodeId: NodeId): State {
    const kept = this.#facts[nodeId] ?? 0;
    const fresh = kept - this.#floor;
    return (fresh > 0 ? STATE_AT[fresh % SINGLE] : undefined) ?? this.#find(nodeId, kept);
  }

  stateOfName(parent: NodeId, name: Name): State {
    const place = this.#placeOf(parent);
    if (place === undefined) return this.stateOf(parent);
    if (!place.ruled.has(name)) return place.state;
    const path = join(place.path, name);
    if (isClosed(place.state)) return this.#rules.stateOf(path);
    return this.#rules.stateOfName(path, () => this.#nodePaths.baseOf(parent, name));
  }

  /** Whether a name is hidden, whatever it stands for. */
  hidesName(parent: NodeId, name: Name): boolean {
    if (!this.#rules.hides) return false;
    const place = this.#placeOf(parent);
    if (place === undefined) return this.stateOf(parent) === 'hidden';
    return place.mayHide && this.#stateIn(place, name, 'home') === 'hidden';
  }

  /**
   * A name was looked up. If the file has others, what this one's rules refuse holds for all. Returns the state of what it stands for,
   * `allow` where nothing is denied or hidden anyway.
   */
  saw(parent: NodeId, name: Name, { nodeId, stat }: Entry): State {
    const isSingle = stat.nlink < 2 || (stat.mode & S_IFMT) === S_IFDIR;
    const { closes } = this.#rules;
    const state = isSingle && closes ? this.#follow(nodeId, parent, name) : undefined;
    if (state !== undefined) return state;
    if (isSingle !== this.#isSingle(nodeId)) this.#facts[nodeId] = isSingle ? SINGLE : 0;
    if (!closes) return 'allow';
    this.#noteTwofold(parent, name, nodeId);
    if (!isSingle && this.#identities.add(stat.ino as Ino, this.stateOfName(parent, name))) this.forget(nodeId);
    return this.stateOf(nodeId);
  }

  /** A new name was made. */
  made(parent: NodeId, name: Name, nodeId: NodeId): void {
    this.#follow(nodeId, parent, name);
  }

  #noteTwofold(parent: NodeId, name: Name, nodeId: NodeId): void {
    const place = this.#placeOf(parent);
    if (place === undefined || !place.ruled.has(name)) return;
    const path = join(place.path, name);
    if (this.#rules.stateOf(path) !== this.#rules.forBorn.stateOf(path)) this.twofold.add(nodeId);
  }

  #isSingle(nodeId: NodeId): boolean {
    return (this.#facts[nodeId] ?? 0) % VERSION >= SINGLE;
  }

  /** Keeps the state of a node with one name, if all that it follows from is this one. */
  #follow(nodeId: NodeId, parent: NodeId, name: Name): State | undefined {
    const place = this.#placeOf(parent);
    const stands = place && this.#nodePaths.standsAt(nodeId, place, name);
    if (place === undefined || stands === undefined) return undefined;
    if (!place.ruled.has(name)) {
      this.#facts[nodeId] = place.plain;
      return place.state;
    }
    this.#noteTwofold(parent, name, nodeId);
    const state = this.#stateIn(place, name, stands);
    this.#facts[nodeId] = this.#factOf(state, true);
    return state;
  }

  /** Of what is only there under this name; `home`, where nothing is known of it. */
  #stateIn(place: Place, name: Name, stands: 'born' | 'home'): State {
    if (!place.ruled.has(name)) return place.state;
    const rules = stands === 'born' && !isClosed(place.state) ? this.#rules.forBorn : this.#rules;
    return rules.stateOf(join(place.path, name));
  }

  /** `kept`: what was known of the node in an earlier version. */
  #find(nodeId: NodeId, kept: number): State {
    const isSingle = kept % VERSION >= SINGLE;
    const named = isSingle ? undefined : this.#identities.stateOf(nodeId);
    // Without a name it stays what it was.
    const own = this.#inherited(nodeId) ?? this.#stateByPaths(nodeId, STATE_AT[kept % SINGLE]);
    const state = named === undefined ? own : strictest(own, named);
    this.#facts[nodeId] = this.#factOf(state, isSingle);
    return state;
  }

  #factOf(state: State, isSingle: boolean): number {
    return this.#floor + (isSingle ? SINGLE : 0) + STATE_AT.indexOf(state);
  }

  /** Most nodes have what their directory has: that is known without a path of theirs. */
  #inherited(nodeId: NodeId): State | undefined {
    const own = this.#nodePaths.nameOf(nodeId);
    const place = own === undefined ? undefined : this.#placeOf(own.parent);
    if (own === undefined || place === undefined) return undefined;
    const stands = this.#nodePaths.standsAt(nodeId, place, own.name);
    return stands && this.#stateIn(place, own.name, stands);
  }

  #stateByPaths(nodeId: NodeId, before: State | undefined): State {
    const { view, base } = this.#nodePaths.whereIs(nodeId) ?? {};
    const own = view === undefined ? before : this.#rules.stateOfName(view, () => base);
    const original = base === undefined || base === view ? undefined : this.#rules.stateOf(base);
    const state = own ?? original ?? 'allow';
    // What must not be read under its name in the base must not be read under another.
    return original !== undefined && isClosed(original) ? strictest(state, original) : state;
  }

  #placeOf(dir: NodeId): Place | undefined {
    if (dir === this.#latestDir) return this.#latest;
    const known = this.#places.get(dir);
    const place = known?.version === this.#version ? known : this.#look(dir);
    this.#latestDir = place === undefined ? NONE : dir;
    this.#latest = place;
    return place;
  }

  /** From the directory above, which is known nearly always. */
  #look(dir: NodeId): Place | undefined {
    const own = this.#nodePaths.nameOf(dir);
    const above = own === undefined ? undefined : this.#placeOf(own.parent);
    if (own === undefined || above === undefined) return this.#lookByPath(dir);
    const path = join(above.path, own.name);
    const stands = this.#nodePaths.standsAt(dir, above, own.name);
    const isHome = stands === 'home';
    const state = this.#stateIn(above, own.name, stands ?? 'home');
    const plain = state === above.state ? above.plain : this.#factOf(state, true);
    const ruled = this.#rules.namesIn(path);
    const mayHide = state === 'hidden' || ruled.hides;
    const place = { dir, path, isHome, version: this.#version, state, ruled, mayHide, plain };
    this.#places.set(dir, place);
    return place;
  }

  #lookByPath(dir: NodeId): Place | undefined {
    const { view: path, base } = this.#nodePaths.whereIs(dir) ?? {};
    if (path === undefined) return undefined;
    const state = this.#rules.stateOf(path);
    const ruled = this.#rules.namesIn(path);
    const [isHome, mayHide] = [path === base, state === 'hidden' || ruled.hides];
    const place = {
      dir,
      path,
      isHome,
      version: this.#version,
      state,
      ruled,
      mayHide,
      plain: this.#factOf(state, true),
    };
    this.#places.set(dir, place);
    return place;
  }
}

/**
 * Says of each access what comes of it: OK, EACCES, ENOENT (hidden), or LATER (somebody is being asked). What state a
 * node is in is kept by node id with the number of the rules' version: a change of rules, or a directory that moves,
 * makes a new version and walks nothing.
 */
import { type Caller, type Entry, LATER } from '../fuse/filesystem.ts';
import type { Lookout } from '../staging/lookout.ts';
import { type BytePath, type Ino, join, type Name, type NodeId, toBytes } from '../sys/bytes.ts';
import { EACCES, ENOENT, type Errno, OK } from '../sys/errno.ts';
import { S_IFDIR, S_IFMT } from '../sys/stat.ts';
import type { Asker, Decider, GatedOp } from './asker.ts';
import type { GateLog } from './gate-log.ts';
import type { Identities } from './identities.ts';
import type { Rules } from './rules.ts';
import { type Access, answerOf, isAtLeastAsStrict, STATES, type State, strictest } from './states.ts';

export interface JudgeParts {
  readonly lookout: Lookout;
  readonly asker: Asker;
  readonly log: GateLog;
  readonly identities: Identities;
}

interface Act {
  readonly access: Access;
  readonly op: GatedOp;
  readonly caller: Caller;
}

/** What the path of a directory says, and whether the base has its original there. */
interface Place {
  readonly path: BytePath;
  readonly version: number;
  readonly state: State;
  readonly isHome: boolean;
}

/** A state in a number, beside the version: `STATES` has fewer. */
const STATE_BASE = 16;

export class Judge {
  readonly #parts: JudgeParts;
  /** By node id: version * STATE_BASE + state + 1. */
  readonly #states: number[] = [];
  readonly #places = new Map<NodeId, Place>();
  /** Of the directory that was asked for last. */
  #latest: Place | undefined;
  #latestDir: NodeId | undefined;
  /** By node id: it has one name alone, so there is none to look for. */
  readonly #single: boolean[] = [];
  /** What was made where a rule asks, by the leave that it took, and the rule. */
  readonly #made = new Map<NodeId, Decider>();
  #rules: Rules;
  #version = 1;

  constructor(rules: Rules, parts: JudgeParts) {
    this.#rules = rules;
    this.#parts = parts;
    parts.identities.setRules(rules);
  }

  get rules(): Rules {
    return this.#rules;
  }

  setRules(rules: Rules): void {
    this.#rules = rules;
    this.#parts.identities.setRules(rules);
    this.turned();
  }

  /** Another tree is shown, or other rules count: what was made before is asked about like everything else. */
  turned(): void {
    this.#made.clear();
    this.moved();
  }

  /** Paths are not what they were. */
  moved(): void {
    this.#version += 1;
  }

  /** The kernel forgot a node, whose number may become another's. */
  dropped(nodeId: NodeId): void {
    this.#made.delete(nodeId);
    this.#places.delete(nodeId);
    if (nodeId === this.#latestDir) this.#latest = undefined;
    this.forget(nodeId);
  }

  /** A node has another name now. */
  forget(nodeId: NodeId): void {
    this.#states[nodeId] = 0;
    this.#single[nodeId] = false;
  }

  /**
   * A new name, which was let through. Where a rule asks, nobody is asked about it again: there is nothing of the host's in it.
   * Somewhere else, where another rule decides, it is asked about.
   */
  made(parent: NodeId, name: Name, nodeId: NodeId): void {
    if (answerOf(this.stateOf(parent), 'write') !== 'ask') return;
    const dir = this.#parts.lookout.pathOf(parent);
    if (dir !== undefined) this.#made.set(nodeId, this.#rules.explain(join(dir, name)).rule);
  }

  stateOf(nodeId: NodeId): State {
    const packed = this.#states[nodeId] ?? 0;
    const version = Math.floor(packed / STATE_BASE);
    const known = STATES[(packed % STATE_BASE) - 1];
    if (version === this.#version && known !== undefined) return known;
    // Without a name it stays what it was.
    const state = this.#find(nodeId, known);
    this.#states[nodeId] = this.#version * STATE_BASE + STATES.indexOf(state) + 1;
    return state;
  }

  stateOfName(parent: NodeId, name: Name): State {
    const place = this.#placeOf(parent);
    if (place === undefined) return this.stateOf(parent);
    if (!this.#rules.mayName(place.path, name)) return place.state;
    return this.#rules.stateOf(join(place.path, name));
  }

  /** A name of a file was looked up: if it has others, what this one's rules refuse holds for all. */
  saw(parent: NodeId, name: Name, { nodeId, stat }: Entry): void {
    const isSingle = stat.nlink < 2 || (stat.mode & S_IFMT) === S_IFDIR;
    this.#single[nodeId] = isSingle;
    if (isSingle) return;
    if (this.#parts.identities.add(stat.ino as Ino, this.stateOfName(parent, name))) this.forget(nodeId);
  }

  /** Access to what exists. */
  node(nodeId: NodeId, act: Act): Errno {
    const state = this.stateOf(nodeId);
    if (answerOf(state, act.access) === 'pass') return OK;
    const { view, base } = this.#parts.lookout.whereIs(nodeId) ?? {};
    const path = view ?? base;
    return path === undefined ? EACCES : this.#decide(state, path, { ...act, nodeId });
  }

  /** A name that is made, changed or removed. */
  name(parent: NodeId, name: Name, act: Act): Errno {
    const state = this.stateOfName(parent, name);
    if (answerOf(state, act.access) === 'pass') return OK;
    const dir = this.#parts.lookout.pathOf(parent);
    if (dir === undefined) return this.node(parent, act);
    return this.#decide(state, join(dir, name), {
      ...act,
      nodeId: this.#parts.lookout.childOf(parent, name)?.nodeId ?? parent,
    });
  }

  /** Access through a descriptor that was opened when that was fine. Nobody is asked again. */
  opened(nodeId: NodeId, act: Act): Errno {
    const state = this.stateOf(nodeId);
    if (state !== 'deny' && state !== 'hidden') return OK;
    const path = this.#parts.lookout.pathOf(nodeId);
    if (path !== undefined) this.#note(path, { state, pattern: this.#rules.explain(path).rule.pattern }, act);
    return EACCES;
  }

  /** Whether a node may get the name `name` in `parent` beside its own: a laxer name is as good as write access. */
  link(nodeId: NodeId, to: { parent: NodeId; name: Name }, act: Act): Errno {
    const isStricter = isAtLeastAsStrict(this.stateOfName(to.parent, to.name), this.stateOf(nodeId));
    return this.node(nodeId, isStricter ? { ...act, access: 'read' } : act);
  }

  /** Whether what has the name `from`, which may be changed, may be moved: it may have rules by another name. */
  move(nodeId: NodeId, from: { parent: NodeId; name: Name }, act: Act): Errno {
    return this.stateOf(nodeId) === this.stateOfName(from.parent, from.name) ? OK : this.node(nodeId, act);
  }

  #find(nodeId: NodeId, before: State | undefined): State {
    const named = this.#single[nodeId] === true ? undefined : this.#parts.identities.stateOf(nodeId);
    const state = this.#inherited(nodeId) ?? this.#stateByPaths(nodeId, before);
    return named === undefined ? state : strictest(state, named);
  }

  /** Most files have what their directory has: no paths are made to find that out. */
  #inherited(nodeId: NodeId): State | undefined {
    const own = this.#parts.lookout.ownName(nodeId);
    if (own === undefined) return undefined;
    const place = this.#placeOf(own.parent);
    return place?.isHome === true && !this.#rules.mayName(place.path, own.name) ? place.state : undefined;
  }

  #placeOf(dir: NodeId): Place | undefined {
    if (dir === this.#latestDir && this.#latest?.version === this.#version) return this.#latest;
    const known = this.#places.get(dir);
    const place = known?.version === this.#version ? known : this.#look(dir);
    this.#latestDir = dir;
    this.#latest = place;
    return place;
  }

  #look(dir: NodeId): Place | undefined {
    const { view, base } = this.#parts.lookout.whereIs(dir) ?? {};
    if (view === undefined) return undefined;
    const place = { path: view, version: this.#version, state: this.#rules.stateOf(view), isHome: view === base };
    this.#places.set(dir, place);
    return place;
  }

  #stateByPaths(nodeId: NodeId, before: State | undefined): State {
    const where = this.#parts.lookout.whereIs(nodeId);
    const own = where?.view === undefined ? before : this.#rules.stateOf(where.view);
    const original =
      where?.base === undefined || where.base === where.view ? undefined : this.#rules.stateOf(where.base);
    let state = own ?? original ?? 'allow';
    // What must not be read under its name in the base must not be read under another.
    if (original === 'deny' || original === 'hidden') state = strictest(state, original);
    return state;
  }

  /** `nodeId`: what is accessed; for a name that stands for nothing yet, its directory. */
  #decide(state: State, path: BytePath, { nodeId, ...act }: Act & { readonly nodeId: NodeId }): Errno {
    const answer = answerOf(state, act.access);
    if (answer === 'absent') return ENOENT;
    const { rule } = this.#rules.explain(path);
    if (answer === 'ask') {
      if (this.#made.get(nodeId) === rule) return OK;
      const verdict = this.#parts.asker.ask({ path, ...act, rule });
      if (verdict !== 'refuse') return verdict === 'pass' ? OK : LATER;
    } else {
      this.#note(path, { state, pattern: rule.pattern }, act);
    }
    return EACCES;
  }

  #note(path: BytePath, { state, pattern }: Pick<Decider, 'state' | 'pattern'>, { access, op, caller }: Act): void {
    this.#parts.log.refused({ access, op, path, state, pattern: toBytes(pattern) }, caller);
  }
}

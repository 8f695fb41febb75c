/** Says of each access what comes of it: OK, EACCES, ENOENT (hidden), or LATER (somebody is being asked). */
import { type Caller, LATER } from '../fuse/filesystem.ts';
import type { Invalidation } from '../staging/invalidation.ts';
import type { NodePaths } from '../staging/names/node-paths.ts';
import { type BytePath, join, type Name, type NodeId, toBytes } from '../sys/bytes.ts';
import { EACCES, ENOENT, type Errno, OK } from '../sys/errno.ts';
import { S_IFLNK, S_IFMT, type Stat } from '../sys/stat.ts';
import type { Asker, Decider, GatedOp } from './asker.ts';
import type { GateLog } from './gate-log.ts';
import type { Identities } from './identities.ts';
import { NodeStates } from './node-states.ts';
import type { Rules } from './rules.ts';
import { type Access, answerOf, isAtLeastAsStrict, isClosed, type State } from './states.ts';

export interface JudgeOptions {
  readonly nodePaths: NodePaths;
  readonly asker: Asker;
  readonly log: GateLog;
  readonly identities: Identities;
  /** Hears of symlinks that are denied or hidden, when they are looked up. */
  readonly onClosedLink?: (path: BytePath) => void;
}

interface Act {
  readonly access: Access;
  readonly op: GatedOp;
  readonly caller: Caller;
}

export class Judge {
  /** Of what exists, and of names. */
  readonly states: NodeStates;
  readonly #options: JudgeOptions;
  /** What was made where a rule asks, by the leave that it took, and the rule. */
  readonly #made = new Map<NodeId, Decider>();
  #rules: Rules;

  constructor(rules: Rules, options: JudgeOptions) {
    this.#rules = rules;
    this.#options = options;
    this.states = new NodeStates(rules, options.nodePaths, options.identities);
    // Not when the kernel says that it forgets: what we have looked up ourselves (sight.ts) it never knew.
    options.nodePaths.whenFreed((nodeId) => this.#dropped(nodeId));
  }

  get rules(): Rules {
    return this.#rules;
  }

  setRules(rules: Rules): void {
    this.#rules = rules;
    this.#made.clear();
    this.states.setRules(rules);
  }

  /** The same rules, and some for what is closed by a link: what was made with leave stays so. */
  addRules(rules: Rules): void {
    this.#rules = rules;
    this.states.setRules(rules);
  }

  /** A name that is denied or hidden was looked up. */
  sawClosed(parent: NodeId, name: Name, { mode }: Stat): void {
    const { onClosedLink, nodePaths } = this.#options;
    if (onClosedLink === undefined || (mode & S_IFMT) !== S_IFLNK) return;
    const dir = nodePaths.pathOf(parent);
    if (dir !== undefined) onClosedLink(join(dir, name));
  }

  /**
   * Another tree is shown, or another base: what was made before is asked about like everything else. Returns what the kernel must forget:
   * of names that stand for a secret what was born in the view may be the base's now, or the other way round.
   */
  turned(): readonly Invalidation[] {
    this.#made.clear();
    this.states.moved();
    const { nodePaths } = this.#options;
    return [...this.states.twofold].flatMap((nodeId) => {
      const path = nodePaths.pathOf(nodeId);
      const known = path === undefined ? [{ nodeId }] : [...nodePaths.below(path)];
      return known.map((one): Invalidation => ({ kind: 'inode', nodeId: one.nodeId }));
    });
  }

  /**
   * A new name, which was let through. Where a rule asks, nobody is asked about it again: there is nothing of the host's in it.
   * Somewhere else, where another rule decides, it is asked about. Of a directory on the way to what is allowed nobody was asked.
   */
  made(parent: NodeId, name: Name, nodeId: NodeId): void {
    this.states.made(parent, name, nodeId);
    if (answerOf(this.states.stateOf(parent), 'write') !== 'ask') return;
    const dir = this.#options.nodePaths.pathOf(parent);
    if (dir === undefined) return;
    const path = join(dir, name);
    if (!this.#rules.leadsToAllowed(path)) this.#made.set(nodeId, this.#deciderOf(path, this.states.stateOf(nodeId)));
  }

  /** Access to what exists. */
  node(nodeId: NodeId, act: Act): Errno {
    const state = this.states.stateOf(nodeId);
    if (answerOf(state, act.access) === 'pass') return OK;
    const { view, base } = this.#options.nodePaths.whereIs(nodeId) ?? {};
    const path = view ?? base;
    return path === undefined ? EACCES : this.#decide(state, path, { ...act, nodeId });
  }

  /** A name that is made, changed or removed. */
  name(parent: NodeId, name: Name, act: Act): Errno {
    const state = this.states.stateOfName(parent, name);
    if (answerOf(state, act.access) === 'pass') return OK;
    const dir = this.#options.nodePaths.pathOf(parent);
    if (dir === undefined) return this.node(parent, act);
    return this.#decide(state, join(dir, name), {
      ...act,
      nodeId: this.#options.nodePaths.childOf(parent, name)?.nodeId ?? parent,
    });
  }

  /** Access through a descriptor that was opened when that was fine. Nobody is asked again. */
  opened(nodeId: NodeId, act: Act): Errno {
    const state = this.states.stateOf(nodeId);
    if (!isClosed(state)) return OK;
    const path = this.#options.nodePaths.pathOf(nodeId);
    if (path !== undefined) this.#note(path, { state, pattern: this.#rules.explain(path).rule.pattern }, act);
    return EACCES;
  }

  /** Whether a node may get the name `name` in `parent` beside its own: a laxer name is as good as write access. */
  link(nodeId: NodeId, to: { parent: NodeId; name: Name }, act: Act): Errno {
    const isStricter = isAtLeastAsStrict(this.states.stateOfName(to.parent, to.name), this.states.stateOf(nodeId));
    return this.node(nodeId, isStricter ? { ...act, access: 'read' } : act);
  }

  /** Whether what has the name `from`, which may be changed, may be moved: it may have rules by another name. */
  move(nodeId: NodeId, from: { parent: NodeId; name: Name }, act: Act): Errno {
    return this.states.stateOf(nodeId) === this.states.stateOfName(from.parent, from.name)
      ? OK
      : this.node(nodeId, act);
  }

  /** `nodeId`: what is accessed; for a name that stands for nothing yet, its directory. */
  #decide(state: State, path: BytePath, { nodeId, ...act }: Act & { readonly nodeId: NodeId }): Errno {
    const answer = answerOf(state, act.access);
    if (answer === 'absent') return ENOENT;
    const rule = this.#deciderOf(path, state);
    if (answer === 'ask') {
      if (this.#made.get(nodeId) === rule) return OK;
      if (act.op === 'mkdir' && this.#rules.leadsToAllowed(path)) return OK;
      const verdict = this.#options.asker.ask({ path, ...act, rule });
      if (verdict !== 'refuse') return verdict === 'pass' ? OK : LATER;
    } else {
      this.#note(path, { state, pattern: rule.pattern }, act);
    }
    return EACCES;
  }

  /** The rule for what is in that state there: of what was made in the view it may be another one. */
  #deciderOf(path: BytePath, state: State): Decider {
    const said = this.#rules.explain(path);
    return (said.state === state ? said : this.#rules.forBorn.explain(path)).rule;
  }

  #note(path: BytePath, { state, pattern }: Pick<Decider, 'state' | 'pattern'>, { access, op, caller }: Act): void {
    this.#options.log.refused({ access, op, path, state, pattern: toBytes(pattern) }, caller);
  }

  /** A node id is free, and may become another's. */
  #dropped(nodeId: NodeId): void {
    this.#made.delete(nodeId);
    this.states.dropped(nodeId);
  }
}

/**
 * Rules hold for a file under all its names. Names that the view makes are judged when they are made; this is about
 * those that the base has already: a hard link of `~/.ssh/id` in the project. Names that the view has looked up are noted as they come;
 * files that strict rules are for, and those of the project that globs deny or hide, are found by inode number, with the first access to
 * any file with several names after the rules have changed.
 */
import type { DirectorySink, FileSystem } from '../fuse/filesystem.ts';
import type { BaseTree } from '../staging/base-tree.ts';
import type { NodePaths } from '../staging/names/node-paths.ts';
import { type BytePath, components, type Ino, type Name, type NodeId, toBytePath } from '../sys/bytes.ts';
import { S_IFDIR, S_IFMT, type Stat } from '../sys/stat.ts';
import { closedBelow, realOf } from './follow.ts';
import type { Rules } from './rules.ts';
import { isClosed, type State, strictest } from './states.ts';

/** Names that are looked at below strict rules, all in all: it must not take longer than an eye blinks. */
const MOST_NAMES = 10_000;
const ROOT = 1 as NodeId;

export interface IdentityOptions {
  /** Without rules. */
  readonly fs: FileSystem;
  readonly nodePaths: NodePaths;
  readonly base: Pick<BaseTree, 'statPath' | 'numberOf'>;
  /** The directory in which is looked for what globs deny or hide. */
  readonly project: string;
  /** A name was looked up by which a file is closed from now on. */
  readonly onClosed: () => void;
  /** There was more to look at than is looked at. */
  readonly onFull: () => void;
}

export class Identities {
  readonly #options: IdentityOptions;
  #rules: Rules | undefined;
  #states: Map<Ino, State> | undefined;
  /** The same of files that have one name in the view; the base may have more. */
  readonly #singles = new Map<Ino, State>();
  #left = 0;

  constructor(options: IdentityOptions) {
    this.#options = options;
  }

  setRules(rules: Rules): void {
    this.#rules = rules;
    this.#states = undefined;
  }

  /** What rules for other names of the same file say, if there are any. */
  stateOf(nodeId: NodeId): State | undefined {
    const attr = this.#options.fs.getattr(nodeId);
    if (typeof attr === 'number' || attr.stat.nlink < 2 || (attr.stat.mode & S_IFMT) === S_IFDIR) return undefined;
    this.#states ??= this.#index();
    return this.#states.get(attr.stat.ino as Ino);
  }

  /**
   * What rules for names of a file say of it, by its number, whatever its names in the view are now; `allow` for one that no strict rule
   * names. Two file systems may have files of one number, so nobody is kept from opening one by this.
   */
  stateOfIno(ino: Ino): State {
    this.#states ??= this.#index();
    return strictest(this.#states.get(ino) ?? 'allow', this.#singles.get(ino) ?? 'allow');
  }

  /** A file with several names has one of this state; false if that is no news. */
  add(ino: Ino, state: State): boolean {
    if (!isClosed(state)) return false;
    this.#states ??= this.#index();
    const known = this.#states.get(ino) ?? 'allow';
    const both = strictest(known, state);
    this.#states.set(ino, both);
    if (both !== known) this.#options.onClosed();
    return both !== known;
  }

  #index(): Map<Ino, State> {
    const states = new Map<Ino, State>();
    this.#singles.clear();
    for (const { parent, name, path, ino } of this.#options.nodePaths.otherNames()) {
      const state = this.#rules?.stateOfName(path, () => this.#options.nodePaths.baseOf(parent, name)) ?? 'allow';
      if (isClosed(state)) states.set(ino, strictest(states.get(ino) ?? 'allow', state));
    }
    this.#left = MOST_NAMES;
    const way = new HeldWay(this.#options.fs);
    for (const { pattern, decider, isFinal } of this.#rules?.all ?? []) {
      // In the registry of sessions no name is another's, and there may be many.
      if (pattern.path === undefined || decider.state === 'allow' || isFinal) continue;
      // Of a directory only what must not be read at all is worth the walk.
      const isDeep = isClosed(decider.state);
      const nodeId = way.to(pattern.path);
      if (nodeId !== undefined) this.#note(nodeId, { path: pattern.path, states, isDeep });
    }
    way.leave();
    if (this.#left <= 0) this.#options.onFull();
    this.#noteGlobs(states);
    return states;
  }

  /** Of what globs close the base is asked: the view may have moved it, and its other names stand for the same file. */
  #noteGlobs(states: Map<Ino, State>): void {
    if (this.#rules === undefined) return;
    for (const path of closedBelow(this.#rules.all, toBytePath(realOf(this.#options.project))).files) {
      const stat = this.#options.base.statPath(path);
      if (typeof stat !== 'number') this.#noteFile(path, stat, states);
    }
  }

  #noteFile(path: BytePath, { ino, nlink }: Stat, several: Map<Ino, State>): void {
    const state = this.#rules?.stateOf(path) ?? 'allow';
    const states = nlink > 1 ? several : this.#singles;
    states.set(ino as Ino, strictest(states.get(ino as Ino) ?? 'allow', state));
  }

  #note(nodeId: NodeId, job: { path: BytePath; states: Map<Ino, State>; isDeep: boolean }): void {
    const attr = this.#options.fs.getattr(nodeId);
    if (typeof attr === 'number') return;
    if ((attr.stat.mode & S_IFMT) === S_IFDIR) {
      if (job.isDeep) this.#descend(nodeId, job);
    } else {
      this.#noteFile(job.path, attr.stat, job.states);
    }
  }

  #descend(dir: NodeId, job: { path: BytePath; states: Map<Ino, State>; isDeep: boolean }): void {
    for (const name of this.#list(dir)) {
      if (this.#left-- <= 0) return;
      const path = `${job.path}/${name}` as BytePath;
      this.#child(dir, name, (nodeId) => this.#note(nodeId, { ...job, path }));
    }
  }

  #list(dir: NodeId): Name[] {
    const names: Name[] = [];
    const sink: DirectorySink = {
      fits: () => names.length < this.#left,
      add: (name) => {
        if (name !== '.' && name !== '..') names.push(name);
      },
    };
    this.#options.fs.readdir(dir, 0, sink, false);
    return names;
  }

  #child(dir: NodeId, name: Name, use: (nodeId: NodeId) => void): void {
    const entry = this.#options.fs.lookup(dir, name);
    if (typeof entry === 'number' || entry.nodeId === 0) return;
    use(entry.nodeId);
    this.#options.fs.forget(entry.nodeId, 1);
  }
}

/**
 * Finds nodes by their paths, one after the other. The nodes on the way to one are held until the next is asked for: paths that rules name,
 * or that somebody asks about, are in few directories, and looking up each from the root takes most of the time.
 */
export class HeldWay {
  readonly #fs: FileSystem;
  readonly #held: { readonly name: Name; readonly nodeId: NodeId }[] = [];

  constructor(fs: FileSystem) {
    this.#fs = fs;
  }

  /** The node at a path, which is held until the next call; undefined where there is none. */
  to(path: BytePath): NodeId | undefined {
    const names = components(path);
    const shared = this.#held.findIndex(({ name }, depth) => name !== names[depth]);
    this.#leaveFrom(shared === -1 ? this.#held.length : shared);
    for (const name of names.slice(this.#held.length)) {
      const entry = this.#fs.lookup(this.#last, name);
      if (typeof entry === 'number' || entry.nodeId === 0) return undefined;
      this.#held.push({ name, nodeId: entry.nodeId });
    }
    return this.#last;
  }

  /** Holds nothing any more. */
  leave(): void {
    this.#leaveFrom(0);
  }

  get #last(): NodeId {
    return this.#held.at(-1)?.nodeId ?? ROOT;
  }

  #leaveFrom(depth: number): void {
    for (const { nodeId } of this.#held.splice(depth).reverse()) this.#fs.forget(nodeId, 1);
  }
}

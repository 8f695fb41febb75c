/**
 * Symlinks by which a rule closes something: a name that a glob denies or hides, looked up in the view, that turns out to be a link.
 * From then on the rule holds for what it leads to, under all names of that. (follow.ts knows of others before.)
 */
import type { FileSystem } from '../fuse/filesystem.ts';
import { type BytePath, components, join, type Name, type NodeId, ROOT, splitPath } from '../sys/bytes.ts';
import { S_IFDIR, S_IFLNK, S_IFMT } from '../sys/stat.ts';
import { isMeant, leadsElsewhere } from './follow.ts';
import { exactPattern } from './pattern/pattern.ts';
import { type Rule, Rules } from './rules.ts';
import { isAtLeastAsStrict, isClosed } from './states.ts';

/** Each is a rule more. */
const MOST_LINKS = 1_000;
/** As many as the kernel follows. */
const MOST_HOPS = 40;
const TOP = 1 as NodeId;

export class ClosedLinks {
  readonly #fs: FileSystem;
  readonly #links = new Set<BytePath>();

  /** `fs` without rules. */
  constructor(fs: FileSystem) {
    this.#fs = fs;
  }

  /** A link that `rules` deny or hide was looked up: whether it leads to something that they leave open. */
  saw(link: BytePath, rules: Rules): boolean {
    if (this.#links.has(link) || this.#links.size >= MOST_LINKS || this.#leadOf(link, rules) === undefined)
      return false;
    this.#links.add(link);
    return true;
  }

  /** The rules, and those for what such links lead to now. */
  with(rules: readonly Rule[]): readonly Rule[] {
    if (this.#links.size === 0) return rules;
    const plain = new Rules(rules);
    return [...rules, ...[...this.#links].flatMap((link) => this.#leadOf(link, plain) ?? [])];
  }

  #leadOf(link: BytePath, rules: Rules): Rule | undefined {
    const { state, rule } = rules.explain(link);
    if (!isClosed(state)) return undefined;
    const found = this.#resolve(link);
    if (found === undefined || !leadsElsewhere(link, found.path)) return undefined;
    if (!isMeant({ decider: rule }, found.isDirectory) || isAtLeastAsStrict(rules.stateOf(found.path), state))
      return undefined;
    return { pattern: exactPattern(found.path, rule.pattern), decider: { ...rule, state } };
  }

  /** Where a path of the view leads, whether something is there or not; undefined for a circle. */
  #resolve(path: BytePath): { readonly path: BytePath; readonly isDirectory: boolean } | undefined {
    const held: NodeId[] = [];
    try {
      return this.#walk(path, held);
    } finally {
      for (const nodeId of held) this.#fs.forget(nodeId, 1);
    }
  }

  #walk(path: BytePath, held: NodeId[]): { readonly path: BytePath; readonly isDirectory: boolean } | undefined {
    let at = ROOT;
    /** The nodes of `at` and of what is above it. */
    let nodes: NodeId[] = [TOP];
    let rest: readonly string[] = components(path);
    let isDirectory = true;
    for (let hops = 0; rest.length > 0; ) {
      const [name = '', ...more] = rest;
      rest = more;
      if (name === '..') {
        at = splitPath(at)?.dir ?? ROOT;
        if (nodes.length > 1) nodes = nodes.slice(0, -1);
      }
      if (name === '' || name === '.' || name === '..') continue;
      const entry = this.#fs.lookup(nodes.at(-1) ?? TOP, name as Name);
      if (typeof entry === 'number' || !('stat' in entry))
        return { path: [at === ROOT ? '' : at, name, ...rest].join('/') as BytePath, isDirectory: false };
      held.push(entry.nodeId);
      const type = entry.stat.mode & S_IFMT;
      isDirectory = type === S_IFDIR;
      if (type !== S_IFLNK) {
        at = join(at, name as Name);
        nodes = [...nodes, entry.nodeId];
        continue;
      }
      const target = this.#fs.readlink(entry.nodeId);
      if (typeof target === 'number' || ++hops > MOST_HOPS) return undefined;
      if (target.startsWith('/')) [at, nodes] = [ROOT, [TOP]];
      rest = [...target.split('/'), ...rest];
    }
    return { path: at, isDirectory };
  }
}

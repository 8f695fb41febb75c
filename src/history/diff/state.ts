/** One state: an override tree over the base, by path and by what is in it. */

import type { Inode } from '../../staging/inode.ts';
import { TOMBSTONE, viewPath } from '../../staging/inode.ts';
import { isInPlace, stagedDentries } from '../../staging/names/staged-names.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { BytePath, Name } from '../../sys/bytes.ts';
import { components, join, ROOT } from '../../sys/bytes.ts';
import { PathMap } from '../../sys/path-map.ts';
import { S_IFDIR, S_IFMT } from '../../sys/stat.ts';
import type { Facts } from './facts.ts';
import { listIfCheap } from './levels.ts';
import { hasManyNames, type Key, keyOf, linkOf, linkOfStat, type Node, nodeOf } from './node.ts';

/** A node and its path in the state. */
export interface Located {
  readonly path: BytePath;
  readonly node: Node;
}

interface Dentry {
  readonly dir: Inode;
  readonly name: Name;
  readonly child: Inode;
}

/** Nodes from one downward, as far as there are any. */
interface Way {
  readonly from: Node;
  readonly names: readonly Name[];
  readonly nodes: Node[];
}

export class State {
  readonly root: Node;
  /** Files of the base with hard links that something is staged about. */
  readonly linked: Set<Inode>;
  readonly #tree: OverrideTree;
  readonly #facts: Facts;
  /** Names that do not follow from where the base has things: of what moved, was born, or has several names. */
  readonly #places = new PathMap<Dentry | Dentry[], Key>();
  /** What was listed of base directories of which many names are asked for. */
  readonly #listed = new Map<BytePath, ReadonlySet<Name> | undefined>();

  /** The next path that is asked for is mostly beside the last one, or below it. */
  #way: Way;

  constructor(tree: OverrideTree, facts: Facts) {
    this.#tree = tree;
    this.linked = new Set(tree.linked.values());
    this.#facts = facts;
    this.root = {
      inode: tree.root,
      origin: ROOT,
      type: S_IFDIR,
      stat: undefined,
    };
    this.#way = { from: this.root, names: [], nodes: [] };
    for (const dentry of stagedDentries(tree.root)) this.#index(dentry);
  }

  /** What a name in a directory of the state stands for. */
  child(dir: Node, name: Name): Node | undefined {
    const dentry = dir.inode?.children?.get(name);
    if (dentry === TOMBSTONE) return undefined;
    if (dentry?.staged !== undefined) return this.#known(dir, name, dentry);
    if (dir.origin === undefined || dir.type !== S_IFDIR) return undefined;
    if (this.#listed.get(dir.origin)?.has(name) === false) return undefined;
    const stat = this.#facts.at(dir.origin, name);
    if (stat === undefined) return undefined;
    const type = stat.mode & S_IFMT;
    const link = type === S_IFDIR ? undefined : linkOfStat(stat);
    const other = link === undefined ? undefined : this.#tree.linked.get(link);
    const inode = other?.staged === undefined ? undefined : other;
    return { inode, origin: join(dir.origin, name), type, stat };
  }

  /** A name that is overridden. A second name of one file has a base entry of its own. */
  #known(dir: Node, name: Name, inode: Inode): Node {
    const node = nodeOf(inode);
    if (dir.origin === undefined || linkOf(inode) === undefined) return node;
    const origin = join(dir.origin, name);
    if (origin === node.origin) return node;
    return linkOfStat(this.#facts.at(dir.origin, name)) === linkOf(inode) ? { ...node, origin } : node;
  }

  /** The names in a directory about which something is staged, or that are deleted. */
  staged(dir: Node): Name[] {
    const names: Name[] = [];
    for (const [name, child] of dir.inode?.children ?? []) {
      if (child === TOMBSTONE || child.staged !== undefined) names.push(name);
    }
    return names;
  }

  /** All names of a directory, those of deleted entries too. */
  names(dir: Node): Name[] {
    const listed = dir.origin === undefined ? [] : (this.#facts.list(dir.origin) ?? []);
    return [...this.staged(dir), ...listed.map(({ name }) => name)];
  }

  /** Says that `count` names of a directory will be asked for. */
  prepare({ origin, type }: Node, count: number): void {
    if (origin === undefined || type !== S_IFDIR || this.#listed.has(origin)) return;
    if (this.#listed.size > 100) this.#listed.clear();
    this.#listed.set(origin, listIfCheap(origin, count, this.#facts));
  }

  /** What is at a path. */
  at(path: BytePath): Node | undefined {
    return this.#descend(this.root, components(path));
  }

  /** Where this state shows a node of another state; in order of paths, more than one for several names. */
  locate(node: Node): Located[] {
    const key = keyOf(node);
    const found = new Map<BytePath, Node>();
    for (const dentry of this.#placesOf(key)) this.#note(found, dentry);
    if (found.size === 0 || [node, ...found.values()].some(hasManyNames)) {
      for (const original of this.#originals(node.origin, key)) found.set(original.path, original.node);
    }
    if (found.size < 2) return [...found].map(([path, only]) => ({ path, node: only }));
    return [...found].map(([path, one]) => ({ path, node: one })).sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  #note(found: Map<BytePath, Node>, { dir, name, child }: Dentry): void {
    const at = viewPath(dir);
    if (at !== undefined) found.set(join(at, name), this.#known(nodeOf(dir), name, child));
  }

  /** The places of a base entry that follow from directories that moved, or from where the base has it. */
  *#originals(origin: BytePath | undefined, key: Key): Generator<Located> {
    if (origin === undefined) return;
    for (const { path: top, node, origin: from } of this.#tops(origin)) {
      const below = components(origin.slice(from.length) as BytePath);
      const found = this.#descend(node, below);
      if (found !== undefined && keyOf(found) === key) yield { path: below.reduce(join, top), node: found };
    }
  }

  /** What has come to another place of the base's directories around `origin`, or of itself, and the root. */
  *#tops(origin: BytePath): Generator<Located & { readonly origin: string }> {
    for (const [around] of this.#places.above(origin)) {
      for (const { dir, name, child } of this.#placesOf(around)) {
        const at = viewPath(dir);
        if (at !== undefined) yield { path: join(at, name), node: nodeOf(child), origin: around };
      }
    }
    yield { path: ROOT, node: this.root, origin: '' };
  }

  #descend(from: Node, names: readonly Name[]): Node | undefined {
    const { nodes } = this.#wayFrom(from, names);
    for (let at = nodes.at(-1) ?? from; nodes.length < names.length; ) {
      const below = this.child(at, names[nodes.length] as Name);
      if (below === undefined) return undefined;
      nodes.push(below);
      at = below;
    }
    return nodes.at(-1) ?? from;
  }

  /** The last way down becomes the one by `names`, as far as both are the same. */
  #wayFrom(from: Node, names: readonly Name[]): Way {
    const last = this.#way;
    const nodes = last.from.inode === from.inode && last.from.origin === from.origin ? last.nodes : [];
    const differs = nodes.findIndex((_, depth) => last.names[depth] !== names[depth]);
    if (differs >= 0) nodes.length = differs;
    this.#way = { from, names, nodes };
    return this.#way;
  }

  #placesOf(key: Key): readonly Dentry[] {
    const places = this.#places.get(key);
    if (places === undefined) return [];
    return Array.isArray(places) ? places : [places];
  }

  #index(dentry: Dentry): void {
    const { dir, name, child } = dentry;
    const isLink = linkOf(child) !== undefined;
    if (isLink) this.linked.add(child);
    if (!isLink && isInPlace(dir, name, child)) return;
    const key = keyOf(nodeOf(child));
    const before = this.#places.get(key);
    if (before === undefined) this.#places.set(key, dentry);
    else if (Array.isArray(before)) before.push(dentry);
    else this.#places.set(key, [before, dentry]);
  }
}

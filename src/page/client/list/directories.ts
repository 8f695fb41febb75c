/** The directories that entries lie in; what was made of a hundred thousand entries grows with the next ones. */
import type { Choice, GroupName, ShownEntry } from '../../protocol.ts';
import { choiceOf, current, type State } from '../state/store.ts';

export interface Directory {
  readonly entries: readonly Leaf[];
  /** What changed of the directory itself. */
  readonly own: ShownEntry | undefined;
  /** Entries in it and below, with its own. */
  readonly count: number;
}

export interface Leaf {
  readonly name: string;
  readonly entry: ShownEntry;
  /** As it is shown: made when that is first, and kept, as there may be a hundred thousand. */
  row?: EntryRow;
}

export interface EntryRow {
  readonly kind: 'entry';
  readonly key: string;
  readonly level: number;
  readonly entry: ShownEntry;
  readonly name: string;
}

class Node implements Directory {
  readonly directories = new Map<string, Node>();
  readonly entries: Leaf[] = [];
  own: ShownEntry | undefined;
  count = 0;
  /** As they are shown; undefined: not since another one came. */
  sorted: readonly (readonly [name: string, Node])[] | undefined;
}

/** A path from the project on, where it lies in it. */
export function shortPath(path: string, project: string): string {
  return path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path;
}

export class Tree {
  readonly top: Directory;
  readonly #top = new Node();
  readonly #project: string;
  /** Entries of one directory mostly stand together. */
  #last = { directory: '', way: [this.#top] };

  constructor(project: string) {
    this.#project = project;
    this.top = this.#top;
  }

  add(entries: readonly ShownEntry[]): void {
    for (const entry of entries) {
      const path = shortPath(entry.path, this.#project);
      if (entry.type === 'directory') {
        const way = this.#wayTo(path.split('/'));
        for (const node of way) node.count += 1;
        const node = way.at(-1);
        if (node !== undefined) node.own = entry;
        continue;
      }
      const cut = path.lastIndexOf('/');
      const directory = path.slice(0, Math.max(0, cut));
      if (directory !== this.#last.directory || cut === 0)
        this.#last = { directory, way: this.#wayTo(cut === -1 ? [] : directory.split('/')) };
      for (const node of this.#last.way) node.count += 1;
      this.#last.way.at(-1)?.entries.push({ name: path.slice(cut + 1), entry });
    }
  }

  /** The directories from the top to one, made where they are missing. */
  #wayTo(words: readonly string[]): Node[] {
    let node = this.#top;
    const way = [node];
    for (const word of words) {
      const below = node.directories.get(word) ?? new Node();
      if (!node.directories.has(word)) node.sorted = undefined;
      node.directories.set(word, below);
      node = below;
      way.push(node);
    }
    return way;
  }
}

const trees = new WeakMap<readonly ShownEntry[], Tree>();

/** Made of these entries while they came. */
export function keepTree(entries: readonly ShownEntry[], tree: Tree): void {
  trees.set(entries, tree);
}

/** Made anew only of entries that it was not made of. */
export function treeOf(entries: readonly ShownEntry[], project: string): Directory {
  const known = trees.get(entries);
  if (known !== undefined) return known.top;
  const tree = new Tree(project);
  tree.add(entries);
  trees.set(entries, tree);
  return tree.top;
}

/** Those in a directory by their names; one that holds nothing but another one is shown together with it. */
export function directoriesIn(directory: Directory): readonly (readonly [name: string, Directory])[] {
  if (!(directory instanceof Node)) return [];
  directory.sorted ??= [...directory.directories].sort(byName);
  return directory.sorted.map(([name, node]) => joined(name, node));
}

function joined(first: string, directory: Node): readonly [name: string, Directory] {
  let [name, node] = [first, directory];
  while (node.own === undefined && node.entries.length === 0 && node.directories.size === 1) {
    for (const [word, only] of node.directories) [name, node] = [`${name}/${word}`, only];
  }
  return [name, node];
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The entries of a directory of the list, with its own. */
export function entriesBelow({
  group,
  path,
}: {
  readonly group: GroupName;
  readonly path: string;
}): readonly ShownEntry[] {
  const { entries, review } = current();
  const [project, start] = [review?.project ?? '', `${path}/`];
  return (entries.get(group) ?? []).filter((entry) => {
    const short = shortPath(entry.path, project);
    return short === path || short.startsWith(start);
  });
}

let decided: { readonly choices: State['choices'] | undefined; readonly of: Map<Directory, Choice> } = {
  choices: undefined,
  of: new Map(),
};

/** What is decided of all that is in a directory and below; found once for each state of the decisions. */
export function choiceBelow(directory: Directory, choices: State['choices']): Choice {
  if (decided.choices !== choices) decided = { choices, of: new Map() };
  const known = decided.of.get(directory) ?? choiceOfAll(directory, choices);
  decided.of.set(directory, known);
  return known;
}

function choiceOfAll(directory: Directory, choices: State['choices']): Choice {
  let all: Choice | undefined = directory.own && choiceOf(directory.own, choices);
  const isAnother = (choice: Choice): boolean => {
    all ??= choice;
    return choice !== all || choice === 'mixed';
  };
  for (const { entry } of directory.entries) if (isAnother(choiceOf(entry, choices))) return 'mixed';
  for (const [, below] of directoriesIn(directory)) if (isAnother(choiceBelow(below, choices))) return 'mixed';
  return all ?? 'leave';
}

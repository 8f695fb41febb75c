/** The list's rows: groups, directories, entries. Directories with one thing in them are one row with it. */
import type { Group, GroupName, ShownEntry } from '../../protocol.ts';
import { choiceOf, type Filter, type State } from '../state/store.ts';
import { isOpenAtFirst } from '../text/words.ts';

export type Row =
  | { readonly kind: 'group'; readonly key: string; readonly level: 1; readonly group: Group; readonly isOpen: boolean }
  | {
      readonly kind: 'directory';
      readonly key: string;
      readonly level: number;
      readonly group: GroupName;
      readonly path: string;
      readonly name: string;
      readonly count: number;
      /** What changed of the directory itself. */
      readonly entry: ShownEntry | undefined;
      readonly isOpen: boolean;
    }
  | {
      readonly kind: 'entry';
      readonly key: string;
      readonly level: number;
      readonly entry: ShownEntry;
      readonly name: string;
    };

export interface RowsOptions {
  readonly groups: readonly Group[];
  readonly entries: ReadonlyMap<GroupName, readonly ShownEntry[]>;
  readonly choices: State['choices'];
  readonly filter: Filter;
  readonly toggled: ReadonlySet<string>;
  /** Where the project lies: its paths are told from there. */
  readonly project: string;
  /** Whole paths instead of directories. */
  readonly flat: boolean;
}

export function rowsOf(options: RowsOptions): Row[] {
  return options.groups
    .filter(({ count }) => count > 0)
    .flatMap((group): Row[] => {
      const key = `group:${group.name}`;
      const isOpen = isOpenAtFirst(group.name) !== options.toggled.has(key) || isFiltering(options.filter);
      const head: Row = { kind: 'group', key, level: 1, group, isOpen };
      if (!isOpen) return [head];
      const all = options.entries.get(group.name) ?? [];
      const passes = isFiltering(options.filter) ? filterOf(options) : undefined;
      const shown = passes === undefined ? all : all.filter(passes);
      const rows = options.flat ? flatRows(shown, options) : treeRows(shown, group.name, options);
      return rows.length === 0 && isFiltering(options.filter) ? [] : [head, ...rows];
    });
}

export function isFiltering({ text, choice, change }: Filter): boolean {
  return text.trim() !== '' || choice !== 'all' || change !== 'all';
}

function filterOf({ filter, choices }: RowsOptions): (entry: ShownEntry) => boolean {
  const { text, choice, change } = filter;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return (entry) => {
    if (choice !== 'all' && choiceOf(entry, choices) !== choice) return false;
    if (change !== 'all' && entry.change !== change) return false;
    const path = words.length === 0 ? '' : entry.path.toLowerCase();
    return words.every((word) => path.includes(word));
  };
}

/** A path from the project on, where it lies in it. */
export function shortPath(path: string, project: string): string {
  return path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path;
}

function flatRows(entries: readonly ShownEntry[], { project }: RowsOptions): Row[] {
  return entries.map((entry) =>
    rowOf(entry, 2, shortPath(entry.path, project) + (entry.type === 'directory' ? '/' : '')),
  );
}

function rowOf(entry: ShownEntry, level: number, name: string): Row {
  return { kind: 'entry', key: `entry:${entry.id}`, level, entry, name };
}

interface Node {
  readonly directories: Map<string, Node>;
  readonly entries: { readonly name: string; readonly entry: ShownEntry }[];
  /** What changed of the directory itself. */
  own: ShownEntry | undefined;
  count: number;
}

/** Of a hundred thousand entries the tree is not made twice. */
const trees = new WeakMap<readonly ShownEntry[], Node>();

function treeRows(entries: readonly ShownEntry[], group: GroupName, options: RowsOptions): Row[] {
  const node = trees.get(entries) ?? treeOf(entries, options.project);
  trees.set(entries, node);
  const rows: Row[] = [];
  addRows(rows, { node, path: '', level: 2, group, options });
  return rows;
}

function treeOf(entries: readonly ShownEntry[], project: string): Node {
  const top = newNode();
  // Entries of one directory mostly stand together.
  let [at, way] = ['', [top]];
  for (const entry of entries) {
    const path = shortPath(entry.path, project);
    if (entry.type === 'directory') {
      addDirectory(top, path.split('/'), entry);
      continue;
    }
    const cut = path.lastIndexOf('/');
    const directory = path.slice(0, Math.max(0, cut));
    if (directory !== at || cut === 0) [at, way] = [directory, wayTo(top, cut === -1 ? [] : directory.split('/'))];
    for (const node of way) node.count += 1;
    way.at(-1)?.entries.push({ name: path.slice(cut + 1), entry });
  }
  return top;
}

function addDirectory(top: Node, words: readonly string[], entry: ShownEntry): void {
  const way = wayTo(top, words);
  for (const node of way) node.count += 1;
  const node = way.at(-1);
  if (node !== undefined) node.own = entry;
}

/** The nodes from the top to a directory, made where they are missing. */
function wayTo(top: Node, words: readonly string[]): Node[] {
  const way = [top];
  let node = top;
  for (const word of words) {
    const below = node.directories.get(word) ?? newNode();
    node.directories.set(word, below);
    node = below;
    way.push(node);
  }
  return way;
}

interface Walk {
  readonly node: Node;
  readonly path: string;
  readonly level: number;
  readonly group: GroupName;
  readonly options: RowsOptions;
}

function addRows(rows: Row[], walk: Walk): void {
  const { node, level, group, options } = walk;
  for (const [first, below] of [...node.directories].sort(byName)) {
    let [name, inner] = [first, below];
    while (inner.own === undefined && inner.entries.length === 0 && inner.directories.size === 1) {
      for (const [word, only] of inner.directories) [name, inner] = [`${name}/${word}`, only];
    }
    const path = walk.path === '' ? name : `${walk.path}/${name}`;
    const { count, own } = inner;
    if (own !== undefined && count === 1) {
      rows.push(rowOf(own, level, `${name}/`));
      continue;
    }
    const key = `directory:${group}:${path}`;
    const isOpen = !options.toggled.has(key) || isFiltering(options.filter);
    rows.push({
      kind: 'directory',
      key,
      level,
      group,
      path,
      name: name === '' ? '/' : name,
      count,
      entry: own,
      isOpen,
    });
    if (isOpen) addRows(rows, { ...walk, node: inner, path, level: level + 1 });
  }
  for (const { name, entry } of node.entries) rows.push(rowOf(entry, level, name));
}

function newNode(): Node {
  return { directories: new Map(), entries: [], own: undefined, count: 0 };
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

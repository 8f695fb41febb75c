/** The list's rows: groups, directories, entries. Directories with one thing in them are one row with it. */
import type { Group, GroupName, ShownEntry } from '../../protocol.ts';
import { choiceOf, type Filter, type State } from '../state/store.ts';
import { isOpenAtFirst } from '../text/words.ts';
import { type Directory, directoriesIn, type EntryRow, type Leaf, shortPath, treeOf } from './directories.ts';

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
      readonly directory: Directory;
      readonly isOpen: boolean;
    }
  | EntryRow;

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

/** Entries of a new directory that are listed without being asked for. */
const FEW = 20;

type Passes = (entry: ShownEntry) => boolean;

export function rowsOf(options: RowsOptions): Row[] {
  const passes = isFiltering(options.filter) ? filterOf(options) : undefined;
  const rows: Row[] = [];
  for (const group of options.groups) {
    if (group.count === 0) continue;
    const key = `group:${group.name}`;
    const isOpen = isOpenAtFirst(group.name) !== options.toggled.has(key) || passes !== undefined;
    const before = rows.push({ kind: 'group', key, level: 1, group, isOpen });
    if (!isOpen) continue;
    const all = options.entries.get(group.name) ?? [];
    if (options.flat) addFlatRows(rows, all, passes, options.project);
    else
      addRows(rows, {
        directory: treeOf(all, options.project),
        path: '',
        level: 2,
        group: group.name,
        options,
        passes,
      });
    if (passes !== undefined && rows.length === before) rows.pop();
  }
  return rows;
}

export function isFiltering({ text, choice, change }: Filter): boolean {
  return text.trim() !== '' || choice !== 'all' || change !== 'all';
}

function filterOf({ filter, choices }: RowsOptions): Passes {
  const { text, choice, change } = filter;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return (entry) => {
    if (choice !== 'all' && choiceOf(entry, choices) !== choice) return false;
    if (change !== 'all' && entry.change !== change) return false;
    const path = words.length === 0 ? '' : entry.path.toLowerCase();
    return words.every((word) => path.includes(word));
  };
}

function addFlatRows(rows: Row[], entries: readonly ShownEntry[], passes: Passes | undefined, project: string): void {
  for (const entry of entries) {
    if (passes !== undefined && !passes(entry)) continue;
    rows.push(rowOf(entry, 2, shortPath(entry.path, project) + (entry.type === 'directory' ? '/' : '')));
  }
}

function rowOf(entry: ShownEntry, level: number, name: string): EntryRow {
  return { kind: 'entry', key: `entry:${entry.id}`, level, entry, name };
}

function rowOfLeaf(leaf: Leaf, level: number): EntryRow {
  if (leaf.row?.level !== level) leaf.row = rowOf(leaf.entry, level, leaf.name);
  return leaf.row;
}

interface Walk {
  readonly directory: Directory;
  readonly path: string;
  readonly level: number;
  readonly group: GroupName;
  readonly options: RowsOptions;
  /** Undefined: all do. */
  readonly passes: Passes | undefined;
}

/** Of what passes, in the directory and below; how many entries these are. */
function addRows(rows: Row[], walk: Walk): number {
  const { directory, level, passes } = walk;
  let found = 0;
  for (const [name, below] of directoriesIn(directory)) found += addDirectory(rows, walk, name, below);
  for (const leaf of directory.entries) {
    if (passes !== undefined && !passes(leaf.entry)) continue;
    rows.push(rowOfLeaf(leaf, level));
    found += 1;
  }
  return found;
}

/** One that is new as a whole, with much in it, is a line of its own: what was changed is not to be looked for around it. */
function isDirectoryOpenAtFirst({ own, count }: Directory): boolean {
  return own?.change !== 'added' || count <= FEW;
}

function addDirectory(rows: Row[], walk: Walk, name: string, directory: Directory): number {
  const { level, group, options, passes } = walk;
  const { own } = directory;
  const isOwn = own !== undefined && (passes === undefined || passes(own));
  // Outside of the project the first name is empty: the root.
  const path = level === 2 ? name : `${walk.path}/${name}`;
  const key = `directory:${group}:${path}`;
  const isOpen = isDirectoryOpenAtFirst(directory) !== options.toggled.has(key) || passes !== undefined;
  const place = rows.length;
  const row = {
    kind: 'directory',
    key,
    level,
    group,
    path,
    name: name === '' ? '/' : name,
    directory,
    isOpen,
  } as const;
  rows.push({ ...row, count: directory.count });
  const below = isOpen
    ? addRows(rows, { ...walk, directory, path, level: level + 1 })
    : directory.count - (isOwn ? 1 : 0);
  const count = below + (isOwn ? 1 : 0);
  if (count === 0) rows.length = place;
  else if (below === 0 && own !== undefined) rows[place] = rowOf(own, level, `${name}/`);
  else if (passes !== undefined) rows[place] = { ...row, count };
  return count;
}

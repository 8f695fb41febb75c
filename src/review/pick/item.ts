/** A line of a list of changes: what is decided alone in it is found when somebody asks, as that reads contents. */
import type { PathChange, Side } from '../../history/diff/path-change.ts';
import type { FoldKind } from '../folds.ts';
import { splitUnit, type Unit } from './units.ts';

export type Group = 'project' | 'outside' | FoldKind;

export type ItemFacts = Pick<Item, 'group' | 'what' | 'change' | 'members' | 'gate'>;

/** A line of the list. */
export class Item {
  readonly group: Group;
  readonly what: 'file' | 'directory' | 'rename' | FoldKind;
  readonly change: PathChange;
  /** What is decided with it. */
  readonly members: readonly PathChange[];
  readonly files: number;
  /** The move of a directory that it came along with. */
  readonly gate: Unit | undefined;
  readonly #read: () => readonly Unit[];
  #units: readonly Unit[] | undefined;

  constructor(said: ItemFacts, read: () => readonly Unit[]) {
    this.group = said.group;
    this.what = said.what;
    this.change = said.change;
    this.members = said.members;
    this.files = said.members.filter(({ type }) => type !== 'directory').length;
    this.gate = said.gate;
    this.#read = read;
  }

  get isRead(): boolean {
    return this.#units !== undefined;
  }

  /** Reads contents, the first time. */
  units(): readonly Unit[] {
    this.#units ??= this.#read();
    return this.#units;
  }

  /** Puts the blocks of a hunk in its place; nothing where it has but one. */
  split(unit: Unit): readonly Unit[] {
    const parts = splitUnit(unit);
    if (parts.length > 1) this.#units = this.units().flatMap((one) => (one === unit ? parts : [one]));
    return parts;
  }

  /** The same as long as nothing has been staged for it since. */
  get stamp(): string {
    const told = ({ path, change, from, oldSide, newSide }: PathChange): string =>
      [change, path, from ?? '', sideStamp(oldSide), sideStamp(newSide)].join('\0');
    return [this.what, told(this.change), ...this.members.map(told)].join('\0');
  }
}

/** The same as long as content, mode and owner are. */
export function sideStamp(side: Side | undefined): string {
  if (side === undefined) return '-';
  const { backing, mode, uid, gid } = side;
  return [...Object.values(backing), mode, uid, gid].join(' ');
}

/** The list of a review: groups, each with its items. What runs later outside comes first of all, the folded last. */
import { showPath, type Viewpoint } from '../../../agents/show-path.ts';
import type { Notice } from '../../../history/commit/notices/notices.ts';
import type { Item } from '../../../review/pick/item.ts';
import type { Folded } from '../../../review/review.ts';
import type { BytePath } from '../../../sys/bytes.ts';
import { foldText } from '../folded-text.ts';

export interface Group {
  readonly title: string;
  readonly items: readonly Item[];
}

/** A line of the list: a group's title, or one of its items. */
export interface Row {
  readonly group: Group;
  readonly item?: Item;
  readonly text: string;
}

export interface Listed {
  readonly items: readonly Item[];
  readonly folded: readonly Folded[];
  /** What a person should know of a path. */
  readonly notices: ReadonlyMap<BytePath, readonly Notice[]>;
}

const LETTERS = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R', metadata: 'm' } as const;

export function rowsOf({ items, folded, notices }: Listed, from: Viewpoint): readonly Row[] {
  const isFirst = (item: Item): boolean => isSingle(item) && notices.has(item.change.path);
  const groups: Group[] = [
    { title: 'Look at this first', items: items.filter(isFirst) },
    { title: 'Your project', items: items.filter((item) => item.group === 'project' && !isFirst(item)) },
    { title: 'Outside the project', items: items.filter((item) => item.group === 'outside' && !isFirst(item)) },
    { title: 'Folded', items: items.filter((item) => !isSingle(item)) },
  ];
  return groups
    .filter((group) => group.items.length > 0)
    .flatMap((group) => [
      { group, text: `${group.title} (${group.items.length})` },
      ...group.items.map((item) => ({ group, item, text: itemText(item, folded, from) })),
    ]);
}

/** Not a fold. */
function isSingle({ group }: Item): boolean {
  return group === 'project' || group === 'outside';
}

function itemText(item: Item, folded: readonly Folded[], from: Viewpoint): string {
  const { change, what, files } = item;
  const fold = folded.find(({ kind }) => kind === what);
  if (fold !== undefined) return foldText(fold, from);
  const path = showPath(change.path, from, change.type);
  return `${LETTERS[change.change]} ${path}${what === 'directory' ? ` (${files})` : ''}`;
}

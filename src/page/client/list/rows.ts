/** The list's rows as they are now, and the way through them. */
import { fail } from '../state/messages.ts';
import { open } from '../state/place.ts';
import { loadGroup } from '../state/session.ts';
import { current, type Open, type State, update, usePart } from '../state/store.ts';
import { isOpenAtFirst } from '../text/words.ts';
import { type Row, rowsOf } from './tree.ts';

/** They matter only to a filter. */
const NO_CHOICES: State['choices'] = new Map();

let known: { readonly by: readonly unknown[]; readonly rows: readonly Row[] } = { by: [], rows: [] };

/** Made anew only where something that they show is another. */
function rowsIn(state: State): readonly Row[] {
  const { review, entries, filter, toggled, settings } = state;
  const choices = filter.choice === 'all' ? NO_CHOICES : state.choices;
  const by = [review?.groups, entries, choices, filter, toggled, settings.flat];
  if (known.rows.length > 0 && by.every((part, index) => part === known.by[index])) return known.rows;
  const { groups = [], project = '' } = review ?? {};
  known = { by, rows: rowsOf({ groups, entries, choices, filter, toggled, project, flat: settings.flat }) };
  return known.rows;
}

export function useRows(): readonly Row[] {
  return usePart(rowsIn);
}

export function keyOf(what: Open | undefined): string | undefined {
  if (what === undefined) return undefined;
  if (what.kind === 'entry') return `entry:${what.id}`;
  return what.kind === 'group' ? `group:${what.name}` : `directory:${what.group}:${what.path}`;
}

export function openOf(row: Row): Open {
  if (row.kind === 'entry') return { kind: 'entry', id: row.entry.id };
  if (row.kind === 'group') return { kind: 'group', name: row.group.name };
  return { kind: 'directory', group: row.group, path: row.path };
}

export function openNow(): Open | undefined {
  const { place } = current();
  return place.tab === 'changes' ? place.open : undefined;
}

/** Opens the row that stands `by` rows further; with `entries`, only entries count. */
export function step(by: 1 | -1, entries: boolean): void {
  const rows = rowsIn(current());
  const key = keyOf(openNow());
  const at = rows.findIndex((row) => row.key === key);
  for (let next = at === -1 && by === -1 ? rows.length - 1 : at + by; next >= 0 && next < rows.length; next += by) {
    const row = rows[next];
    if (row === undefined || (entries && row.kind !== 'entry')) continue;
    open(openOf(row));
    return;
  }
}

/** Where there is room for it, and the address says nothing else, the first file is open from the start. */
export function openFirst(): void {
  const { place, isWide } = current();
  if (isWide && place.tab === 'changes' && place.open === undefined) step(1, true);
}

/** Opens or closes a group or a directory of the list. */
export function toggle(row: Row, isOpen?: boolean): void {
  if (row.kind === 'entry' || row.isOpen === isOpen) return;
  const toggled = new Set(current().toggled);
  if (!toggled.delete(row.key)) toggled.add(row.key);
  update({ toggled });
  if (row.kind === 'group' && isOpenAtFirst(row.group.name) !== toggled.has(row.key)) {
    void loadGroup(row.group.name).catch(fail);
  }
}

/** What was decided on the screen, as orders for the daemon. */
import type { Item } from '../../../review/pick/item.ts';
import { type Decision, decidedUnits, type Plan, planOf } from '../../../review/pick/plan.ts';
import type { Container, Unit } from '../../../review/pick/units.ts';
import type { BytePath } from '../../../sys/bytes.ts';
import type { ReviewScreen } from './screen.ts';

export interface Orders extends Plan {
  /** Everything is taken: no keys are needed, only that nothing is staged after what was shown. */
  readonly isAll: boolean;
  /** Of very many files that are taken as a whole, instead of keys: they are committed as the snapshot has them. */
  readonly paths: readonly BytePath[];
  readonly rejectedUnits: readonly Unit[];
}

/** Items that are read because they are taken. */
const MOST_READ = 2000;

/** Reads what was decided as a whole and never shown, unless that is very much. */
export function ordersOf(screen: ReviewScreen, containers: readonly Container[]): Orders {
  const { decisions, shown } = screen;
  const taken = shown.items.filter((item) => decisions.stateOf(item) === 'take');
  const isAll = taken.length === shown.items.length;
  const isMany = !isAll && taken.length > MOST_READ && taken.every(arePlainFiles);
  const orders = ordersBy(screen, containers, { isAll, unread: new Set(isMany ? taken : []) });
  if (!isMany) return { ...orders, isAll, paths: [] };
  // A part of a file is told by keys, and a directory of which all is taken: then all is.
  if (orders.take.length > 0)
    return { ...ordersBy(screen, containers, { isAll, unread: new Set() }), isAll, paths: [] };
  return { ...orders, isAll, paths: taken.flatMap(({ members }) => members.map(({ path }) => path)) };
}

interface How {
  readonly isAll: boolean;
  /** Items that are taken without their keys. */
  readonly unread: ReadonlySet<Item>;
}

function ordersBy(
  screen: ReviewScreen,
  containers: readonly Container[],
  { isAll, unread }: How,
): Omit<Orders, 'isAll' | 'paths'> {
  const decided = screen.shown.items.flatMap((item) => {
    if (unread.has(item)) return [{ unit: standIn(item), decision: 'take' as const }];
    if (isAll || screen.decisions.stateOf(item) === undefined) return [{ unit: standIn(item), decision: undefined }];
    return item.units().flatMap((unit) => decidedUnits(unit, screen.partOf(item, unit)));
  });
  const said = new Map<Unit, Decision | undefined>(decided.map(({ unit, decision }) => [unit, decision]));
  const units = [...said.keys()];
  const rejectedUnits = units.filter((unit) => said.get(unit) === 'reject');
  const plan = planOf({ units, containers: isAll ? [] : containers }, (unit) => said.get(unit));
  return { ...plan, rejectedUnits };
}

/** Files that did not come along with a directory: its path stands for all that is below it, whatever was decided of that. */
function arePlainFiles({ what, gate, change, members }: Item): boolean {
  const arePlain = [change, ...members].every(({ type, displaced }) => type !== 'directory' && displaced !== true);
  return arePlain && what !== 'rename' && gate === undefined;
}

/** In place of what is not read. */
function standIn({ change, files }: Item): Unit {
  return { what: 'whole', change, keys: [], lines: [], files };
}

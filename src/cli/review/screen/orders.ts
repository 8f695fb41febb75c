/** What was decided on the screen, as orders for the daemon. */
import type { Item } from '../../../review/pick/item.ts';
import { type Decision, type Plan, planOf } from '../../../review/pick/plan.ts';
import type { Container, Unit } from '../../../review/pick/units.ts';
import type { ReviewScreen } from './screen.ts';

export interface Orders extends Plan {
  /** Everything is taken: no keys are needed, only that nothing is staged after what was shown. */
  readonly isAll: boolean;
  readonly refusedUnits: readonly Unit[];
}

/** Reads what was decided as a whole and never shown. */
export function ordersOf(screen: ReviewScreen, containers: readonly Container[]): Orders {
  const { decisions, shown } = screen;
  const isAll = shown.items.every((item) => decisions.stateOf(item) === 'take');
  const owners = new Map<Unit, Item>();
  const units = shown.items.flatMap((item) => {
    if (isAll || decisions.stateOf(item) === undefined) return [standIn(item)];
    for (const unit of item.units()) owners.set(unit, item);
    return item.units();
  });
  const said = (unit: Unit): Decision | undefined => {
    const item = owners.get(unit);
    const decision = item === undefined ? undefined : screen.saidOf(item, unit);
    return decision === 'leave' ? undefined : decision;
  };
  const refusedUnits = units.filter((unit) => said(unit) === 'refuse');
  return { ...planOf({ units, containers: isAll ? [] : containers }, said), isAll, refusedUnits };
}

/** Of what nothing is decided, so that its directory is not either. */
function standIn({ change, files }: Item): Unit {
  return { what: 'whole', change, keys: [], lines: [], files };
}

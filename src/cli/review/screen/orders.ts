/** What was decided on the screen, as orders for the daemon. */
import type { Item } from '../../../review/pick/item.ts';
import { decidedUnits, type Plan, planOf } from '../../../review/pick/plan.ts';
import type { Container, Unit } from '../../../review/pick/units.ts';
import type { ReviewScreen } from './screen.ts';

export interface Orders extends Plan {
  /** Everything is taken: no keys are needed, only that nothing is staged after what was shown. */
  readonly isAll: boolean;
  readonly rejectedUnits: readonly Unit[];
}

/** Reads what was decided as a whole and never shown. */
export function ordersOf(screen: ReviewScreen, containers: readonly Container[]): Orders {
  const { decisions, shown } = screen;
  const isAll = shown.items.every((item) => decisions.stateOf(item) === 'take');
  const decided = shown.items.flatMap((item) => {
    if (isAll || decisions.stateOf(item) === undefined) return [{ unit: standIn(item), decision: undefined }];
    return item.units().flatMap((unit) => decidedUnits(unit, screen.partOf(item, unit)));
  });
  const said = new Map(decided.map(({ unit, decision }) => [unit, decision]));
  const units = [...said.keys()];
  const rejectedUnits = units.filter((unit) => said.get(unit) === 'reject');
  const plan = planOf({ units, containers: isAll ? [] : containers }, (unit) => said.get(unit));
  return { ...plan, isAll, rejectedUnits };
}

/** Of what nothing is decided, so that its directory is not either. */
function standIn({ change, files }: Item): Unit {
  return { what: 'whole', change, keys: [], lines: [], files };
}

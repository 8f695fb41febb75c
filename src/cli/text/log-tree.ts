/**
 * The tree of an epoch's markers, drawn the newest first: the branch that leads to the present in the first column,
 * and each abandoned branch above the marker that it left from.
 *
 *     @      7
 *     ●      6  travel to 2
 *     │ ○    5
 *     │ ○    3
 *     ├─╯
 *     ●      2
 *
 * Below a branch the one with the most markers goes straight on, so that the drawing is at most as wide as the
 * logarithm of their number.
 */
import { type Epoch, liveMarkers, type Marker, parentIndex } from '../../history/timeline/segments.ts';
import type { Gen } from '../../sys/bytes.ts';
import { appendTo } from '../../sys/grouped.ts';

export interface Row {
  readonly graph: string;
  /** Number of the marker in its epoch, from 1; 0 is the base; undefined: only lines. */
  readonly index: number | undefined;
  readonly live: boolean;
}

interface Branches {
  readonly children: ReadonlyMap<number, readonly number[]>;
  /** Markers that follow from one, itself counted. */
  readonly sizes: readonly number[];
  readonly live: ReadonlySet<number>;
}

/** Yields the rows, the base's the last. `hidden`: markers, by their number, that are left out with all that follows from them. */
export function drawTree(epoch: Epoch, hidden: ReadonlySet<number> = new Set()): Generator<Row, void, undefined> {
  return drawBranch(branchesOf(epoch, hidden), 0, '');
}

/** Numbers of the travels that led nowhere: left again, and nothing was changed before or after. */
export function idleTravels(epoch: Epoch, touched: (marker: Gen) => number): ReadonlySet<number> {
  const live = liveMarkers(epoch);
  const idle = new Set<number>();
  const parents = new Set<number>();
  for (let index = epoch.markers.length; index > 0; index--) {
    const marker = epoch.markers[index - 1];
    if (marker === undefined) continue;
    const { generation } = marker;
    const isIdle = isOfTravel(marker, epoch.markers[index - 2]) && !live.has(generation) && !parents.has(index);
    if (isIdle && touched(generation) === 0) idle.add(index);
    else parents.add(parentIndex(epoch, index));
  }
  return idle;
}

/** Also the snapshot that a travel across a commit leads to, which has its name. */
function isOfTravel({ kind, name }: Marker, before: Marker | undefined): boolean {
  if (kind === 'travel') return name === '';
  return before?.carried === true && name === `state of ${before.target}`;
}

function branchesOf(epoch: Epoch, hidden: ReadonlySet<number>): Branches {
  const children = new Map<number, number[]>();
  const sizes = [1, ...epoch.markers.map(() => 1)];
  const live = new Set([0]);
  const generations = liveMarkers(epoch);
  for (let index = epoch.markers.length; index > 0; index--) {
    if (hidden.has(index)) continue;
    const parent = parentIndex(epoch, index);
    sizes[parent] = (sizes[parent] ?? 1) + (sizes[index] ?? 1);
    appendTo(children, parent, index);
    const generation = epoch.markers[index - 1]?.generation;
    if (generation !== undefined && generations.has(generation)) live.add(index);
  }
  return { children, sizes, live };
}

/** A branch from its first marker on, in the column after `left`. */
function* drawBranch(branches: Branches, first: number, left: string): Generator<Row, void, undefined> {
  const line = [first];
  for (let next = straightOn(branches, first); next !== undefined; next = straightOn(branches, next)) line.push(next);
  for (const index of line.reverse()) {
    const main = straightOn(branches, index);
    for (const other of branches.children.get(index) ?? []) {
      if (other === main) continue;
      yield* drawBranch(branches, other, `${left}│ `);
      yield { graph: `${left}├─╯`, index: undefined, live: true };
    }
    const live = branches.live.has(index);
    yield { graph: `${left}${live ? '●' : '○'}`, index, live };
  }
}

/** The child that stays in its parent's column. */
function straightOn({ children, sizes, live }: Branches, index: number): number | undefined {
  const all = children.get(index) ?? [];
  const alive = live.has(index) ? all.find((child) => live.has(child)) : undefined;
  if (alive !== undefined) return alive;
  return all.reduce<number | undefined>(
    (best, child) => (best === undefined || (sizes[child] ?? 0) > (sizes[best] ?? 0) ? child : best),
    undefined,
  );
}

/** Where each snapshot stands in the drawing: a lane for each branch, the present one first. */
import type { TimelineEntry } from '../../protocol.ts';

export interface Place {
  readonly entry: TimelineEntry;
  /** From the top, the latest first. */
  readonly row: number;
  readonly lane: number;
}

export interface Edge {
  readonly from: Place;
  readonly to: Place;
}

export interface Drawing {
  readonly places: readonly Place[];
  readonly edges: readonly Edge[];
  readonly lanes: number;
}

/** The oldest come first, as the server has them. A parent that is not among them has no edge. */
export function drawingOf(entries: readonly TimelineEntry[]): Drawing {
  const places = new Map<number, Place>();
  const edges: Edge[] = [];
  /** The generation that each lane ended with so far. */
  const tips: number[] = [];
  entries.forEach((entry, index) => {
    const parent = places.get(entry.parent);
    const lane = laneFor(entry, parent, tips);
    tips[lane] = entry.generation;
    const place = { entry, row: entries.length - 1 - index, lane };
    places.set(entry.generation, place);
    if (parent !== undefined) edges.push({ from: parent, to: place });
  });
  return { places: [...places.values()].reverse(), edges, lanes: Math.max(1, tips.length) };
}

function laneFor(entry: TimelineEntry, parent: Place | undefined, tips: readonly number[]): number {
  if (entry.live) return 0;
  const continued = parent !== undefined && parent.lane > 0 && tips[parent.lane] === parent.entry.generation;
  return continued ? parent.lane : Math.max(1, tips.length);
}

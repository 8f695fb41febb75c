/** What each order of a session does, in the words of the model: which tree the view and the base are afterwards. */
import type { LiveView } from '../../../src/daemon/live-view.ts';
import type { Invalidation } from '../../../src/staging/invalidation.ts';
import { UserError } from '../../../src/sys/user-error.ts';
import type { Image } from './image.ts';
import type { OrderStep } from './steps.ts';

export interface Effect {
  /** What the view shows before. */
  readonly before: Image;
  /** What it may show afterwards, in nearly all cases just one; the object `before` where nothing changes. */
  readonly views: readonly Image[];
  readonly base: Image;
  /** Gives the order; returns what the kernel must forget. */
  readonly act: () => Promise<readonly Invalidation[]>;
}

/** What is there when an order is given. */
export interface Situation {
  readonly live: LiveView;
  readonly before: Image;
  readonly base: Image;
  readonly generations: ReadonlyMap<number, readonly Image[]>;
  /** The generation in force at the last commit or abort. */
  readonly epoch: number;
}

export function orderEffect(step: OrderStep, situation: Situation): Effect {
  const { live, before, base } = situation;
  const unchanged = { before, views: [before], base };
  switch (step.order) {
    case 'snapshot': {
      const order = { name: 's\n', ifChanged: step.ifChanged, run: 0, command: undefined };
      return { ...unchanged, act: quietly(() => live.snapshot(order)) };
    }
    case 'flush':
      return { ...unchanged, act: quietly(() => live.flush()) };
    case 'commit':
      return { ...unchanged, base: before, act: quietly(() => live.commit(() => undefined)) };
    case 'travel':
      return travelEffect(step.to, situation);
    case 'abort':
      return { ...unchanged, views: [base], act: async () => live.abort().invalidations };
  }
}

function travelEffect(to: number, { live, before, base, generations, epoch }: Situation): Effect {
  const target = to % (live.generation + 1);
  const images = generations.get(target) ?? [];
  const views = target === 0 ? [base] : target <= epoch ? [...images, base] : images;
  const act = async (): Promise<readonly Invalidation[]> => live.travel(String(target)).invalidations;
  return {
    before,
    views: target < epoch ? [...views, before] : views,
    base,
    act: target < epoch ? tolerantly(act) : act,
  };
}

/** What lies before the last commit or abort may be refused. */
function tolerantly(act: Effect['act']): Effect['act'] {
  return async () => {
    try {
      return await act();
    } catch (error) {
      if (error instanceof UserError) return [];
      throw error;
    }
  };
}

/** An order after which the kernel may go on believing all it knows. */
function quietly(order: () => unknown): Effect['act'] {
  return async () => {
    await order();
    return [];
  };
}

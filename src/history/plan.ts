/**
 * What a commit would do, before it does anything: from the override tree and facts of the base to steps, or to
 * the problems that stand in the way.
 */
import type { BaseTree } from '../staging/base-tree.ts';
import type { ObjectStore } from '../staging/object-store.ts';
import type { OverrideTree } from '../staging/override-tree.ts';
import type { BytePath } from '../sys/bytes.ts';
import { countChanges } from './changes.ts';
import { atticOf } from './commits/places.ts';
import { Facts } from './compare/facts.ts';
import type { Problem } from './plan/draft.ts';
import { Planner } from './plan/planner.ts';
import { preflight } from './plan/preflight.ts';
import type { Directory, Step } from './steps.ts';
import { describeStep } from './steps.ts';

export type { Problem } from './plan/draft.ts';

export interface PlanOptions {
  readonly tree: OverrideTree;
  readonly base: BaseTree;
  readonly store: ObjectStore;
  /** The directory that holds the session's own. */
  readonly project: BytePath;
  /** Where the commit writes down what it does and keeps what it replaces, `.yolofs/commits/N`; need not exist. */
  readonly log: BytePath;
}

/** Good for one `applyPlan`: its directories move. */
export interface Plan {
  readonly steps: readonly Step[];
  /** How many paths change, as `status` counts them. */
  readonly changes: number;
  readonly store: ObjectStore;
  readonly log: BytePath;
  readonly attic: Directory;
}

/**
 * Plans a commit of everything staged. A plan without steps: there is nothing to commit. Throws SystemError when
 * the base cannot be read.
 */
export function planCommit(options: PlanOptions): Plan | { readonly problems: readonly Problem[] } {
  const { tree, base, store, project, log } = options;
  // Facts must be of now: what is kept open may have been moved meanwhile.
  base.shed();
  const draft = new Planner(tree, { facts: new Facts(base, store), project, attic: atticOf(log) }).plan();
  const { before, after } = preflight(draft);
  if (draft.problems.length > 0) return { problems: draft.problems };
  const steps = [...before, ...draft.steps(), ...after];
  return { steps, changes: countChanges({ tree, base, store }), store, log, attic: draft.attic };
}

/** The plan as lines for people, in the order of the paths. */
export function describePlan(plan: Plan): string[] {
  const lines = plan.steps.flatMap((step) => describeStep(step) ?? []);
  return [...new Set(lines)].sort();
}

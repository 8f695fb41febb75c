/**
 * What a commit would do, before it does anything: from the override tree and facts of the base to steps, or to
 * the problems that stand in the way.
 */
import type { BaseTree } from '../staging/base-tree.ts';
import type { ObjectStore } from '../staging/object-store.ts';
import type { OverrideTree } from '../staging/override-tree.ts';
import type { BytePath } from '../sys/bytes.ts';
import { countChanges } from './changes.ts';
import { Facts } from './compare/facts.ts';
import type { Problem } from './plan/draft.ts';
import { Planner } from './plan/planner.ts';
import { preflight } from './plan/preflight.ts';
import type { Step } from './steps.ts';
import { describeStep } from './steps.ts';

export type { Problem } from './plan/draft.ts';

export interface PlanOptions {
  readonly tree: OverrideTree;
  readonly base: BaseTree;
  readonly store: ObjectStore;
  /** The directory that holds the session's own. */
  readonly project: BytePath;
}

/** Good for one `applyPlan`: its steps note what was done, and its directories move. */
export interface Plan {
  readonly steps: readonly Step[];
  /** How many paths change, as `status` counts them. */
  readonly changes: number;
  readonly store: ObjectStore;
}

/**
 * Plans a commit of everything staged. A plan without steps: there is nothing to commit. Throws SystemError when
 * the base cannot be read.
 */
export function planCommit(options: PlanOptions): Plan | { readonly problems: readonly Problem[] } {
  const { tree, base, store, project } = options;
  // Facts must be of now: what is kept open may have been moved meanwhile.
  base.shed();
  const draft = new Planner(tree, { facts: new Facts(base, store), project }).plan();
  const { before, after } = preflight(draft);
  if (draft.problems.length > 0) return { problems: draft.problems };
  return { steps: [...before, ...draft.steps(), ...after], changes: countChanges({ tree, base, store }), store };
}

/** The plan as lines for people, in the order of the paths. */
export function describePlan(plan: Plan): string[] {
  const lines = plan.steps.flatMap((step) => describeStep(step) ?? []);
  return [...new Set(lines)].sort();
}

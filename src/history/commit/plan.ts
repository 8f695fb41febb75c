/**
 * What a commit would do, before it does anything: from the override tree and facts of the base to steps, or to
 * the problems that stand in the way.
 */
import type { BaseTree } from '../../staging/base-tree.ts';
import type { ObjectStore } from '../../staging/object-store.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { BytePath } from '../../sys/bytes.ts';
import { countChanges } from '../diff/changes.ts';
import { Facts, KnownFacts } from '../diff/facts.ts';
import { checkBase } from './conflict/check.ts';
import type { Conflict } from './conflict/conflict.ts';
import { concerns } from './conflict/conflict.ts';
import type { Original, OwnChanges } from './conflict/own-changes.ts';
import { type Notice, stagedNotices } from './notices/notices.ts';
import type { Problem } from './plan/draft.ts';
import { Planner } from './plan/planner.ts';
import { preflight } from './plan/preflight.ts';
import type { Directory, Step } from './plan/steps.ts';
import { describeStep } from './plan/steps.ts';
import { backupsOf } from './runner/places.ts';

export type { Conflict } from './conflict/conflict.ts';
export type { Problem } from './plan/draft.ts';

export interface PlanOptions {
  readonly tree: OverrideTree;
  readonly base: BaseTree;
  readonly store: ObjectStore;
  /** The directory that holds the session's own. */
  readonly project: BytePath;
  /** Where the commit writes down what it does and keeps what it replaces, `commits/N` of the store; need not exist. */
  readonly log: BytePath;
  /** Paths, and what is below them, of which the view's version is wanted whatever happened outside. */
  readonly ours?: readonly BytePath[];
  /** What earlier commits have touched and put back. */
  readonly ownChanges?: OwnChanges;
  /** Of now (`factsOfNow`), for who looks at the same places again. */
  readonly facts?: Facts;
}

/** Why there is no plan. Nothing has been changed. */
export type Refusal = { readonly problems: readonly Problem[] } | { readonly conflicts: readonly Conflict[] };

/** Good for one `applyPlan`: its directories move. */
export interface Plan {
  readonly steps: readonly Step[];
  /** How many paths change, as `status` counts them. */
  readonly changes: number;
  /** Files of the base that the steps may touch. */
  readonly originals: readonly Original[];
  readonly store: ObjectStore;
  readonly log: BytePath;
  readonly backups: Directory;
}

/** What is found out for a plan, and for what a person is told of it, once each. */
export function factsOfNow({ base, store }: Pick<PlanOptions, 'base' | 'store'>): Facts {
  // What is kept open may have been moved meanwhile.
  base.shed();
  return new Facts(base, store, new KnownFacts());
}

/**
 * Plans a commit of everything staged. A plan without steps: there is nothing to commit. Throws SystemError when
 * the base cannot be read.
 */
export function planCommit(options: PlanOptions): Plan | Refusal {
  const { tree, base, store, project, log, ownChanges, ours = [], facts = factsOfNow(options) } = options;
  const { conflicts, originals } = checkBase({ tree, facts, ownChanges });
  const unsettled = conflicts.filter((conflict) => !concerns(conflict, ours));
  if (unsettled.length > 0) return { conflicts: unsettled };
  const draft = new Planner(tree, { facts, project, backups: backupsOf(log) }).plan();
  const { before, after } = preflight(draft);
  if (draft.problems.length > 0) return { problems: draft.problems };
  const steps = [...before, ...draft.steps(), ...after];
  return { steps, changes: countChanges({ tree, base, store, facts }), originals, store, log, backups: draft.backups };
}

/** What people are told of a plan, before it is carried out. */
export interface PlanReview {
  /** One line each, in the order of the paths. */
  readonly steps: string[];
  readonly notices: readonly Notice[];
  readonly changes: number;
}

/** What a person is shown of the plan that was made of `tree`. */
export function reviewOf(plan: Plan, options: Omit<PlanOptions, 'log' | 'ours' | 'ownChanges'>): PlanReview {
  return { steps: describePlan(plan), notices: stagedNotices(options, options.project), changes: plan.changes };
}

/** The plan as lines for people, in the order of the paths. */
export function describePlan(plan: Plan): string[] {
  const lines = plan.steps.flatMap((step) => describeStep(step) ?? []);
  return [...new Set(lines)].sort();
}

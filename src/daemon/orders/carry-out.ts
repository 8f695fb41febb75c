/** Carrying a commit's plan out, in the FUSE thread while nothing is served. */
import { type Applied, type ApplyOptions, applyPlan, CommitError } from '../../history/commit.ts';
import { unfinishedCommits } from '../../history/commits/places.ts';
import type { OwnTouches } from '../../history/conflict/own-touches.ts';
import type { Layout } from '../../history/layout.ts';
import type { Plan } from '../../history/plan.ts';
import type { BaseTree } from '../../staging/base-tree.ts';
import { UserError } from '../../sys/user-error.ts';

export interface CarryOutParts {
  readonly layout: Layout;
  readonly base: BaseTree;
  readonly touches: OwnTouches;
}

/**
 * As `applyPlan`, but what fails, whatever it was, rejects: it was taken back, and that we were there does not look like
 * somebody's change.
 */
export async function carryOut(plan: Plan, parts: CarryOutParts, options: ApplyOptions): Promise<Applied> {
  const { layout, base, touches } = parts;
  touches.begin(plan.originals);
  try {
    const applied = await applyPlan(plan, options);
    if (applied instanceof CommitError) throw refusal(applied.message, applied.leftover);
    return applied;
  } catch (error) {
    // What is kept open by path may have been moved, and moved back.
    base.shed();
    // What could not be taken back, the next start touches again.
    if (unfinishedCommits(layout).length === 0) touches.settle(base);
    throw error;
  }
}

/** One line with the first reason, and a hint with how many more there are. */
export function refusal(what: string, reasons: readonly string[]): UserError {
  const [first, ...more] = reasons;
  const hint = more.length === 0 ? undefined : `and ${more.length} more: ${more.slice(0, 3).join('; ')}`;
  return new UserError(first === undefined ? what : `${what}: ${first}`, hint);
}

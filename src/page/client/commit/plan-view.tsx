/** What a plan would do, in the words of `commit --dry-run`. */
import type { VNode } from 'preact';
import type { PlanReply, ShownPath } from '../../protocol.ts';
import { Shown } from '../text/shown.tsx';
import { count } from '../text/words.ts';
import { Conflicts, type ConflictsProps } from './conflicts.tsx';

export interface PlanProps extends ConflictsProps {
  readonly kind: 'commit' | 'abort';
}

export function PlanView({ kind, plan, ...conflicts }: PlanProps): VNode {
  const { take, reject, mixed, leave } = plan.counts;
  return (
    <div class="plan">
      <ul class="plan-counts">
        {kind === 'commit' && <li class="choice-take">✓ {count(take, 'change')} taken: written to the real files</li>}
        <li class="choice-reject">✗ {count(reject, 'change')} rejected: thrown away</li>
        {mixed > 0 && <li class="choice-mixed">◐ {count(mixed, 'change')} decided in part</li>}
        <li class="choice-leave">○ {count(leave, 'change')} left: still staged afterwards</li>
      </ul>
      {kind === 'commit' && <Notices plan={plan} />}
      {kind === 'commit' && <Paths title="Comes along, as what was taken cannot do without" paths={plan.along} />}
      <Paths title="Cannot be thrown away yet, stays staged" paths={plan.inseparable} />
      {kind === 'commit' && <Conflicts {...{ plan, ...conflicts }} />}
      {kind === 'commit' && <Steps plan={plan} />}
    </div>
  );
}

function Notices({ plan }: { readonly plan: PlanReply }): VNode | null {
  if (plan.notices.length === 0) return null;
  return (
    <section class="notices" aria-label="What will run later">
      <h3>⚠ Will run something later</h3>
      <ul>
        {plan.notices.map(({ why, place, count: all, notices: [first] }) => {
          const named = place === undefined ? `${first?.path}` : `${all} ${place.word} ${place.path}`;
          return (
            <li key={`${named} ${why}`}>
              <Shown text={named} />: <Shown text={why} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Paths({ title, paths }: { readonly title: string; readonly paths: readonly ShownPath[] }): VNode | null {
  if (paths.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {paths.map(({ path }) => (
          <li key={path}>
            <Shown text={path} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Steps({ plan: { steps, stepCount } }: { readonly plan: PlanReply }): VNode | null {
  if (steps.length === 0) return null;
  return (
    <section>
      <h3>{count(stepCount, 'step')}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the keys */}
      <ol class="steps" tabIndex={0} aria-label="Steps">
        {steps.map((step, index) => (
          <li key={`${index} ${step}`}>
            <Shown text={step} />
          </li>
        ))}
        {stepCount > steps.length && <li>and {(stepCount - steps.length).toLocaleString('en')} more</li>}
      </ol>
    </section>
  );
}

/** The head of the page: which session, what is decided so far, and what can be done with it. */
import type { VNode } from 'preact';
import { goToTab } from '../state/place.ts';
import { type Place, update, usePart } from '../state/store.ts';
import { Shown } from '../text/shown.tsx';
import { visible } from '../text/visible.ts';
import { count } from '../text/words.ts';

const TABS: readonly { readonly tab: Place['tab']; readonly label: string }[] = [
  { tab: 'changes', label: 'Changes' },
  { tab: 'timeline', label: 'Timeline' },
  { tab: 'questions', label: 'Questions' },
  { tab: 'sessions', label: 'Sessions' },
];

export function Header(): VNode {
  const project = usePart(({ review }) => review?.project) ?? '';
  return (
    <header class="top">
      <h1 title={visible(project)}>
        <span class="brand">yolofs</span> <Shown text={project.split('/').at(-1) ?? project} />
      </h1>
      <Tabs />
      <Tally />
      <Actions />
    </header>
  );
}

function Tabs(): VNode {
  const now = usePart(({ place }) => place.tab);
  const questions = usePart((state) => state.questions);
  return (
    <nav class="tabs" aria-label="Views">
      {TABS.map(({ tab, label }) => (
        <button key={tab} type="button" aria-current={now === tab ? 'page' : undefined} onClick={() => goToTab(tab)}>
          {label}
          {tab === 'questions' && questions > 0 && <span class="badge warn">{questions}</span>}
        </button>
      ))}
    </nav>
  );
}

function Tally(): VNode {
  const counts = usePart(({ review }) => review?.counts);
  const progress = usePart((state) => state.progress);
  if (progress !== undefined) {
    const { what, done, total } = progress;
    return (
      <div class="tally" role="status">
        <label>
          <Shown text={what} /> <progress max={total} value={done} /> {done.toLocaleString('en')} of{' '}
          {total.toLocaleString('en')}
        </label>
      </div>
    );
  }
  const { take = 0, leave = 0, reject = 0, mixed = 0 } = counts ?? {};
  return (
    <div class="tally" role="status">
      {take > 0 && <span class="choice-take">✓ {take.toLocaleString('en')} taken</span>}
      {reject > 0 && <span class="choice-reject">✗ {reject.toLocaleString('en')} rejected</span>}
      {mixed > 0 && <span class="choice-mixed">◐ {mixed.toLocaleString('en')} in part</span>}
      <span class="choice-leave">
        ○ {leave.toLocaleString('en')} left of {count(take + leave + reject + mixed, 'change')}
      </span>
    </div>
  );
}

function Actions(): VNode {
  const counts = usePart(({ review }) => review?.counts);
  const isBusy = usePart(({ progress }) => progress !== undefined);
  const { take = 0, reject = 0, mixed = 0 } = counts ?? {};
  return (
    <div class="actions">
      <button
        type="button"
        class="primary"
        disabled={isBusy || take + mixed === 0}
        title="What was taken goes to the real files, what was rejected is thrown away"
        onClick={() => update({ dialog: 'commit' })}
      >
        Commit…
      </button>
      <button
        type="button"
        disabled={isBusy || reject + mixed === 0}
        title="What was rejected is thrown away, and nothing else is done"
        onClick={() => update({ dialog: 'abort' })}
      >
        Abort rejected…
      </button>
      <button type="button" disabled={isBusy} onClick={() => update({ dialog: 'undo' })}>
        Undo…
      </button>
      <button type="button" aria-label="Keys" title="Keys ( ? )" onClick={() => update({ dialog: 'help' })}>
        ?
      </button>
    </div>
  );
}

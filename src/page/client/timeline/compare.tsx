/** What differs between two snapshots: nothing is decided here. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { CompareReply } from '../../protocol.ts';
import { FileView } from '../diff/file.tsx';
import { shortPath } from '../list/directories.ts';
import { Failed } from '../parts/failed.tsx';
import { useLoaded } from '../state/load.ts';
import { goTo } from '../state/place.ts';
import { usePart } from '../state/store.ts';
import { ShownPathText } from '../text/shown.tsx';
import { amountOf, CHANGES, count } from '../text/words.ts';

const PAGE = 500;

export function Compare({ a, b }: { readonly a: number; readonly b: number }): VNode {
  const [from, setFrom] = useState(0);
  const [id, setId] = useState<string>();
  const project = usePart(({ review }) => review?.project) ?? '';
  const { reply, failure } = useLoaded<CompareReply>(`${a} ${b}`, 'compare', { a, b, from, count: PAGE });
  if (failure !== undefined) return <Failed failure={failure} />;
  if (reply === undefined) return <p class="empty">…</p>;
  return (
    <section class="compare" aria-label={`From ${a} to ${b}`}>
      <header>
        <button type="button" onClick={() => goTo({ tab: 'timeline' })}>
          ◂ Timeline
        </button>
        <h2>
          From {a} to {b}: {count(reply.total, 'change')}
        </h2>
      </header>
      <ul class="compare-list">
        {reply.entries.map((entry) => (
          <li key={entry.id}>
            <button type="button" aria-pressed={entry.id === id} onClick={() => setId(entry.id)}>
              <span class={`change change-${entry.change}`} role="img" aria-label={CHANGES[entry.change][1]}>
                {CHANGES[entry.change][0]}
              </span>
              <ShownPathText path={shortPath(entry.path, project)} />
              <span class="amount">{amountOf(entry)}</span>
            </button>
          </li>
        ))}
      </ul>
      {reply.total > PAGE && (
        <p class="pager">
          <button type="button" disabled={from === 0} onClick={() => setFrom(from - PAGE)}>
            Back
          </button>
          <button type="button" disabled={from + PAGE >= reply.total} onClick={() => setFrom(from + PAGE)}>
            Further
          </button>
        </p>
      )}
      {id !== undefined && <FileView id={id} compare={[a, b]} />}
    </section>
  );
}

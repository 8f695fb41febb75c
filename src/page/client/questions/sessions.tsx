/** The sessions of this user. */
import type { VNode } from 'preact';
import type { SessionsReply } from '../../protocol.ts';
import { Failed } from '../parts/failed.tsx';
import { useLoaded } from '../state/load.ts';
import { Shown } from '../text/shown.tsx';

export function Sessions(): VNode {
  const { reply, failure } = useLoaded<SessionsReply>('sessions', 'sessions');
  if (failure !== undefined) return <Failed failure={failure} />;
  if (reply === undefined) return <p class="empty">…</p>;
  return (
    <section class="sessions" aria-label="Sessions">
      <p class="hint">
        To review another one, run <code>yolofs review</code> in its directory.
      </p>
      <ul>
        {reply.sessions.map(({ project, isThis, live }) => (
          <li key={project} aria-current={isThis ? 'true' : undefined}>
            <Shown text={project} />{' '}
            <span class="state">
              {[isThis ? 'this one' : '', live ? 'a daemon serves it' : 'at rest'].filter(Boolean).join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

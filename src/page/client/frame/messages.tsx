/** What was done, and what failed, at the foot of the page. */
import type { VNode } from 'preact';
import { putAway } from '../state/messages.ts';
import { usePart } from '../state/store.ts';
import { Shown } from '../text/shown.tsx';

const MOST_DETAILS = 8;

export function Messages(): VNode {
  const messages = usePart((state) => state.messages);
  return (
    <div class="messages" role="log" aria-label="Messages">
      {messages.map(({ id, kind, text, details }) => (
        <div key={id} class={`message message-${kind}`}>
          <p>
            {kind === 'failed' ? '⚠ ' : '✓ '}
            <Shown text={text} />
          </p>
          {details.slice(0, MOST_DETAILS).map((detail) => (
            <p key={detail} class="detail">
              <Shown text={detail} />
            </p>
          ))}
          {details.length > MOST_DETAILS && <p class="detail">and {details.length - MOST_DETAILS} more</p>}
          <button type="button" aria-label="Put away" onClick={() => putAway(id)}>
            ✗
          </button>
        </div>
      ))}
    </div>
  );
}

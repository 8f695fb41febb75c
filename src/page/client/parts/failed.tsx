/** Something that could not be had, and what to do about it. */
import type { VNode } from 'preact';
import type { Failure } from '../../protocol.ts';
import { Shown } from '../text/shown.tsx';

export function Failed({ failure }: { readonly failure: Failure }): VNode {
  const { message, hint, details = [] } = failure;
  return (
    <div class="failed" role="alert">
      <p>
        <Shown text={message} />
      </p>
      {details.length > 0 && (
        <ul>
          {details.map((detail) => (
            <li key={detail}>
              <Shown text={detail} />
            </li>
          ))}
        </ul>
      )}
      {hint !== undefined && (
        <p class="hint">
          <Shown text={hint} />
        </p>
      )}
    </div>
  );
}

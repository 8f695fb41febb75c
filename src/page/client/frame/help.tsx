/** The keys, as they are in force. */
import type { VNode } from 'preact';
import { KEYS } from '../keys/keys.ts';
import { Dialog } from '../parts/dialog.tsx';

export function Help(): VNode {
  return (
    <Dialog title="Keys">
      <div class="help">
        {KEYS.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(({ shown, does }) => (
                <div key={shown}>
                  <dt>
                    {shown.split(' ').map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

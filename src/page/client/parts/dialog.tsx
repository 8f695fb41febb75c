/** A dialog: it takes the focus, keeps it, and gives it back; Escape closes it. */
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { update } from '../state/store.ts';

export function closeDialog(): void {
  update({ dialog: undefined });
}

export interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

export function Dialog({ title, children }: DialogProps): VNode {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    box.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={box}
      aria-labelledby="dialog-title"
      // Not `close`: that event comes later, after keys that were pressed meanwhile.
      onCancel={closeDialog}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header class="dialog-head">
        <h2 id="dialog-title">{title}</h2>
        <button type="button" aria-label="Close" onClick={closeDialog}>
          ✗
        </button>
      </header>
      {children}
    </dialog>
  );
}

/** Takes the last commit or abort back. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Failure, UndoReply } from '../../protocol.ts';
import { closeDialog, Dialog } from '../parts/dialog.tsx';
import { Failed } from '../parts/failed.tsx';
import { ApiError, post } from '../state/api.ts';
import { fail, tell } from '../state/messages.ts';
import { read } from '../state/session.ts';
import { update } from '../state/store.ts';
import { count } from '../text/words.ts';

export function UndoDialog(): VNode {
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const undo = async (): Promise<void> => {
    setBusy(true);
    try {
      const { what, changes } = await post<UndoReply>('undo', {});
      tell('done', `Took ${what} back: ${count(changes, 'change')} staged again.`);
      closeDialog();
      await read();
    } catch (error) {
      if (error instanceof ApiError) setFailure(error.failure);
      else fail(error);
    } finally {
      setBusy(false);
      update({ progress: undefined });
    }
  };
  return (
    <Dialog title="Undo">
      <p>
        The last commit or abort is taken back: real files are as they were before it, and its changes are staged again.
      </p>
      {failure !== undefined && <Failed failure={failure} />}
      <footer class="dialog-foot">
        <button type="button" onClick={closeDialog}>
          Cancel
        </button>
        <button type="button" class="primary" id="carry-out" disabled={isBusy} onClick={() => void undo()}>
          Undo
        </button>
      </footer>
    </Dialog>
  );
}

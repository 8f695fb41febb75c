/** What a commit, or an abort of what was rejected, would do; and then it is done. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { CommitReply, Failure, PlanReply, PlanRequest } from '../../protocol.ts';
import { closeDialog, Dialog } from '../parts/dialog.tsx';
import { Failed } from '../parts/failed.tsx';
import { ApiError, post } from '../state/api.ts';
import { fail, tell } from '../state/messages.ts';
import { read } from '../state/session.ts';
import { update } from '../state/store.ts';
import { visible } from '../text/visible.ts';
import { count } from '../text/words.ts';
import { PlanView } from './plan-view.tsx';

interface CommitProps {
  readonly kind: 'commit' | 'abort';
}

interface Shown {
  readonly plan?: PlanReply;
  readonly failure?: Failure;
  readonly request: PlanRequest;
  readonly isBusy: boolean;
}

export function CommitDialog({ kind }: CommitProps): VNode {
  const [{ plan, failure, request, isBusy }, setShown] = useState<Shown>({ request: {}, isBusy: true });
  const ask = (wanted: PlanRequest): void => {
    setShown((shown) => ({ ...shown, request: wanted, isBusy: true }));
    post<PlanReply>('plan', wanted)
      .then((reply) => setShown({ plan: reply, request: wanted, isBusy: false }))
      .catch((error: unknown) => setShown({ failure: failureIn(error), request: {}, isBusy: false }));
  };
  useEffect(() => ask({}), []);
  const carryOut = async (hash: string): Promise<void> => {
    setShown((shown) => ({ ...shown, isBusy: true }));
    const outcome = await send(kind, hash);
    if (outcome === undefined) return closeDialog();
    setShown({ failure: outcome, request: {}, isBusy: false });
    if (outcome.code === 'outdated') await read().catch(fail);
  };
  const problem = failure ?? (kind === 'commit' ? plan?.problem : undefined);
  return (
    <Dialog title={kind === 'commit' ? 'Commit' : 'Abort what was rejected'}>
      {plan === undefined && failure === undefined && <p>Making the plan…</p>}
      {plan !== undefined && decidedIn(kind, plan) === 0 && (
        <p class="hint">
          {kind === 'commit' ? 'Nothing is taken yet: t takes.' : 'Nothing is rejected yet: x rejects.'}
        </p>
      )}
      {problem !== undefined && <Failed failure={problem} />}
      {plan !== undefined && <PlanView {...{ kind, plan, request, isBusy }} onAsk={ask} />}
      <footer class="dialog-foot">
        {failure !== undefined && (
          <button type="button" disabled={isBusy} onClick={() => ask({})}>
            Show the plan anew
          </button>
        )}
        <button type="button" onClick={closeDialog}>
          Cancel
        </button>
        {plan !== undefined && (
          <button
            type="button"
            class="primary"
            id="carry-out"
            disabled={isBusy || problem !== undefined || decidedIn(kind, plan) === 0}
            onClick={() => void carryOut(plan.hash)}
          >
            {labelOf(kind, plan)}
          </button>
        )}
      </footer>
    </Dialog>
  );
}

/** Changes that something would be done with. */
function decidedIn(kind: CommitProps['kind'], { counts }: PlanReply): number {
  return counts.mixed + (kind === 'commit' ? counts.take : counts.reject);
}

function labelOf(kind: CommitProps['kind'], plan: PlanReply): string {
  const changes = count(decidedIn(kind, plan), 'change');
  return kind === 'abort' ? `Throw away what was rejected of ${changes}` : `Commit ${changes}`;
}

/** Undefined when it was done. */
async function send(kind: CommitProps['kind'], hash: string): Promise<Failure | undefined> {
  try {
    const reply = await post<CommitReply>(kind, { hash });
    showDone(reply);
    await read();
    return undefined;
  } catch (error) {
    return failureIn(error);
  } finally {
    update({ progress: undefined });
  }
}

function showDone({ number, committed, discarded, merged }: CommitReply): void {
  const said = [
    committed > 0 ? `${number === undefined ? 'Committed' : `Commit ${number}:`} ${count(committed, 'change')}` : '',
    discarded > 0 ? `${count(discarded, 'change')} thrown away` : '',
    merged.length > 0 ? `${count(merged.length, 'file')} merged` : '',
  ].filter(Boolean);
  const undo =
    committed > 0 && discarded > 0
      ? 'Undo takes back what was thrown away; once more, the commit'
      : 'Undo takes it back';
  tell(
    'done',
    `${said.join(', ') || 'Nothing was to be done'}. ${undo}.`,
    merged.map(({ path }) => visible(path)),
  );
}

function failureIn(error: unknown): Failure {
  if (!(error instanceof ApiError)) throw error;
  return error.failure;
}

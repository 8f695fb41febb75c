/** What was taken and somebody has changed outside, too: which of both is to stand, file by file. */
import type { VNode } from 'preact';
import type { PlanConflict, PlanReply, PlanRequest } from '../../protocol.ts';
import { Shown } from '../text/shown.tsx';
import { visible } from '../text/visible.ts';
import { count } from '../text/words.ts';

export interface ConflictsProps {
  readonly plan: PlanReply;
  /** What was asked for last. */
  readonly request: PlanRequest;
  readonly isBusy: boolean;
  readonly onAsk: (request: PlanRequest) => void;
}

export function Conflicts({ plan: { conflicts }, request, isBusy, onAsk }: ConflictsProps): VNode | null {
  if (conflicts.length === 0) return null;
  return (
    <section class="plan-conflicts" aria-label="Conflicts">
      <h3>⚠ {count(conflicts.length, 'change')} of them changed outside, too: what is to stand?</h3>
      <ul>
        {conflicts.map((conflict) => (
          <ConflictView
            key={conflict.id}
            {...{ conflict, isBusy }}
            chosen={chosenOf(conflict, request)}
            onChoose={(side) => onAsk(withSide(request, conflict, side))}
          />
        ))}
      </ul>
      <p>
        <button
          type="button"
          aria-pressed={request.merge === true}
          disabled={isBusy}
          onClick={() => onAsk({ ...request, merge: request.merge !== true })}
        >
          Merge the others line by line
        </button>
      </p>
    </section>
  );
}

type Side = 'ours' | 'theirs';

const SIDES: readonly { readonly side: Side; readonly label: string; readonly does: string }[] = [
  { side: 'ours', label: 'What is staged', does: 'It is written over what is there now' },
  { side: 'theirs', label: 'What is there now', does: 'All that is staged of it is thrown away' },
];

interface ConflictProps {
  readonly conflict: PlanConflict;
  readonly chosen: Side | undefined;
  readonly isBusy: boolean;
  readonly onChoose: (side: Side) => void;
}

function ConflictView({ conflict: { path, outside }, chosen, isBusy, onChoose }: ConflictProps): VNode {
  return (
    <li>
      <span class="conflict-path">
        <Shown text={path} /> <span class="why">{outside} outside</span>
      </span>
      <fieldset class="choose small" aria-label={`What is to stand of ${visible(path)}`}>
        {SIDES.map(({ side, label, does }) => (
          <button
            key={side}
            type="button"
            title={does}
            aria-pressed={chosen === side}
            disabled={isBusy}
            onClick={() => onChoose(side)}
          >
            {label}
          </button>
        ))}
      </fieldset>
    </li>
  );
}

function chosenOf({ id }: PlanConflict, { ours = [], theirs = [] }: PlanRequest): Side | undefined {
  if (ours.includes(id)) return 'ours';
  return theirs.includes(id) ? 'theirs' : undefined;
}

/** A second press takes the choice back. */
function withSide(request: PlanRequest, conflict: PlanConflict, side: Side): PlanRequest {
  const { id } = conflict;
  const [ours, theirs] = [request.ours ?? [], request.theirs ?? []].map((ids) => ids.filter((one) => one !== id));
  const before = chosenOf(conflict, request);
  const chosen = side === before ? undefined : side;
  return {
    ...request,
    ours: [...(ours ?? []), ...(chosen === 'ours' ? [id] : [])],
    theirs: [...(theirs ?? []), ...(chosen === 'theirs' ? [id] : [])],
  };
}

/** Take, leave or reject: three buttons of which one is pressed, or none where the parts differ. */
import type { VNode } from 'preact';
import type { Choice, Decision } from '../../protocol.ts';
import { CHOICES, DECISIONS } from '../text/words.ts';

export interface ChooseProps {
  /** What is decided, for who does not see where the buttons stand. */
  readonly label: string;
  readonly choice: Choice;
  readonly onDecide: (decision: Decision) => void;
  readonly isSmall?: boolean;
}

export function Choose({ label, choice, onDecide, isSmall = false }: ChooseProps): VNode {
  return (
    <fieldset class={isSmall ? 'choose small' : 'choose'} aria-label={label}>
      {choice === 'mixed' && <span class="mixed">◐ in part</span>}
      {DECISIONS.map(({ decision, label: word, sign }) => (
        <button
          key={decision}
          type="button"
          class={`choice-${decision}`}
          aria-pressed={choice === decision}
          onClick={() => onDecide(decision)}
        >
          <span aria-hidden="true">{sign} </span>
          {word}
        </button>
      ))}
    </fieldset>
  );
}

/** What was decided, as a sign. */
export function ChoiceSign({ choice }: { readonly choice: Choice }): VNode {
  const [sign, word] = CHOICES[choice];
  return (
    <span class={`choice-sign choice-${choice}`} role="img" aria-label={word} title={word}>
      {sign}
    </span>
  );
}

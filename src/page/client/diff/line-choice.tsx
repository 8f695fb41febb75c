/** What is decided of one line: a sign that a click or a key turns on. */
import type { VNode } from 'preact';
import type { Decision } from '../../protocol.ts';
import { CHOICES } from '../text/words.ts';
import type { HunkContext } from './context.ts';
import type { Line } from './rows.ts';

const NEXT = { leave: 'take', take: 'reject', reject: 'leave', mixed: 'take' } as const;

export function LineChoice({ context, line }: { readonly context: HunkContext; readonly line: Line }): VNode {
  const { onDecide, choiceOf } = context;
  const choice = choiceOf(line);
  const mark = line.side === 'both' ? ' ' : line.side === 'old' ? '−' : '+';
  if (choice === undefined || onDecide === undefined) return <span class="sign-cell">{mark}</span>;
  const [sign, word] = CHOICES[choice];
  const what = line.side === 'old' ? `removed line ${line.old}` : `added line ${line.new}`;
  return (
    <button
      type="button"
      class={`sign-cell line-choice choice-${choice}`}
      tabIndex={-1}
      data-line={line.changed}
      aria-label={`${what}: ${word}`}
      title={`${what}: ${word}`}
      onClick={() => onDecide(line, NEXT[choice])}
      onFocus={({ currentTarget }) => decisions.set(currentTarget, (decision) => onDecide(line, decision))}
    >
      <span class="mark-sign">{mark}</span>
      <span class="choice-mark">{choice === 'leave' ? '' : sign}</span>
    </button>
  );
}

/** How the line that has the focus is decided by a key. */
const decisions = new WeakMap<Element, (decision: Decision) => void>();

/** Decides about the line that has the focus; false where none has it. */
export function decideFocusedLine(decision: Decision): boolean {
  const decideIt = document.activeElement === null ? undefined : decisions.get(document.activeElement);
  if (decideIt === undefined) return false;
  decideIt(decision);
  return true;
}

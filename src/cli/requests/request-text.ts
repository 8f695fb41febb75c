/** Commits that an agent asks for, as lines for a person. What the agent says is set apart; it is printable already. */
import { amount } from '../../agents/amount.ts';
import type { CommitRequest } from '../../daemon/requests/commit-request.ts';
import type { Paint } from '../text/terminal.ts';

const MOST_LINES = 12;
const LONGEST_LINE = 200;

/** What a request is about, and below it what the agent says, without line ends. */
export function requestLines(request: CommitRequest, isMovedOn: boolean, paint: Paint): readonly string[] {
  const { id, state, generation, changes, reason, message } = request;
  const isOpen = state === 'pending';
  const count = amount(changes, 'change');
  const later = isOpen && isMovedOn ? '; more was done since' : '';
  const head = `request ${id}: ${paint.bold(state)}, for generation ${generation} (${count})${later}`;
  return [head, ...reasonLines(reason), ...messageLines(message)];
}

function reasonLines(reason: string | undefined): readonly string[] {
  return reason === undefined ? [] : [`  because: ${reason.replaceAll('\n', ' ')}`];
}

/** The agent's words, each line marked as such. */
export function messageLines(message: string): readonly string[] {
  const lines = message.split('\n');
  const shown = lines.slice(0, MOST_LINES).map((line) => `  | ${shortened(line)}`);
  const left = lines.length - shown.length;
  return left > 0 ? [...shown, `  … and ${left} more lines`] : shown;
}

function shortened(line: string): string {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}

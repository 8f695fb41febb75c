/** `watch` shows a commit that an agent asks for, and has it carried out, or not. */

import type { Writable } from 'node:stream';
import { amount } from '../../agents/amount.ts';
import type { Viewpoint } from '../../agents/show-path.ts';
import type { Client } from '../../daemon/client.ts';
import type { Replies } from '../../daemon/protocol.ts';
import type { CommitRequest } from '../../daemon/requests/commit-request.ts';
import { UserError } from '../../sys/user-error.ts';
import type { Lines } from '../questions/line-prompter.ts';
import type { CommitDecider } from '../questions/prompt-queue.ts';
import { planLines } from '../text/notice-text.ts';
import { paintFor } from '../text/terminal.ts';
import { messageLines } from './request-text.ts';

/** Lines of why a commit cannot be. */
const MOST_DETAILS = 20;

/** Where a person decides. */
export interface Front {
  readonly daemon: Client;
  readonly lines: Lines;
  readonly output: Writable & { readonly isTTY?: boolean };
  readonly isTerminal: boolean;
  /** From where paths are told. */
  readonly from: Viewpoint;
}

/** What a person was shown: the plan of a commit, or why there cannot be one. */
type Shown = Replies['commit'] | UserError;

/** The person agrees to what is listed; if anything is staged meanwhile, nothing is written and it is listed again. */
export function commitDeciderOn(front: Front): CommitDecider {
  const { lines } = front;
  return async (request, { signal, busy }) => {
    say(front, [headOf(request, front), ...messageLines(request.message)]);
    for (;;) {
      const shown = await plan(front.daemon);
      if (signal.aborted) return 'done';
      showPlan(front, request, shown);
      // What was typed before this was listed does not agree to it.
      await lines.forgetTyped();
      const word = await choose(front, shown, signal);
      if (signal.aborted) return 'done';
      if (word === undefined) return 'leave';
      if (word === 'later') return 'done';
      const reason = word === 'reject' ? await ask(front, 'why, for the agent to read (or nothing): ') : undefined;
      if (signal.aborted) return 'done';
      busy(true);
      if (await carryOut(front, { request, shown, word, reason: reason ?? '' })) return 'done';
      busy(false);
    }
  };
}

function headOf({ id }: CommitRequest, { output }: Front): string {
  const paint = paintFor(output);
  return `${paint.yellow('yolofs: an agent asks for a commit')} (request ${id}), and says:`;
}

async function plan(daemon: Client): Promise<Shown> {
  try {
    return await daemon.request({ op: 'commit', dryRun: true });
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}

function showPlan(front: Front, { generation }: CommitRequest, shown: Shown): void {
  if (shown instanceof UserError) {
    const hint = shown.hint === undefined ? [] : [`with 'yolofs commit', ${shown.hint}`];
    say(front, [shown.message, ...details(shown), ...hint]);
    return;
  }
  const since = shown.generation === generation ? '' : ', with what was done since the request';
  const { steps } = shown;
  const lines = planLines(shown, front.from, paintFor(front.output));
  say(front, [`a commit would do this${since}:`, ...(steps.length === 0 ? ['  nothing'] : lines)]);
}

function details(shown: UserError): string[] {
  const rest = shown.details.length - MOST_DETAILS;
  const lines = shown.details.slice(0, MOST_DETAILS).map((line) => `  ${line}`);
  return rest > 0 ? [...lines, `  … and ${rest} more`] : lines;
}

type Word = 'commit' | 'reject' | 'later';

/** Undefined: the end of input. */
async function choose(front: Front, shown: Shown, signal: AbortSignal): Promise<Word | undefined> {
  const canCommit = !(shown instanceof UserError);
  const prompt = `${canCommit ? '[c]ommit, [s]how all, ' : ''}[r]eject, [l]ater? `;
  for (;;) {
    const word = await ask(front, prompt);
    if (signal.aborted || word === undefined) return undefined;
    if (canCommit && /^c(ommit)?$/.test(word)) return 'commit';
    if (canCommit && /^s(how all)?$/.test(word)) say(front, [...shown.steps.map((step) => `  ${step}`)]);
    if (/^r(eject)?$/.test(word)) return 'reject';
    if (/^l(ater)?$/.test(word)) return 'later';
  }
}

interface Decision {
  readonly request: CommitRequest;
  readonly shown: Shown;
  readonly word: 'commit' | 'reject';
  readonly reason: string;
}

/** False when it could not be done: it is to be looked at again. */
async function carryOut(front: Front, { request: { id }, shown, word, reason }: Decision): Promise<boolean> {
  try {
    const { state, changes } = await front.daemon.request({
      ...{ op: 'decide', id, reason, commit: word === 'commit' },
      ...(shown instanceof UserError ? {} : { reviewed: shown.generation }),
    });
    say(front, [state === 'committed' ? `committed ${amount(changes, 'change')}` : state]);
    return true;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    say(front, [error.message, ...error.details.map((line) => `  ${line}`)]);
    return false;
  }
}

function say({ output }: Front, lines: readonly string[]): void {
  for (const line of lines) output.write(`${line}\n`);
}

async function ask({ lines, output, isTerminal }: Front, prompt: string): Promise<string | undefined> {
  output.write(prompt);
  const line = await lines.next();
  if (line === undefined || !isTerminal) output.write('\n');
  return line?.trim();
}

/**
 * The tools an agent has: what a guest of the view may have done, in words of the guest socket (daemon/sockets/guest.ts). They decide
 * nothing, and what they lead to is decided where the agent is not.
 */

import { parseJson } from '../../daemon/parse-json.ts';
import type { CommitRequest } from '../../daemon/requests/commit-request.ts';
import type { Output } from '../../daemon/sockets/guest-client.ts';
import type { GuestRequest } from '../../daemon/sockets/guest-lines.ts';
import { SystemError } from '../../sys/errno.ts';
import { UserError } from '../../sys/user-error.ts';
import { amount } from '../amount.ts';
import { Page } from './text.ts';

/** Asks the session as a guest; resolves to an exit code. Rejects with a UserError or SystemError. */
export type Host = (request: GuestRequest, output: Output & { readonly signal: AbortSignal }) => Promise<number>;

/** As the protocol has it. */
export interface Answer {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  isError?: true;
}

/** Carries out a command of the guest's; shows what it wrote, from line `from` on. */
export async function runCommand(host: Host, words: readonly string[], from = 0): Promise<Answer> {
  const enough = new AbortController();
  const out = new Page(from, () => enough.abort());
  const err = new Page(0, () => undefined);
  const output = { out: (piece: Buffer) => out.add(piece), err: (piece: Buffer) => err.add(piece) };
  const code = await attempt(() => host({ words, cwd: process.cwd() }, { ...output, signal: enough.signal }));
  if (typeof code !== 'number' && !out.isFull) return failure(code);
  const said = [out.text(rest), err.text(() => '…')].filter((text) => text !== '').join('\n\n');
  return code === 0 || out.isFull ? answer(said === '' ? 'nothing' : said) : failure(said);
}

function rest(from: number): string {
  return `[cut here: call again with "from": ${from} for what follows, or ask for less]`;
}

/** Asks a person for a commit; the answer says under which number. */
export async function requestCommit(host: Host, message: string): Promise<Answer> {
  const out: Buffer[] = [];
  const err = new Page(0, () => undefined);
  const output = { out: (piece: Buffer) => out.push(piece), err: (piece: Buffer) => err.add(piece) };
  const { signal } = new AbortController();
  const code = await attempt(() => host({ commitRequest: message }, { ...output, signal }));
  if (typeof code !== 'number') return failure(code);
  const request = parseJson(Buffer.concat(out).toString()) as CommitRequest | undefined;
  if (code !== 0 || request === undefined) return failure(err.text(() => '…'));
  const { id, generation, changes } = request;
  const count = amount(changes, 'staged change');
  return answer(
    [
      `request ${id}: a person is asked to commit ${count} (generation ${generation}).`,
      'Nothing is committed yet and nothing waits for it: go on, or end your turn.',
      "The tool 'status' tells what became of it. What is staged from now on is shown to the person, too.",
    ].join('\n'),
  );
}

/** What it resolves to, or why it failed in words; a defect is thrown. */
async function attempt(work: () => Promise<number>): Promise<number | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UserError) return error.hint === undefined ? error.message : `${error.message}\n${error.hint}`;
    if (error instanceof SystemError) return error.message;
    throw error;
  }
}

function answer(text: string): Answer {
  return { content: [{ type: 'text', text }] };
}

function failure(text: string): Answer {
  return { ...answer(text === '' ? 'it failed' : text), isError: true };
}

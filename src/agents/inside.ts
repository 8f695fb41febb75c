/**
 * Hooks of an agent that runs in the view as a whole: all it does is staged already, so calls pass as they are. After each
 * a snapshot is taken, named after the call, and the model hears what has changed.
 */
import { askFromInside } from '../daemon/sockets/guest-client.ts';
import { UserError } from '../sys/user-error.ts';
import type { Answer, DoneCall, HookEvent, Malformed } from './event.ts';

const LONGEST_NAME = 80;

const BEGINNING = 'the agent has started';

/** Never rejects because of what the event says, or because the session does not answer. */
export async function answerInside(event: HookEvent | Malformed): Promise<Answer> {
  // What the agent writes at its start is of no call.
  if (event.kind === 'start') return withoutText(await snapshot(BEGINNING, event.cwd));
  if (event.kind !== 'done' || event.calls.length === 0) return { kind: 'pass' };
  return snapshot(nameOf(event.calls), event.cwd);
}

function withoutText(answer: Answer): Answer {
  return answer.kind === 'tell' ? { kind: 'pass' } : answer;
}

async function snapshot(name: string, cwd: string): Promise<Answer> {
  const words = ['snapshot', name, '--if-changed', '--summary'];
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  try {
    const output = { out: (bytes: Buffer) => void out.push(bytes), err: (bytes: Buffer) => void err.push(bytes) };
    const code = await askFromInside({ words, cwd }, output);
    if (code !== 0) return { kind: 'pass', loud: `yolofs: no snapshot after this call: ${textOf(err)}` };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { kind: 'pass', loud: `yolofs: no snapshot after this call: ${error.message}` };
  }
  const text = textOf(out);
  return text === '' ? { kind: 'pass' } : { kind: 'tell', text };
}

/** What the snapshot is called: the tool, and how its command begins. */
function nameOf(calls: readonly DoneCall[]): string {
  const names = calls.map(({ tool, command }) => (command === undefined ? tool : `${tool}: ${command}`));
  const name = names.join(' + ').replace(/\s+/g, ' ').trim();
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 1)}…`;
}

function textOf(pieces: readonly Buffer[]): string {
  return Buffer.concat(pieces).toString('utf8').trim();
}

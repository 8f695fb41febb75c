/** `yolofs travel`: the view shows the state of another generation. */
import type { Command } from 'commander';
import { noteDecision } from '../../agents/decisions.ts';
import { COUNTED_CHANGES, type Replies } from '../../daemon/protocol.ts';
import type { Layout } from '../../history/layout.ts';
import { label } from '../../sys/bytes.ts';
import { withDaemon } from '../connection.ts';
import { isForGuest, veilFor } from '../look/guest-sight.ts';
import { readSession } from '../look/read-session.ts';
import { TRAVEL } from '../schemas/listings.ts';
import { jsonOption } from '../schemas/schema.ts';
import { sessionOf } from '../session.ts';
import { listed } from '../text/output.ts';

export function define(command: Command): void {
  jsonOption(command, 'answer as JSON', TRAVEL)
    .argument('<generation>', 'its number, or the name of a snapshot')
    .action(travel);
}

async function travel(to: string, options: { json?: true }, command: Command): Promise<void> {
  const session = sessionOf(command);
  const request = { op: 'travel', to } as const;
  const reply = await withDaemon(session, (daemon) => daemon.request(request));
  // An agent that travels knows of itself.
  if (!isForGuest()) {
    process.stderr.write(runningText(reply.running));
    noteDecision(session, `the person went to snapshot ${reply.target}: the files in the view are as of then`);
  }
  const done = isForGuest() ? { ...reply, name: await shownName(session, reply.name) } : reply;
  process.stdout.write(options.json ? `${JSON.stringify(toJson(done))}\n` : `${toText(done)}\n`);
}

function shownName(session: Layout, name: string): Promise<string> {
  return readSession(session, async (reading) => (reading === undefined ? '' : (await veilFor(reading, [name]))(name)));
}

function runningText(running: readonly string[]): string {
  return running.length === 0
    ? ''
    : `still running in the view: ${listed(running)}: what they have open stays as it was\n`;
}

function toText({ target, name, changes, from }: Replies['travel']): string {
  const where = name === '' ? `${target}` : `${target} "${label(name)}"`;
  const count = changes < COUNTED_CHANGES ? changes : `${changes} or more`;
  return `traveled to ${where} (${count} staged ${changes === 1 ? 'change' : 'changes'}); back with: yolofs travel ${from}`;
}

function toJson({ generation, target, name, changes, from, snapshot }: Replies['travel']): object {
  return { generation, target, name: label(name), changes, from, snapshot };
}

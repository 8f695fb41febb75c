/** `yolofs watch`: answers questions of what runs in the view, one after the other, in any terminal. */
import type { Command } from 'commander';
import type { Client } from '../../daemon/client.ts';
import type { BytePath } from '../../sys/bytes.ts';
import { UserError } from '../../sys/user-error.ts';
import { withDaemon } from '../connection.ts';
import { Desk } from '../questions/desk.ts';
import { LinePrompter, Lines } from '../questions/line-prompter.ts';
import { sessionOf } from '../session.ts';

const INTERRUPTED = 130;

export function define(command: Command): void {
  command.option('--json', 'questions as lines of JSON, answers likewise: for other front ends').action(watch);
}

async function watch({ json }: { json?: true }, command: Command): Promise<void> {
  const lines = new Lines(process.stdin);
  process.once('SIGINT', () => {
    process.exitCode = INTERRUPTED;
    lines.close();
  });
  await withDaemon(sessionOf(command), (daemon) => (json ? relay(daemon, lines) : converse(daemon, lines)));
}

/** Ends with the input, with Ctrl-C, and with the daemon; what is asked just then is denied. */
async function converse(daemon: Client, lines: Lines): Promise<void> {
  const isTerminal = process.stdin.isTTY === true;
  const desk = new Desk(daemon, new LinePrompter(lines, process.stdout, isTerminal));
  const ended = daemon.listen((line) => desk.hear(line));
  await daemon.request({ op: 'watch', front: 'watch' });
  process.stderr.write('waiting for questions; Ctrl-C ends\n');
  void lines.used.then(() => desk.leave());
  const hasEnded = await Promise.race([desk.left, ended.then(() => true)]);
  if (hasEnded === true) process.stderr.write("the session's daemon has ended, and with it what ran in the view\n");
}

/** The same as the daemon's socket has it: `{"id":1,"allow":true}`, perhaps with `"always":"/a/directory"`. */
async function relay(daemon: Client, lines: Lines): Promise<void> {
  const ended = daemon.listen((line) => process.stdout.write(`${JSON.stringify(line)}\n`));
  await daemon.request({ op: 'watch', front: 'watch' });
  for (;;) {
    const line = await Promise.race([lines.next(), ended]);
    if (line === undefined) return;
    const answer = parseAnswer(line);
    const { accepted } = await daemon.request({ op: 'answer', ...answer });
    process.stdout.write(`${JSON.stringify({ answered: { id: answer.id, accepted } })}\n`);
  }
}

interface GivenAnswer {
  readonly id: number;
  readonly allow: boolean;
  readonly always?: BytePath;
}

function parseAnswer(line: string): GivenAnswer {
  let value: Partial<GivenAnswer> | null = null;
  try {
    value = JSON.parse(line) as Partial<GivenAnswer> | null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const { id, allow, always } = value ?? {};
  if (typeof id !== 'number' || typeof allow !== 'boolean') {
    throw new UserError(`no answer: ${line.slice(0, 80)}`, 'an answer is a line such as {"id":1,"allow":true}');
  }
  return { id, allow, ...(always === undefined ? {} : { always }) };
}

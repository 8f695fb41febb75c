/** `yolofs watch`: answers questions of what runs in the view, and decides on commits that an agent asks for, in any terminal. */
import type { Command } from 'commander';
import { type Viewpoint, viewpointOf } from '../../agents/show-path.ts';
import type { Client } from '../../daemon/client.ts';
import { parseJson } from '../../daemon/parse-json.ts';
import type { BytePath } from '../../sys/bytes.ts';
import { UserError } from '../../sys/user-error.ts';
import { withDaemon } from '../connection.ts';
import { LinePrompter, Lines } from '../questions/line-prompter.ts';
import { PromptQueue } from '../questions/prompt-queue.ts';
import { commitDeciderOn } from '../requests/commit-decider.ts';
import { WATCHED } from '../schemas/inside.ts';
import { jsonOption } from '../schemas/schema.ts';
import { madeSessionOf } from '../session.ts';

const INTERRUPTED = 130;

export function define(command: Command): void {
  const help = 'questions as lines of JSON, answers likewise: for other front ends';
  jsonOption(command, help, WATCHED).action(watch);
}

async function watch({ json }: { json?: true }, command: Command): Promise<void> {
  const { stdin } = process;
  const lines = new Lines(stdin, stdin.isTTY ? stdin.fd : undefined);
  process.once('SIGINT', () => {
    process.exitCode = INTERRUPTED;
    lines.close();
  });
  const session = madeSessionOf(command);
  await withDaemon(session, (daemon) => {
    return json ? relay(daemon, lines) : converse(daemon, lines, viewpointOf(session.project));
  });
}

/** Ends with the input, with Ctrl-C, and with the daemon; what is asked just then is left to others, and refused where there are none. */
async function converse(daemon: Client, lines: Lines, from: Viewpoint): Promise<void> {
  const isTerminal = process.stdin.isTTY === true;
  const decide = commitDeciderOn({ daemon, lines, output: process.stdout, isTerminal, from });
  const queue = new PromptQueue(daemon, new LinePrompter(lines, process.stdout, isTerminal), decide);
  const ended = daemon.listen((line) => queue.hear(line));
  await daemon.request({ op: 'watch', front: 'watch' });
  process.stderr.write('waiting for questions and requests; Ctrl-C ends\n');
  void lines.used.then(() => queue.leave());
  const hasEnded = await Promise.race([queue.left, ended.then(() => true)]);
  if (hasEnded === true) process.stderr.write("the session's daemon has ended, and with it what ran in the view\n");
}

/**
 * The same as the daemon's socket has it: `{"id":1,"allow":true}`, perhaps with `"always":"/a/directory"`; of commits that
 * an agent asks for `{"request":1,"commit":true,"reviewed":7}`, or `{"request":1,"commit":false,"reason":"…"}`.
 */
async function relay(daemon: Client, lines: Lines): Promise<void> {
  const ended = daemon.listen((line) => process.stdout.write(`${JSON.stringify(line)}\n`));
  await daemon.request({ op: 'watch', front: 'watch' });
  for (;;) {
    const line = await Promise.race([lines.next(), ended]);
    if (line === undefined) return;
    const answer = parseAnswer(line);
    const reply = 'request' in answer ? await decide(daemon, answer) : await answerQuestion(daemon, answer);
    process.stdout.write(`${JSON.stringify(reply)}\n`);
  }
}

async function answerQuestion(daemon: Client, answer: GivenAnswer): Promise<object> {
  const { accepted } = await daemon.request({ op: 'answer', ...answer });
  return { answered: { id: answer.id, accepted } };
}

/** What cannot be done is no end of it: a commit may be refused because more was staged meanwhile. */
async function decide(daemon: Client, { request: id, ...decision }: GivenDecision): Promise<object> {
  try {
    return { decided: { id, ...(await daemon.request({ op: 'decide', id, ...decision })) } };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { refused: { id, why: error.message } };
  }
}

interface GivenAnswer {
  readonly id: number;
  readonly allow: boolean;
  readonly always?: BytePath;
}

interface GivenDecision {
  readonly request: number;
  readonly commit: boolean;
  readonly reviewed?: number;
  readonly reason?: string;
}

function parseAnswer(line: string): GivenAnswer | GivenDecision {
  const value = (parseJson(line) ?? {}) as Partial<GivenAnswer & GivenDecision>;
  const { id, allow, always, request, commit, reviewed, reason } = value;
  if (typeof request === 'number' && typeof commit === 'boolean') {
    return {
      request,
      commit,
      ...(reviewed === undefined ? {} : { reviewed }),
      ...(reason === undefined ? {} : { reason }),
    };
  }
  if (typeof id !== 'number' || typeof allow !== 'boolean') {
    throw new UserError(`no answer: ${line.slice(0, 80)}`, 'an answer is a line such as {"id":1,"allow":true}');
  }
  return { id, allow, ...(always === undefined ? {} : { always }) };
}

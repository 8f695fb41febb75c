/** `yolofs shell`: the person's own shell in the view, and at its end the choice what to do with the changes. */
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Layout } from '../../history/layout.ts';
import { ask, canAsk } from '../ask.ts';
import { withDaemon } from '../connection.ts';
import { runInView } from '../launch.ts';
import { sessionOf } from '../session.ts';
import { discard } from './abort.ts';
import { apply } from './commit.ts';
import { listStatus } from './status.ts';

const MARK = '(yolofs) ';

export function define(command: Command): void {
  command.action(shell);
}

async function shell(_options: unknown, command: Command): Promise<void> {
  const session = sessionOf(command);
  const program = process.env.SHELL || '/bin/sh';
  process.stderr.write(`a shell in the view: changes are staged until 'yolofs commit'; 'exit' returns\n`);
  await runInView(session, { program: [program], text: program, snapshot: '', env: promptFor(basename(program)) });
  const isTerminal = canAsk();
  if (isTerminal) await takeTerminalBack();
  // What is written from here on is not what the person is asked about.
  const reviewed = isTerminal ? await mark(session) : undefined;
  if ((await listStatus(session)) > 0 && reviewed !== undefined) await offer(session, reviewed);
}

/** The generation that stands for what is staged now. */
async function mark(session: Layout): Promise<number> {
  const taken = await withDaemon(session, (daemon) => daemon.request({ op: 'snapshot', name: '', ifChanged: true }));
  return taken.generation;
}

/** Environment that marks the prompt where the shell lets the environment do so; start-up files come later and win. */
function promptFor(shell: string): Record<string, string> {
  if (shell !== 'bash') return { PS1: `${MARK}$ ` };
  const before = process.env.PROMPT_COMMAND ? `${process.env.PROMPT_COMMAND}; ` : '';
  return { PROMPT_COMMAND: `${before}case $PS1 in '${MARK}'*) ;; *) PS1='${MARK}'$PS1 ;; esac` };
}

/** Loaded only here: the foreign function interface costs more than all the rest of a start. */
async function takeTerminalBack(): Promise<void> {
  const { takeTerminal } = await import('../../sys/libc.ts');
  takeTerminal(0);
}

/** Keeping is the default, also at the end of input: nothing is lost and nothing is applied. */
async function offer(session: Layout, reviewed: number): Promise<void> {
  const answer = await ask('[c]ommit, [k]eep or [a]bort? [k] ');
  if (answer === 'c' || answer === 'commit') return apply(session, { reviewed });
  if (answer === 'a' || answer === 'abort') return discard(session);
  process.stderr.write("kept: 'yolofs status' lists, 'yolofs commit' applies, 'yolofs abort' discards\n");
}

/** `yolofs shell`: the person's own shell in the view, and at its end the choice what to do with the changes. */
import { basename } from 'node:path';
import type { Command } from 'commander';
import { runInView } from '../run/launch.ts';
import { sessionOf } from '../session.ts';
import { reviewAtEnd } from './offer.ts';

const MARK = '(yolofs) ';
/** In the view's own /tmp: the person's history file is denied by a built-in rule, and each shell would end with a refusal. */
const HISTORY = '/tmp/.bash_history';

export function define(command: Command): void {
  command.action(shell);
}

async function shell(_options: unknown, command: Command): Promise<void> {
  const session = sessionOf(command);
  const program = process.env.SHELL || '/bin/sh';
  process.stderr.write(`a shell in the view: changes are staged until 'yolofs commit'; 'exit' returns\n`);
  const job = { program: [program], text: program, snapshot: '', env: environmentFor(basename(program)) };
  const { summary } = await runInView(session, job);
  if (summary.notice !== undefined) process.stderr.write(`yolofs: ${summary.notice}\n`);
  await reviewAtEnd(session);
}

/** Marks the prompt where the shell lets the environment do so, and keeps a history; start-up files come later and win. */
function environmentFor(shell: string): Record<string, string> {
  if (shell !== 'bash') return { PS1: `${MARK}$ ` };
  const before = process.env.PROMPT_COMMAND ? `${process.env.PROMPT_COMMAND}; ` : '';
  const prompt = `${before}case $PS1 in '${MARK}'*) ;; *) PS1='${MARK}'$PS1 ;; esac`;
  return { PROMPT_COMMAND: prompt, HISTFILE: process.env.HISTFILE ?? HISTORY };
}

/** `yolofs shell`: the person's own shell in the view, and at its end the choice what to do with the changes. */
import { basename } from 'node:path';
import type { Command } from 'commander';
import { runInView } from '../run/launch.ts';
import { sessionOf } from '../session.ts';
import { reviewAtEnd } from './offer.ts';

const MARK = '(yolofs) ';

export function define(command: Command): void {
  command.action(shell);
}

async function shell(_options: unknown, command: Command): Promise<void> {
  const session = sessionOf(command);
  const program = process.env.SHELL || '/bin/sh';
  process.stderr.write(`a shell in the view: changes are staged until 'yolofs commit'; 'exit' returns\n`);
  await runInView(session, { program: [program], text: program, snapshot: '', env: promptFor(basename(program)) });
  await reviewAtEnd(session);
}

/** Environment that marks the prompt where the shell lets the environment do so; start-up files come later and win. */
function promptFor(shell: string): Record<string, string> {
  if (shell !== 'bash') return { PS1: `${MARK}$ ` };
  const before = process.env.PROMPT_COMMAND ? `${process.env.PROMPT_COMMAND}; ` : '';
  return { PROMPT_COMMAND: `${before}case $PS1 in '${MARK}'*) ;; *) PS1='${MARK}'$PS1 ;; esac` };
}

/** `yolofs shell`: the person's own shell in the view, and at its end the choice what to do with the changes. */
import type { Command } from 'commander';
import { loadAhead, reviewAtEnd } from '../review/offer.ts';
import { runInView } from '../run/launch.ts';
import { startOfShell } from '../run/shell-startup.ts';
import { madeSessionOf } from '../session.ts';

export function define(command: Command): void {
  command.action(shell);
}

async function shell(_options: unknown, command: Command): Promise<void> {
  const session = madeSessionOf(command);
  const program = process.env.SHELL || '/bin/sh';
  process.stderr.write(`a shell in the view: changes are staged until 'yolofs commit'; 'exit' returns\n`);
  const job = { ...startOfShell(program, process.env), text: program, snapshot: '' };
  await loadAhead();
  const { code, summary } = await runInView(session, job);
  process.exitCode = code;
  if (summary.notice !== undefined) process.stderr.write(`yolofs: ${summary.notice}\n`);
  await reviewAtEnd(session);
}

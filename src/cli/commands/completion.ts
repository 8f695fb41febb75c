/** `yolofs completion SHELL`: prints what completes this program there, made of what the commands declare. */
import type { Command } from 'commander';
import { bashCompletion } from '../reference/bash.ts';
import { type Declared, declared } from '../reference/declared.ts';
import { fishCompletion } from '../reference/fish.ts';
import { zshCompletion } from '../reference/zsh.ts';
import { writePieces } from '../text/output.ts';
import { UsageError } from '../usage-error.ts';

const SCRIPTS: Readonly<Record<string, (program: Declared) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

export function define(command: Command): void {
  command.argument('<shell>', Object.keys(SCRIPTS).join(', ')).action(completion);
}

async function completion(shell: string): Promise<void> {
  const script = SCRIPTS[shell];
  if (script === undefined)
    throw new UsageError(`unknown shell: ${shell}`, `there are ${Object.keys(SCRIPTS).join(', ')}`);
  const { COMMANDS } = await import('../command-table.ts');
  await writePieces([script(await declared(COMMANDS))]);
}

/**
 * The `yolofs` program's process: argv in, exit code out. Commands return or throw; this is the only place that prints
 * errors and the only one that ends the process.
 *
 *     0 success    1 failure: one line `yolofs: <what>: <why>`, perhaps a hint    2 usage    (sys/error-codes.ts)
 *     `run` and `wrap`: the command's own code, 128 + n when signal n ended it
 */
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { SHELL_PREFIX_NAME } from '../agents/claude-frame.ts';
import { isInsideView } from '../sandbox/inside.ts';
import { SystemError } from '../sys/errno.ts';
import { lookAt } from '../sys/files/text-files.ts';
import { UserError } from '../sys/user-error.ts';
import { endAfter, OWN_STREAMS } from './own-process.ts';
import { createProgram, type Entry } from './program.ts';
import { reportFailure } from './text/failure-text.ts';

const OUTPUT = {
  out: (bytes: Buffer): void => void process.stdout.write(bytes),
  err: (bytes: Buffer): void => void process.stderr.write(bytes),
};

/** The command that is at work. */
let what = '';
let asked: Command | undefined;

/** Runs the command that was asked for, of `commands`, and ends the process. */
export function runProgram(commands: readonly Entry[]): Promise<never> {
  return endAfter(
    () => run(process.argv, commands),
    (why) => reportFailure(new SystemError('cannot write the output', why), { what }, OWN_STREAMS),
  );
}

async function run(argv: readonly string[], commands: readonly Entry[]): Promise<number> {
  try {
    if (basename(argv[1] ?? '') === SHELL_PREFIX_NAME) {
      const { runAsShellPrefix } = await import('./run/claude-shell.ts');
      return await runAsShellPrefix(argv.slice(2));
    }
    if (isInsideView()) {
      const { askFromInside, isGuestCommand } = await import('../daemon/sockets/guest-client.ts');
      const [word = '', ...rest] = argv.slice(2);
      const name = entryOf(word, commands)?.name ?? word;
      if (isGuestCommand(name)) {
        const words = [name, ...rest];
        what = `${name}: `;
        refuseOtherSession(words);
        return await askFromInside({ words, cwd: process.cwd(), there: words.filter(isThere) }, OUTPUT);
      }
    }
    await createProgram(commands, (command) => {
      what = `${command.name()}: `;
      asked = command;
    }).parseAsync(wordsMeant(argv.slice(2), commands), { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return reportFailure(error, { what, asJson: asked !== undefined && wantsJson(asked) }, OWN_STREAMS);
  }
}

/** Whether a word is the name of something here. */
function isThere(word: string): boolean {
  try {
    return lookAt(resolve(word)) !== undefined;
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}

/** Whether the command, or the one below it that was meant, was asked for JSON. */
function wantsJson(command: Command): boolean {
  return command.opts<{ json?: true }>().json === true || command.commands.some(wantsJson);
}

/** `help COMMAND` is meant as `COMMAND --help`: what a command takes is declared in its own file, which is loaded then. */
function wordsMeant(words: readonly string[], commands: readonly Entry[]): string[] {
  const [first, name, ...more] = words;
  if (first !== 'help' || name === undefined) return [...words];
  return entryOf(name, commands) === undefined ? [name] : [name, ...more, '--help'];
}

function entryOf(word: string, commands: readonly Entry[]): Entry | undefined {
  return commands.find(({ name, alias }) => name === word || alias === word);
}

/** The guest's side of a refusal that would otherwise say nothing of why. */
function refuseOtherSession(words: readonly string[]): void {
  const options = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  if (!options.some((word) => word === '--session' || word.startsWith('--session='))) return;
  throw new UserError('--session is not possible inside the view', 'there, the session is the one of this view');
}

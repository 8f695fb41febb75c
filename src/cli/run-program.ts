/**
 * The `yolofs` program's process: argv in, exit code out. Commands return or throw; this is the only place that prints
 * errors and the only one that ends the process.
 *
 *     0 success    1 failure: one line `yolofs: <what>: <why>`, perhaps a hint    2 usage
 *     `run` and `shell`: the command's own code, 128 + n when signal n ended it
 */
import { basename } from 'node:path';
import { CommanderError } from 'commander';
import { SHELL_PREFIX_NAME } from '../agents/claude-frame.ts';
import { SystemError } from '../sys/errno.ts';
import { UserError } from '../sys/user-error.ts';
import { createProgram, type Entry } from './program.ts';
import { isInsideView } from './session.ts';
import { paintFor } from './terminal.ts';

const FAILURE = 1;
const USAGE = 2;

const OUTPUT = {
  out: (bytes: Buffer): void => void process.stdout.write(bytes),
  err: (bytes: Buffer): void => void process.stderr.write(bytes),
};

/** The command that is at work, for messages. */
let what = '';

/** Runs the command that was asked for, of `commands`, and ends the process. */
export async function runProgram(commands: readonly Entry[]): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', leaveQuietly);
  const code = await run(process.argv, commands);
  for (const stream of [process.stdout, process.stderr]) await written(stream);
  process.exit(code);
}

async function run(argv: readonly string[], commands: readonly Entry[]): Promise<number> {
  try {
    if (basename(argv[1] ?? '') === SHELL_PREFIX_NAME) {
      const { runAsShellPrefix } = await import('./claude-shell.ts');
      return await runAsShellPrefix(argv.slice(2));
    }
    if (isInsideView()) {
      const { askFromInside, isGuestCommand } = await import('../daemon/guest-client.ts');
      const words = argv.slice(2);
      what = `${words[0]}: `;
      if (isGuestCommand(words)) return await askFromInside({ words, cwd: process.cwd() }, OUTPUT);
    }
    await createProgram(commands, (name) => {
      what = `${name}: `;
    }).parseAsync(argv);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return report(error);
  }
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return reportUsage(error);
  if (error instanceof UserError) {
    complain(error.message, error.hint, error.details);
  } else if (error instanceof SystemError) {
    complain(error.message);
  } else {
    reportDefect(error instanceof Error ? error : new Error(String(error)));
  }
  return FAILURE;
}

function reportDefect(defect: Error): void {
  const isTracing = Boolean(process.env.YOLOFS_TRACE);
  complain(
    `internal error: ${defect.message.split('\n', 1)[0]}`,
    isTracing ? undefined : 'YOLOFS_TRACE=all shows where',
  );
  if (isTracing) process.stderr.write(`${defect.stack}\n`);
}

/** Commander's own errors; asking for help or the version also arrives as one, with exit code 0. */
function reportUsage(error: CommanderError): number {
  if (error.exitCode === 0) return 0;
  if (error.code !== 'commander.help') {
    complain(
      error.message.replace(/^error: /, '').replace(/\n/g, ' '),
      "'yolofs --help' lists the commands and their options",
    );
  }
  return USAGE;
}

function complain(message: string, hint?: string, details: readonly string[] = []): void {
  const paint = paintFor(process.stderr);
  process.stderr.write(`${paint.red('yolofs:')} ${what}${message}\n`);
  for (const line of details) process.stderr.write(`  ${line}\n`);
  if (hint !== undefined) process.stderr.write(`${paint.dim('hint:')} ${hint}\n`);
}

/** What a slow reader has not taken yet would be lost with the process: to a socket, a write only begins. */
function written(stream: NodeJS.WriteStream): Promise<void> | undefined {
  if (stream.writableLength === 0) return undefined;
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}

/** Whoever read our output has seen enough (`yolofs diff | head`): nothing is wrong, and nobody is left to tell. */
function leaveQuietly(error: NodeJS.ErrnoException): void {
  process.exit(error.code === 'EPIPE' ? Number(process.exitCode ?? 0) : FAILURE);
}

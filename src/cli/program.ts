/**
 * The tree of commands. Each command is one file that declares its own options; only the file of the command
 * that was asked for is loaded, so that `yolofs run` starts fast.
 */
import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { type Caller, SELF } from './caller.ts';

/** What each file below commands/ exports. */
export interface CommandModule {
  /** Adds arguments, options and the action; the action throws to fail and sets `process.exitCode` for other codes. */
  define(command: Command, caller: Caller): void;
}

export interface Entry {
  readonly name: string;
  readonly alias?: string;
  readonly summary: string;
  /** Works without a session. */
  readonly sessionless?: true;
  readonly load: () => Promise<CommandModule>;
}

/** Of the option that each command with a session has. */
export const SESSION_HELP = 'the project whose session is meant (default: the nearest one upward)';

/**
 * Builds the program. Usage errors, help and the version are thrown as CommanderError; `onCommand` hears which command
 * was chosen before anything of it can fail.
 */
export function createProgram(
  commands: readonly Entry[],
  onCommand: (command: Command) => void,
  caller: Caller = SELF,
): Command {
  const program = new Command('yolofs')
    .description('A private view of the whole file system for agents: staged, then committed or thrown away.')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .option('--session <dir>', SESSION_HELP)
    .option('-V, --version', 'print the version');
  program.on('option:version', printVersion);
  for (const { name, alias, summary } of commands) {
    const command = program.command(name).summary(summary).description(summary);
    if (alias !== undefined) command.alias(alias);
  }
  program.hook('preSubcommand', (_program, command) => {
    onCommand(command);
    return declare(command, commands, caller);
  });
  return program;
}

/** The program with all that every command declares, for whoever describes it. */
export async function declareAll(commands: readonly Entry[]): Promise<Command> {
  const program = createProgram(commands, () => undefined);
  for (const command of program.commands) await declare(command, commands, SELF);
  return program;
}

async function declare(command: Command, commands: readonly Entry[], caller: Caller): Promise<void> {
  const entry = commands.find((candidate) => candidate.name === command.name());
  if (entry === undefined) return;
  const { define } = await entry.load();
  define(command, caller);
  if (!entry.sessionless) command.option('--session <dir>', SESSION_HELP);
}

/** The version of this package. */
export function ownVersion(): string {
  return (createRequire(import.meta.url)('../../../package.json') as { version: string }).version;
}

function printVersion(): never {
  process.stdout.write(`${ownVersion()}\n`);
  throw new CommanderError(0, 'commander.version', ownVersion());
}

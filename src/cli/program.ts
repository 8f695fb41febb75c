/**
 * The tree of commands. Each command is one file that declares its own options; only the file of the command
 * that was asked for is loaded, so that `yolofs run` starts fast.
 */
import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';

/** What each file below commands/ exports. */
export interface CommandModule {
  /** Adds arguments, options and the action; the action throws to fail and sets `process.exitCode` for other codes. */
  define(command: Command): void;
}

interface Entry {
  readonly name: string;
  readonly alias?: string;
  readonly summary: string;
  /** Works without a session. */
  readonly sessionless?: true;
  readonly load: () => Promise<CommandModule>;
}

const SESSION_HELP = 'the project whose session is meant (default: the nearest one upward)';

const COMMANDS: readonly Entry[] = [
  {
    name: 'init',
    sessionless: true,
    summary: 'prepare a directory for sessions',
    load: () => import('./commands/init.ts'),
  },
  { name: 'run', summary: 'run a command in the view', load: () => import('./commands/run.ts') },
  { name: 'shell', summary: 'open a shell in the view', load: () => import('./commands/shell.ts') },
  { name: 'wrap', summary: 'run a whole agent in the view', load: () => import('./commands/wrap.ts') },
  { name: 'status', summary: 'list what is staged', load: () => import('./commands/status.ts') },
  { name: 'diff', summary: 'show what is staged, line by line', load: () => import('./commands/diff.ts') },
  { name: 'log', alias: 'timeline', summary: 'list the snapshots', load: () => import('./commands/log.ts') },
  { name: 'audit', summary: 'list all that was done, and by whom', load: () => import('./commands/audit.ts') },
  { name: 'snapshot', summary: 'name the present state', load: () => import('./commands/snapshot.ts') },
  {
    name: 'travel',
    summary: 'go to the state of any snapshot, back and forth',
    load: () => import('./commands/travel.ts'),
  },
  { name: 'commit', summary: 'apply what is staged to the real files', load: () => import('./commands/commit.ts') },
  { name: 'undo', summary: 'take the last commit back', load: () => import('./commands/undo.ts') },
  { name: 'abort', summary: 'throw away what is staged', load: () => import('./commands/abort.ts') },
  { name: 'rule', summary: 'list, set and explain what paths are for', load: () => import('./commands/rule.ts') },
  { name: 'watch', summary: 'answer questions of what runs in the view', load: () => import('./commands/watch.ts') },
  {
    name: 'mcp',
    summary: "serve an agent's tools (MCP) on stdin and stdout",
    load: () => import('./commands/mcp.ts'),
  },
  { name: 'hook', summary: "answer an agent's hook", load: () => import('./commands/hook.ts') },
  {
    name: 'install',
    sessionless: true,
    summary: "put the hook into an agent's configuration",
    load: () => import('./commands/install.ts'),
  },
  {
    name: 'uninstall',
    sessionless: true,
    summary: 'take it out again',
    load: () => import('./commands/uninstall.ts'),
  },
  {
    name: 'doctor',
    sessionless: true,
    summary: 'show what this host offers, and try it',
    load: () => import('./commands/doctor.ts'),
  },
  { name: 'stop', summary: "end the session's daemon", load: () => import('./commands/stop.ts') },
  { name: 'gc', summary: 'remove contents that nothing needs', load: () => import('./commands/gc.ts') },
  { name: 'du', summary: 'show what the session occupies', load: () => import('./commands/du.ts') },
];

/** The names of all commands, in the order of `--help`. */
export const COMMAND_NAMES: readonly string[] = COMMANDS.map((entry) => entry.name);

/**
 * Builds the program. Usage errors, help and the version are thrown as CommanderError; `onCommand` hears which command
 * was chosen before anything of it can fail.
 */
export function createProgram(onCommand: (name: string) => void = () => undefined): Command {
  const program = new Command('yolofs')
    .description('A private view of the whole file system for agents: staged, then committed or thrown away.')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .option('--session <dir>', SESSION_HELP)
    .option('-V, --version', 'print the version');
  program.on('option:version', printVersion);
  for (const { name, alias, summary } of COMMANDS) {
    const command = program.command(name).summary(summary).description(summary);
    if (alias !== undefined) command.alias(alias);
  }
  program.hook('preSubcommand', (_program, command) => {
    onCommand(command.name());
    return declare(command);
  });
  return program;
}

async function declare(command: Command): Promise<void> {
  const entry = COMMANDS.find((candidate) => candidate.name === command.name());
  if (entry === undefined) return;
  const { define } = await entry.load();
  define(command);
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

/** A command in the view, with what it reads and writes in the program's hands. */
import type { ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { quoteWord } from '../agents/shell-quote.ts';
import { withDaemon } from '../cli/connection.ts';
import { repositoryVariables } from '../cli/run/repository.ts';
import { shellProgram } from '../cli/run/shell-program.ts';
import { snapshotName } from '../cli/run/snapshot-name.ts';
import type { ChangeLine, Replies, RunSummary } from '../daemon/protocol.ts';
import type { Layout } from '../history/layout.ts';
import { enterArgv, viewEnvironment } from '../sandbox/enter.ts';
import { label, toBytes } from '../sys/bytes.ts';
import { descendantsOf } from '../sys/process/descendants.ts';
import type { StdioEntry } from '../sys/process/inherited.ts';
import { signalProcess, startProcess } from '../sys/process/process.ts';
import { UserError } from '../sys/user-error.ts';
import { collect } from './collect.ts';
import type { RunOptions, RunResult, StagedChange } from './types.ts';

const LONGEST_TEXT = 1000;

export async function runFor(
  session: Layout,
  command: string | readonly string[],
  options: RunOptions,
): Promise<RunResult> {
  const program = typeof command === 'string' ? shellProgram(command) : command;
  if (program.length === 0) throw new UserError('a command is missing', undefined, { code: 'usage' });
  const text = typeof command === 'string' ? command : command.map(quoteWord).join(' ');
  const snapshot = options.snapshot === false ? undefined : toBytes(snapshotName(options.snapshot ?? ''));
  return withDaemon(session, async (daemon) => {
    const view = await daemon.request({ op: 'enter', command: toBytes(text.slice(0, LONGEST_TEXT)) });
    const { child, withheld } = start(session, program, { view, options });
    const ended = collect(child, options.onOutput);
    await daemon.request({ op: 'started', pid: child.pid });
    feed(child, options);
    const { code, stdout, stderr } = await ended;
    const summary = await daemon.request({ op: 'leave', snapshot, withheld: withheld.map(toBytes) });
    return { exitCode: code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr), ...told(summary) };
  });
}

interface Started {
  readonly child: ChildProcess & { readonly pid: number };
  readonly withheld: readonly string[];
}

function start(
  { project }: Layout,
  program: readonly string[],
  { view, options }: { readonly view: Replies['enter']; readonly options: RunOptions },
): Started {
  const own = { ...repositoryVariables(project), ...(options.env ?? process.env) };
  const { env, withheld } = viewEnvironment(own, { cage: view.cage, project }, Object.keys(options.env ?? {}));
  const argv = enterArgv(view, resolve(project, options.cwd ?? ''), program);
  const stdio: StdioEntry[] = [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'];
  const set = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { child: startProcess({ argv, cwd: '/', env: Object.fromEntries(set), stdio }), withheld };
}

/** What it does not read any more is nobody's concern. */
function feed(child: Started['child'], { input, signal }: RunOptions): void {
  child.stdin?.on('error', () => undefined).end(input);
  // Its own process only waits for the command, and ends as that does.
  const end = (): void => {
    for (const pid of descendantsOf(child.pid)) signalProcess(pid, 'SIGTERM');
  };
  if (signal?.aborted) end();
  signal?.addEventListener('abort', end, { once: true });
  child.once('close', () => signal?.removeEventListener('abort', end));
}

function told({
  before,
  generation,
  changes,
  counts,
  refused,
}: RunSummary): Omit<RunResult, 'exitCode' | 'stdout' | 'stderr'> {
  return {
    ...{ before, generation, counts, changes: changes.map(textChange) },
    refused: refused.map(({ path, access, outcome }) => ({ path: label(path), access, outcome })),
  };
}

function textChange({ path, change, type, from }: ChangeLine): StagedChange {
  return { path: label(path), change, type, ...(from === undefined ? {} : { from: label(from) }) };
}

/**
 * One program in the foreground, entered through launchers that know nothing of signals (nsenter forks, and its
 * parent half would die of a Ctrl-C that the program itself handles).
 *
 *     this process (INT, QUIT: ignores; TERM, HUP: forwards)
 *       └ launcher words: ignore all four
 *           └ waiter, a shell: ignores all four, turns death by signal n into exit code 128 + n
 *               └ the program: all four as usual again
 *
 * A launcher may be all that by itself (`waits`).
 *
 * A terminal's signals reach the program by themselves, as a member of the foreground process group. What is
 * sent to this process alone is passed on to the program.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { basename } from 'node:path';
import { type Errno, SystemError } from '../errno.ts';
import { realPath } from '../files/text-files.ts';
import { allStdio, onlyStandardStdio } from './inherited.ts';
import { allProcesses, findTool, processStat, readProc, runProcess, signalProcess } from './process.ts';

export interface Foreground {
  /** The launcher's process; the program is among its descendants. */
  readonly pid: number;
  /** To be called when the pid has been told to whom it concerns: the program may be waiting for that. */
  readonly go?: () => void;
  /** The program's exit code, 128 + n when signal n ended it. */
  readonly exit: Promise<number>;
}

export interface ForegroundOptions {
  readonly program: readonly string[];
  /** The words that lead to the program: `launcher(words)` runs `words` elsewhere. */
  readonly launcher: (words: readonly string[]) => readonly string[];
  /** Of a launcher that ignores the four and has a waiter of its own: the whole command line of all on the way to the program. */
  readonly waits?: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether it gets descriptors that this process has merely inherited, too. */
  readonly keepsDescriptors?: boolean;
}

const RETRY_MS = 20;
const IGNORE = 'trap "" INT QUIT TERM HUP; exec "$@"';
// $0 is the path of env(1). The waiter's own stderr is closed: shells like to tell which signal ended a program.
const RESTORE_AND_WAIT =
  'exec 3>&2 2>/dev/null; (exec "$0" --default-signal=INT,QUIT,TERM,HUP -- "$@" 2>&3 3>&-); exit $?';

/** Starts the program with this process's stdin, stdout and stderr. `exit` rejects with a SystemError when it cannot. */
export function startForeground(options: ForegroundOptions): Foreground {
  const { words, isOnWay } = wordsOf(options);
  const [command = '', ...args] = words;
  const { stdio, release } = options.keepsDescriptors === true ? allStdio() : onlyStandardStdio();
  const child = spawn(command, args, { stdio, env: options.env });
  release();
  const launcher = child.pid;
  if (launcher === undefined) return { pid: 0, exit: startFailure(child) };
  const restore = handleSignals(() => programBelow(launcher, isOnWay));
  return { pid: launcher, exit: exitOf(child).finally(restore) };
}

interface Way {
  readonly words: readonly string[];
  /** Tells by its command line what is no more than on the way to the program; by default nothing is. */
  readonly isOnWay?: (commandLine: string) => boolean;
}

function wordsOf({ launcher, program, waits }: ForegroundOptions): Way {
  if (waits !== undefined) {
    return { words: launcher(program), isOnWay: (line) => line.replace(/[\0 ]+$/, '') === waits };
  }
  const env = findRestorer();
  if (env === undefined) return { words: launcher(envSafe(program)) };
  const waiter = ['/bin/sh', '-c', RESTORE_AND_WAIT, env];
  const words = ['/bin/sh', '-c', IGNORE, 'sh', ...launcher([...waiter, ...envSafe(program)])];
  return { words, isOnWay: (line) => line.includes(RESTORE_AND_WAIT) };
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
  });
}

function startFailure(child: ChildProcess): Promise<number> {
  return new Promise((_resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      reject(new SystemError('cannot start the command', -(error.errno ?? -5) as Errno));
    });
  });
}

/** Makes this process outlive the terminal's signals and pass on others; returns what undoes that. */
function handleSignals(program: () => number | undefined): () => void {
  let retry: NodeJS.Timeout | undefined;
  const ignore = (): void => undefined;
  const forward = (signal: NodeJS.Signals): void => {
    const pid = program();
    if (pid === undefined) retry = setTimeout(forward, RETRY_MS, signal);
    else signalProcess(pid, signal);
  };
  const handlers = { SIGINT: ignore, SIGQUIT: ignore, SIGTERM: forward, SIGHUP: forward };
  for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler);
  return () => {
    clearTimeout(retry);
    for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler);
  };
}

/**
 * The program itself; undefined when it is not there yet. The launcher and what it forks form a chain of only
 * children that ends with the waiter, whose child it is; without a waiter it is the launcher's.
 */
function programBelow(launcher: number, isOnWay: Way['isOnWay'] = () => false): number | undefined {
  const children = firstChildren();
  let at = children.get(launcher);
  while (at !== undefined && isOnWay(readProc(at, 'cmdline') ?? '')) {
    at = children.get(at);
  }
  return at;
}

/** One child of every process that has any. */
function firstChildren(): Map<number, number> {
  return new Map(allProcesses().map((pid) => [processStat(pid)?.parent ?? 0, pid]));
}

/** `env` takes leading words with `=` for assignments, which a program's path may also look like. */
function envSafe(program: readonly string[]): readonly string[] {
  return program[0]?.includes('=') === true ? ['sh', '-c', 'exec "$@"', 'sh', ...program] : program;
}

/**
 * An env(1) that can give signals their default action back: GNU's can since 8.31 (2019), others must be asked.
 * Without one the program runs without a waiter, and a Ctrl-C ends `run` even if the program goes on.
 */
function findRestorer(): string | undefined {
  const env = findTool('env');
  if (env === undefined || basename(realPath(env) ?? '') === 'env') return env;
  return runProcess([env, '--default-signal=INT', 'true']).code === 0 ? env : undefined;
}

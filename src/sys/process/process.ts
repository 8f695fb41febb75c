/**
 * Processes of the host: starting them, asking /proc about them, signalling them. No foreign function interface,
 * so that the command line can use it.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Errno, SystemError } from '../errno.ts';
import { isExecutable, readText } from '../files/text-files.ts';
import { UserError } from '../user-error.ts';
import { onlyStdio, type StdioEntry } from './inherited.ts';

/** Where an administrator puts programs. `$PATH` is not asked: it may lead through directories that an agent writes to. */
const TRUSTED = ['/usr/bin', '/usr/sbin', '/bin', '/sbin', '/run/current-system/sw/bin', '/usr/local/bin'];

/** The absolute path of a system program; undefined when it is not installed. */
export function findTool(name: string): string | undefined {
  return TRUSTED.map((dir) => `${dir}/${name}`).find(isExecutable);
}

/** As `findTool`. Throws a UserError when it is not installed. */
export function needTool(name: string): string {
  const path = findTool(name);
  if (path !== undefined) return path;
  throw new UserError(`'${name}' is not installed on this host`, `install util-linux, which '${name}' is part of`);
}

/** The environment of programs we start for ourselves. */
export const PLAIN_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
  LANG: 'C.UTF-8',
};

export interface SpawnOptions {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Descriptors 0, 1, ... of the program, which gets no others. */
  readonly stdio: readonly StdioEntry[];
  /** `/` unless it is given. */
  readonly cwd?: string;
  /** Its own session, so that it outlives this process and its terminal. */
  readonly detached?: boolean;
}

/** Starts a program. Throws a SystemError when it cannot be started. */
export function startProcess(options: SpawnOptions): ChildProcess & { readonly pid: number } {
  const [command = '', ...args] = options.argv;
  const { stdio, release } = onlyStdio(options.stdio);
  const { cwd = '/', env, detached = false } = options;
  const action = `cannot start ${command}`;
  try {
    const child = spawn(command, args, { cwd, env, stdio, detached });
    // Node also tells it later as an event, which nobody may leave unheard.
    child.on('error', () => undefined);
    const { pid } = child;
    if (pid === undefined) throw new SystemError(action, startErrno(command));
    return Object.assign(child, { pid });
  } catch (error) {
    // Of some reasons, as words that are too long, it throws at once.
    const { errno } = error as NodeJS.ErrnoException;
    if (errno === undefined || error instanceof SystemError) throw error;
    throw new SystemError(action, -errno as Errno);
  } finally {
    release();
  }
}

/** Node tells why a start failed only later, as an event. */
function startErrno(command: string): Errno {
  return (isExecutable(command) ? 11 : 2) as Errno;
}

export interface Outcome {
  readonly code: number;
  /** What it wrote to stdout, and the first line it wrote to stderr. */
  readonly output: string;
  readonly complaint: string;
}

/** Runs a short program to its end, at most five seconds. */
export function runProcess(argv: readonly string[]): Outcome {
  const [command = '', ...args] = argv;
  const { status, stdout, stderr } = spawnSync(command, args, {
    env: PLAIN_ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 5000,
    encoding: 'utf8',
  });
  return { code: status ?? 1, output: stdout ?? '', complaint: stderr?.split('\n')[0] ?? '' };
}

/** Sends a signal; false when the process is gone. Throws a SystemError when it is not ours to signal. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    const { code, errno } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH') return false;
    throw new SystemError(`cannot signal process ${pid}`, -(errno ?? -1) as Errno);
  }
}

export interface ProcessStat {
  readonly parent: number;
  /** Its name as bytes; at most 15 of them. */
  readonly name: string;
  /** Number of its controlling terminal, 0 = none. */
  readonly terminal: number;
  /** Clock ticks since boot: together with the pid it names a process for good. */
  readonly started: number;
  /** The processor that its first thread, or the thread asked for, ran on last. */
  readonly processor: number;
}

/** Bytes of /proc/PID/stat: 52 numbers and a short name. */
const MOST_STAT = 1024;

/**
 * What /proc says of a process; undefined when it is gone. Waits while an execve(2) of it is under way: where that may hang on the
 * asking thread itself, `processOrigin` is the one to ask.
 */
export function processStat(pid: number): ProcessStat | undefined {
  return statFrom(readProc(pid, 'stat'));
}

/** As `processStat`, also of a thread, without keeping this thread waiting. */
export async function processStatSoon(tid: number): Promise<ProcessStat | undefined> {
  return statFrom(await readProcSoon(tid, 'stat', MOST_STAT));
}

function statFrom(text: string | undefined): ProcessStat | undefined {
  if (text === undefined) return undefined;
  // The name stands in parentheses and may contain anything, parentheses too.
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    parent: Number(fields[1]),
    terminal: Number(fields[4]),
    started: Number(fields[19]),
    processor: Number(fields[36]),
  };
}

/** A file of /proc/PID as bytes; undefined when the process is gone or not ours to see. */
export function readProc(pid: number, file: string): string | undefined {
  return ofProcess(() => readFileSync(`/proc/${pid}/${file}`, 'latin1'));
}

/** As `readProc`, the first bytes of it, without keeping this thread waiting. */
export async function readProcSoon(pid: number, file: string, most: number): Promise<string | undefined> {
  const handle = await open(`/proc/${pid}/${file}`).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(most), 0, most, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return undefined;
    throw error;
  } finally {
    await handle.close();
  }
}

/** Where a link of /proc/PID leads; undefined when the process is gone or not ours to see. */
export function linkOfProc(pid: number, link: string): string | undefined {
  return ofProcess(() => readlinkSync(`/proc/${pid}/${link}`));
}

/** The names in a directory of /proc/PID; none when the process is gone or not ours to see. */
export function namesOfProc(pid: number, directory: string): string[] {
  return ofProcess(() => readdirSync(`/proc/${pid}/${directory}`)) ?? [];
}

/** The threads of a process, none when it is gone. */
export function threadsOf(pid: number): number[] {
  return namesOfProc(pid, 'task').map(Number);
}

/** Its open descriptors; none of a process that cannot be seen. */
export function descriptorsOf(pid: number): number[] {
  return namesOfProc(pid, 'fd').map(Number);
}

/** The processes that are in the same pid namespace as `pid`, itself included; pids as this process sees them. */
export function processesBeside(pid: number): number[] {
  const own = pidNamespace(pid);
  if (own === undefined) return [];
  return allProcesses().filter((other) => pidNamespace(other) === own);
}

function pidNamespace(pid: number): string | undefined {
  return linkOfProc(pid, 'ns/pid');
}

/** Every process that /proc shows. */
export function allProcesses(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function ofProcess<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return undefined;
    throw error;
  }
}

/** How many descriptors this process may have open. */
export function openFilesLimit(): number {
  return ownLimit('Max open files') ?? 1024;
}

/** A soft limit of this process by its name in /proc/self/limits; undefined where it is no number. */
export function ownLimit(name: string): number | undefined {
  const line = readFileSync('/proc/self/limits', 'latin1')
    .split('\n')
    .find((each) => each.startsWith(name));
  const soft = /^\s+(\d+)/.exec(line?.slice(name.length) ?? '')?.[1];
  return soft === undefined ? undefined : Number(soft);
}

/** The effective capabilities of this process as a mask of their numbers: capabilities(7). */
export function effectiveCapabilities(): bigint {
  const mask = /^CapEff:\s*([0-9a-f]+)/m.exec(readText('/proc/self/status') ?? '')?.[1] ?? '0';
  return BigInt(`0x${mask}`);
}

/** Whether its user namespace is the host's, in which alone some capabilities count: user_namespaces(7). */
export function isInHostsUserNamespace(): boolean {
  return /^\s*0\s+0\s+4294967295\s*$/.test(readText('/proc/self/uid_map') ?? '');
}

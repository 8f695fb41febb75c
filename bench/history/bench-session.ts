/** A real session to measure: its command line, its daemon over the socket, a shell in its view, and the daemon's costs. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Client, connect } from '../../src/daemon/client.ts';
import type { Layout } from '../../src/history/layout.ts';
import { registered } from '../../test/history/registry/layouts.ts';
import { CLEAN_ENV, exec } from '../../test/support/exec.ts';

const MAIN = join(dirname(fileURLToPath(import.meta.url)), '../../src/cli/main.js');
const TIMEOUT = 5 * 60_000;

/** What a command took. */
export interface Cost {
  readonly stdout: string;
  /** Milliseconds by the clock, and of processor time (10 ms is the smallest that is seen). */
  readonly ms: number;
  readonly cpu: number;
}

export class BenchSession {
  readonly project: string;
  readonly #home: string;

  constructor(disk: string, name: string) {
    // Nothing of a home: the project and the worker are not in it, and the rules are the defaults.
    this.#home = join(disk, 'home');
    this.project = join(disk, name);
  }

  /** Once it is made. */
  get layout(): Layout {
    return registered(this.project, this.#home);
  }

  /** Makes the project, filled by `seed`, and its session. */
  static async make(disk: string, name: string, seed: (project: string) => void): Promise<BenchSession> {
    const session = new BenchSession(disk, name);
    mkdirSync(session.project);
    mkdirSync(session.#home, { recursive: true });
    seed(session.project);
    await session.cli(['init']);
    return session;
  }

  /** `yolofs ARGS` in the project; it must succeed. */
  async cli(args: readonly string[]): Promise<Cost> {
    const argv = ['sh', '-c', '"$@"; code=$?; times >&2; exit $code', 'sh', process.execPath, MAIN, ...args];
    const start = performance.now();
    const result = await exec(argv, { cwd: this.project, env: { HOME: this.#home }, timeout: TIMEOUT });
    const ms = performance.now() - start;
    if (result.code !== 0) throw new Error(`yolofs ${args.join(' ')}: exit ${result.code}\n${result.stderr}`);
    return { stdout: result.stdout, ms, cpu: childTime(result.stderr) };
  }

  /** Runs a command in the view, without a snapshot and without a summary; returns its stdout. */
  async run(argv: readonly string[]): Promise<string> {
    return (await this.cli(['run', '--quiet', '--no-snapshot', '--', ...argv])).stdout;
  }

  /** A connection to the daemon, which must be there. */
  async client(): Promise<Client> {
    const client = await connect(this.layout);
    if (client === undefined) throw new Error('the daemon is not there');
    return client;
  }

  /** A shell that stays in the view. */
  shell(): ViewShell {
    return new ViewShell(this.project, { ...CLEAN_ENV, HOME: this.#home });
  }

  stop(): Promise<unknown> {
    return existsSync(this.layout.dir) ? this.cli(['stop']) : Promise.resolve();
  }
}

/** User and system time of the children, the second line of what `times` says, in milliseconds. */
function childTime(said: string): number {
  const lines = said.trimEnd().split('\n');
  const parts = [...(lines.at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000, 0);
}

/** Processor time of all threads of a process so far, in milliseconds, from the scheduler's nanoseconds. */
export function cpuOf(pid: number): number {
  let sum = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    sum += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;
  }
  return sum;
}

/** A field of /proc/PID/status in bytes: VmRSS is what a process has in memory, VmHWM the most it ever had. */
export function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024;
}

export class ViewShell {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting: ((line: string) => void)[] = [];

  constructor(cwd: string, env: Readonly<Record<string, string>>) {
    const script = 'while read -r line; do eval "$line" || exit 1; echo; done';
    const argv = [MAIN, 'run', '--quiet', '--no-snapshot', '--', 'sh', '-c', script];
    this.#child = spawn(process.execPath, argv, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface(this.#child.stdout).on('line', (line) => this.#waiting.shift()?.(line));
  }

  /** Has the shell carry out one line that says nothing or one line without its newline; resolves to what it says. */
  do(line: string): Promise<string> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#child.stdin.write(`${line}\n`);
    });
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#child.once('exit', () => resolve());
      this.#child.stdin.end();
    });
  }
}

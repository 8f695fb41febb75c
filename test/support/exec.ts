/** Running programs from tests: with a clean environment, as an account, and never longer than a time limit. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { type Account, become } from './accounts.ts';

export interface Result {
  /** 128 + n when a signal ended it. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How many times longer than here all may take: the word of an emulated machine, and of CI, which others slow down. */
export const SLOWNESS = Number(process.env.YOLOFS_TEST_SLOWNESS ?? '1');
/** An emulated machine, where each instruction takes so long. */
export const IS_EMULATED = SLOWNESS >= 10;

export interface ExecOptions {
  readonly cwd?: string;
  readonly account?: Account;
  /** Added to the clean environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  /** Milliseconds; the default is a minute. A program that is still there then is a failure. */
  readonly timeout?: number;
  /** Sees every piece of stdout as it comes. */
  readonly onStdout?: (piece: Buffer) => void;
  /** Sees the process as soon as it exists. */
  readonly onStart?: (pid: number) => void;
}

const SIGNAL_NUMBERS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGPIPE: 13,
  SIGTERM: 15,
};

/** What every program of a test sees, whoever runs the suite. */
export const CLEAN_ENV: Readonly<Record<string, string>> = {
  PATH: `${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  NO_COLOR: '1',
};

const NETWORK_VARIABLES =
  /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|(?:https?|all|no)_proxy|npm_config_(?:registry|proxy|https_proxy|noproxy|cafile))$/i;

/** How programs reach the network here, for tests that need it: a proxy, its certificate, a registry. */
export const NETWORK_ENV: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => NETWORK_VARIABLES.test(entry[0])),
);

/** Runs a program to its end. Rejects only when it cannot be started or outlives its time. */
export function exec(argv: readonly string[], options: ExecOptions = {}): Promise<Result> {
  const words = [...(options.account === undefined ? [] : become(options.account)), ...argv];
  const [command = 'false', ...args] = words;
  return new Promise((resolve, reject) => {
    // Its own process group, so that a program that hangs can be ended with all it has started.
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...CLEAN_ENV, ...options.env },
      detached: true,
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    // Never null for the streams that are pipes; spawn's types cannot say so.
    const { stdout, stderr, stdin } = child as typeof child & { stdout: Readable; stderr: Readable };
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const limit = (options.timeout ?? 60_000) * SLOWNESS;
    const timer = setTimeout(() => {
      const said = Buffer.concat(err).toString().slice(-2000);
      reject(new Error(`still running after ${limit} ms: ${argv.join(' ')}\n${said}`));
      endGroup(child.pid);
      stdout.destroy();
      stderr.destroy();
    }, limit);
    stdout.on('data', (piece: Buffer) => {
      out.push(piece);
      options.onStdout?.(piece);
    });
    stderr.on('data', (piece: Buffer) => err.push(piece));
    stdin?.on('error', ignoreBrokenPipe);
    stdin?.end(options.input);
    child.on('error', reject);
    if (child.pid !== undefined) options.onStart?.(child.pid);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({
        code: code ?? 128 + (SIGNAL_NUMBERS[signal ?? ''] ?? 0),
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
      });
    });
  });
}

/** Runs a program that must succeed and returns what it wrote to stdout. */
export async function succeed(argv: readonly string[], options: ExecOptions = {}): Promise<string> {
  const result = await exec(argv, options);
  assert.equal(result.code, 0, `${argv.join(' ')}\n${result.stdout.slice(-2000)}${result.stderr.slice(-4000)}`);
  return result.stdout;
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  // The program did not read all of its input: its exit code tells.
  if (error.code !== 'EPIPE') throw error;
}

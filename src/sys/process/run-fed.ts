/** Runs a short program the way another program would: with its input, its directory and its environment. */
import { spawn, spawnSync } from 'node:child_process';
import { signalProcess } from './process.ts';

export interface Start {
  readonly input: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds; then it is killed. */
  readonly timeout: number;
}

export interface Ending {
  /** Undefined when it could not be started, was killed, or took too long. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs it to its end. Never throws for what the program does. */
export function runFed(argv: readonly string[], { input, cwd, env, timeout }: Start): Ending {
  const [command = '', ...args] = argv;
  const { status, stdout, stderr } = spawnSync(command, args, {
    input,
    cwd,
    env,
    timeout,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
  });
  return { code: status ?? undefined, stdout: stdout ?? '', stderr: stderr ?? '' };
}

/** As `runFed`, for a program that this process has to answer meanwhile. It ends with all that it has started. */
export function runAnswered(argv: readonly string[], { input, cwd, env, timeout }: Start): Promise<Ending> {
  const [command = '', ...args] = argv;
  const child = spawn(command, args, { cwd, env, detached: true });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  child.stdin.on('error', () => undefined).end(input);
  const killGroup = (): void => {
    if (child.pid !== undefined) signalProcess(-child.pid, 'SIGKILL');
  };
  const timer = setTimeout(killGroup, timeout);
  return new Promise((resolve) => {
    child.once('error', () => resolve({ code: undefined, ...output }));
    child.once('exit', killGroup);
    child.once('close', (code) => resolve({ code: code ?? undefined, ...output }));
  }).finally(() => clearTimeout(timer)) as Promise<Ending>;
}

/** Runs a short program the way another program would: with its input, its directory and its environment. */
import { spawnSync } from 'node:child_process';

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

/** A real server: a process group of its own, a free port of the loopback device, a directory that goes with it. */
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, become } from '../../support/accounts.ts';
import { CLEAN_ENV } from '../../support/exec.ts';

/** A node takes ten seconds where nothing else runs. */
const START_MS = 6 * 60_000;

export interface RealServer {
  readonly url: string;
  readonly pid: number;
  /** At once, as a machine that fails does. */
  stop(): Promise<void>;
}

export interface Start {
  /** The command, for a port to listen on and a directory to keep data in. */
  readonly command: (port: number, directory: string) => Promise<readonly string[]>;
  readonly account: Account;
  /** Below its address; whether what it says there means that it is ready. */
  readonly health: string;
  readonly isReady: (answer: unknown) => boolean;
}

/** Starts a server and waits until it answers. Should the tests be killed, it goes with them. */
export async function startServer({ command, account, health, isReady }: Start): Promise<RealServer> {
  const directory = mkdtempSync('/var/tmp/yolofs-server-');
  chmodSync(directory, 0o755);
  const data = join(directory, 'data');
  mkdirSync(data);
  chownSync(data, account.uid, account.gid);
  const port = await freePort();
  const log = join(directory, 'log');
  const output = openSync(log, 'w');
  const words = [...become(account), 'setpriv', '--pdeathsig', 'KILL', '--', ...(await command(port, data))];
  const [program = '', ...args] = words;
  const child = spawn(program, args, { cwd: data, detached: true, stdio: ['ignore', output, output], env: CLEAN_ENV });
  let isOver = false;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve())).then(() => {
    isOver = true;
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} does not start`);
  const stop = async (): Promise<void> => {
    if (!isOver) process.kill(-pid, 'SIGKILL');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  for (const end = Date.now() + START_MS; Date.now() < end && !isOver; await sleep(200)) {
    const answer = await fetch(`${url}${health}`).then((response) => response.json(), ignoreNotYet);
    if (isReady(answer)) return { url, pid, stop };
  }
  const said = readFileSync(log, 'utf8').slice(-4000);
  await stop();
  throw new Error(`no answer from ${words.join(' ')}\n${said}`);
}

/** A connection that is refused means that it has not come so far. */
function ignoreNotYet(error: unknown): undefined {
  if (error instanceof TypeError || error instanceof SyntaxError) return undefined;
  throw error;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

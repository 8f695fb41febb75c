/**
 * Chroma's own server, from PyPI. It is installed once into a cache folder (`$YOLOFS_TEST_CACHE`, else
 * `cache.ts`; 110 MB to fetch, a minute or two), and started on a free port of the loopback device.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { serverCache } from './cache.ts';

export const CHROMA_VERSION = '1.5.9';

const INSTALL_MS = 15 * 60_000;
const READY_MS = 60_000;
const INTERRUPT_MS = 3_000;

/** One installation at a time; a second one waits, and finds the first one's. */
const INSTALL = `
set -e
test -e "$1/ready" && exit 0
rm -rf "$1/venv"
python3 -m venv "$1/venv"
"$1/venv/bin/pip" install --quiet --no-input --disable-pip-version-check "chromadb==$2"
touch "$1/ready"
`;

export interface RealServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a server with an empty directory. Throws, with what the means were to be, where there are none. */
export async function startChroma(): Promise<RealServer> {
  const program = join(await install(), 'venv/bin/chroma');
  const directory = mkdtempSync(join(tmpdir(), 'yolofs-chroma-'));
  const log = join(directory, 'log');
  const port = await freePort();
  const args = ['run', '--host', '127.0.0.1', '--port', String(port), '--path', join(directory, 'data')];
  const output = openSync(log, 'a');
  const child = spawn(program, args, {
    // A process group of its own: no Ctrl-C of the tests ends it halfway.
    detached: true,
    stdio: ['ignore', output, output],
    env: { ...process.env, ANONYMIZED_TELEMETRY: 'False' },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    // SIGTERM would make it spin for ever.
    child.kill('SIGINT');
    const isOver = await Promise.race([ended.then(() => true), sleep(INTERRUPT_MS, false)]);
    if (!isOver) child.kill('SIGKILL');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await ready(url, () => child.exitCode !== null, log);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, pid: child.pid ?? 0, stop };
}

async function install(): Promise<string> {
  const place = join(serverCache(), `chroma-${CHROMA_VERSION}`);
  mkdirSync(place, { recursive: true });
  const args = [join(place, 'lock'), 'sh', '-c', INSTALL, 'sh', place, CHROMA_VERSION];
  try {
    await promisify(execFile)('flock', args, { timeout: INSTALL_MS });
  } catch (error) {
    const means = 'this suite needs python3 with venv, flock, and PyPI once';
    throw new Error(`Chroma ${CHROMA_VERSION} cannot be installed into ${place}: ${means}`, { cause: error });
  }
  return place;
}

async function ready(url: string, isOver: () => boolean, log: string): Promise<void> {
  for (const until = Date.now() + READY_MS; Date.now() < until && !isOver(); await sleep(50)) {
    try {
      if ((await fetch(`${url}/api/v2/heartbeat`)).ok) return;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  throw new Error(`Chroma is not ready: ${readFileSync(log, 'utf8').slice(-2000)}`);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return port;
}

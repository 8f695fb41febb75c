/**
 * One real node of OpenSearch or Elasticsearch, installed from Maven into a cache folder: its own process group, a free
 * port, loopback only, data in a directory that goes with it. Whoever starts one stops it.
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, become, ordinary } from '../../support/accounts.ts';
import { NETWORK_ENV, succeed } from '../../support/exec.ts';
import { REPOSITORY } from '../../support/source-files.ts';
import { serverCache } from './cache.ts';

export type NodeKind = 'opensearch' | 'elasticsearch';

export interface JavaNode {
  readonly url: string;
  stop(): Promise<void>;
}

/** What installs and starts a node. */
export const JAVA_PROGRAMS = ['java', 'javac', 'mvn'];

const MAIN: Readonly<Record<NodeKind, string>> = {
  opensearch: 'TestNode',
  elasticsearch: 'org.elasticsearch.node.TestNode',
};

const INSTALL_MS = 10 * 60_000;
const START_MS = 3 * 60_000;

/** Starts a node and waits until it answers. Elasticsearch refuses to be root, so both run as the ordinary user. */
export async function startJavaNode(kind: NodeKind): Promise<JavaNode> {
  const installed = await install(kind);
  const account = ordinary();
  const directory = mkdtempSync('/var/tmp/yolofs-node-');
  mkdirSync(join(directory, 'home/config'), { recursive: true });
  await succeed(['chown', '-R', `${account.uid}:${account.gid}`, directory]);
  const [http, transport] = [await freePort(), await freePort()];
  const classes = `${join(installed, 'classes')}:${join(installed, 'lib')}/*`;
  const java = [
    'java',
    '-Xms512m',
    '-Xmx512m',
    '-cp',
    classes,
    MAIN[kind],
    join(directory, 'home'),
    `${http}`,
    `${transport}`,
  ];
  const node = new Running(java, directory, account);
  const url = `http://127.0.0.1:${http}`;
  await node.isReady(url);
  return { url, stop: () => node.stop() };
}

/** The folder of a kind in the cache, filled once: its jars, and the compiled class that starts it. */
async function install(kind: NodeKind): Promise<string> {
  const cache = serverCache();
  const recipe = join(REPOSITORY, 'test/sources/servers', kind);
  const version = /<server>(.*)<\/server>/.exec(readFileSync(join(recipe, 'pom.xml'), 'utf8'))?.[1] ?? 'unknown';
  const installed = join(cache, `${kind}-${version}`);
  if (existsSync(installed)) return installed;
  // Beside, and then put in place: what was broken off is not taken for installed.
  mkdirSync(cache, { recursive: true });
  const making = mkdtempSync(join(cache, `${kind}-making-`));
  cpSync(recipe, making, { recursive: true });
  const copy = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${join(making, 'lib')}`];
  const env = { ...NETWORK_ENV, HOME: homedir() };
  await succeed(['mvn', '-q', '-B', ...copy], { cwd: making, timeout: INSTALL_MS, env });
  await succeed(['javac', '-cp', 'lib/*', '-d', 'classes', 'TestNode.java'], { cwd: making, timeout: INSTALL_MS });
  await succeed(['chmod', '-R', 'a+rX', making]);
  try {
    renameSync(making, installed);
  } catch (error) {
    // Another suite was faster.
    if (!existsSync(installed)) throw error;
    rmSync(making, { recursive: true });
  }
  return installed;
}

class Running {
  readonly #directory: string;
  readonly #log: string;
  readonly #pid: number;
  readonly #ended: Promise<unknown>;
  #isOver = false;

  constructor(command: readonly string[], directory: string, account: Account) {
    this.#directory = directory;
    this.#log = join(directory, 'log');
    const out = openSync(this.#log, 'w');
    const [program = '', ...args] = [...become(account), ...command];
    const child = spawn(program, args, { cwd: directory, detached: true, stdio: ['ignore', out, out] });
    if (child.pid === undefined) throw new Error(`${program} does not start`);
    this.#pid = child.pid;
    this.#ended = new Promise((resolve) => child.on('exit', resolve)).then(() => {
      this.#isOver = true;
    });
  }

  async isReady(url: string): Promise<void> {
    for (const end = Date.now() + START_MS; Date.now() < end && !this.#isOver; await sleep(200)) {
      const health = await fetch(`${url}/_cluster/health`).then((answer) => answer.json(), ignoreNotYet);
      if (['green', 'yellow'].includes((health as { status?: string } | undefined)?.status ?? '')) return;
    }
    const said = readFileSync(this.#log, 'utf8').slice(-4000);
    await this.stop();
    throw new Error(`the node is not ready after ${START_MS / 1000} s\n${said}`);
  }

  async stop(): Promise<void> {
    if (!this.#isOver) process.kill(-this.#pid, 'SIGKILL');
    await this.#ended;
    rmSync(this.#directory, { recursive: true });
  }
}

/** A connection that is refused means that it has not come so far. */
function ignoreNotYet(error: unknown): undefined {
  if (error instanceof TypeError || error instanceof SyntaxError) return undefined;
  throw error;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/**
 * The file systems that are compared. All live on one fresh loop-mounted ext4: a plain copy of the base tree, two
 * overlays over the base tree, the limit over a copy, a yolofs session whose project is the base tree itself, and
 * one more of a copy. The commands of `limit` and `pinned` and the thread that serves them share one processor.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { OPERATIONS } from '../src/fuse/ops.ts';
import { exec, succeed } from '../test/support/exec.ts';
import { BenchSession, memoryOf } from './history/bench-session.ts';

export interface System {
  readonly name: string;
  /** Where commands work: the base tree as this system shows it. */
  readonly work: string;
  /** Runs a command with `work` as its directory; it must succeed; returns its stdout. */
  run(argv: readonly string[]): Promise<string>;
  /** Requests served so far, by opcode; none for systems that do not count. */
  counters(): Promise<Readonly<Record<string, number>>>;
  stop(): Promise<void>;
}

const TIMEOUT = 20 * 60_000;
const PROCESSOR = '0';
const PINNED = ['taskset', '-c', PROCESSOR];

/** Plain ext4: the measure of all things. */
export function plain(disk: string): System {
  return hosted('ext4', join(disk, 'ext4'), []);
}

/** The kernel's OverlayFS over `disk`/base. */
export async function overlay(disk: string): Promise<System> {
  const { mount, options } = layers(disk, 'overlay');
  await succeed(['mount', '-t', 'overlay', 'overlay', '-o', options, mount]);
  return hosted('overlayfs', mount, ['umount', mount]);
}

/** Debian's fuse-overlayfs over `disk`/base; undefined where it is not installed. */
export async function fuseOverlay(disk: string): Promise<System | undefined> {
  const version = await exec(['sh', '-c', 'command -v fuse-overlayfs']);
  if (version.code !== 0) return undefined;
  const { mount, options } = layers(disk, 'fuse-overlay');
  await succeed(['fuse-overlayfs', '-o', options, mount]);
  return hosted('fuse-overlayfs', mount, ['umount', mount]);
}

/** A pass-through FUSE server over `disk`/limit (limit/main.c), on the processor of its callers. */
export async function limit(disk: string): Promise<System> {
  const [program, source, mount, counters] = ['limit-server', 'limit', 'limit-view', 'limit-counters'].map((name) =>
    join(disk, name),
  ) as [string, string, string, string];
  mkdirSync(mount);
  await compile(
    program,
    ['main', 'nodes', 'operations'].map((name) => `limit/${name}.c`),
  );
  const server = spawn('taskset', ['-c', PROCESSOR, program, source, mount, counters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  await once(server.stdout, 'data');
  const system = hosted('limit', mount, ['umount', mount]);
  return {
    ...system,
    stop: async () => {
      await system.stop();
      await ended;
    },
    run: (argv) => system.run([...PINNED, ...argv]),
    counters: () => Promise.resolve(countersIn(counters)),
  };
}

/** Compiles sources of this folder. */
export async function compile(program: string, sources: readonly string[]): Promise<void> {
  await succeed(['gcc', '-O2', '-o', program, ...sources.map((source) => resolve('bench', source))]);
}

function countersIn(file: string): Record<string, number> {
  const numbers = new BigUint64Array(new Uint8Array(readFileSync(file)).buffer);
  const counted = OPERATIONS.map(
    (operation, opcode) => [operation?.name ?? '', Number(numbers[opcode] ?? 0n)] as const,
  );
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}

/** A session on the directory `base` of `disk`, or on `pinned`: that one on the processor of its callers. */
export class Yolofs implements System {
  readonly name: string;
  readonly work: string;
  readonly #session: BenchSession;
  readonly #isPinned: boolean;

  constructor(disk: string, directory: 'base' | 'pinned') {
    this.#session = new BenchSession(disk, directory);
    this.#isPinned = directory === 'pinned';
    this.name = this.#isPinned ? 'yolofs, pinned' : 'yolofs';
    this.work = this.#session.project;
    mkdirSync(join(disk, 'home'), { recursive: true });
  }

  async start(): Promise<void> {
    await this.#session.cli(['init']);
    await this.#session.run(['true']);
    if (this.#isPinned) await pin(await this.#pid());
  }

  run(argv: readonly string[]): Promise<string> {
    return this.#session.run(this.#isPinned ? [...PINNED, ...argv] : argv);
  }

  async counters(): Promise<Readonly<Record<string, number>>> {
    const client = await this.#session.client();
    const { opcodes } = await client.request({ op: 'stats' });
    client.close();
    return opcodes;
  }

  /** Resident memory of the daemon in bytes, as the kernel counts it. */
  async residentBytes(): Promise<number> {
    return memoryOf(await this.#pid(), 'VmRSS');
  }

  async #pid(): Promise<number> {
    const client = await this.#session.client();
    client.close();
    return client.hello.pid;
  }

  async stop(): Promise<void> {
    await this.#session.stop();
  }
}

/** Binds the thread that serves requests, which is the one that sleeps in poll(2), and the main thread, whose processors it may go to. */
async function pin(pid: number): Promise<void> {
  const threads = readdirSync(`/proc/${pid}/task`);
  const serving = threads.filter((id) => readFileSync(`/proc/${pid}/task/${id}/wchan`, 'utf8').includes('poll_sch'));
  if (serving.length === 0) throw new Error('no thread of the daemon sleeps in poll(2)');
  for (const id of [`${pid}`, ...serving]) await succeed(['taskset', '-cp', PROCESSOR, id]);
}

function hosted(name: string, work: string, stop: readonly string[]): System {
  return {
    name,
    work,
    run: (argv) => succeed(argv, { cwd: work, env: { HOME: dirname(work) }, timeout: TIMEOUT }),
    counters: () => Promise.resolve({}),
    stop: async () => {
      if (stop.length > 0) await succeed(stop);
    },
  };
}

function layers(disk: string, name: string): { mount: string; options: string } {
  const [upper, work, mount] = ['upper', 'work', 'view'].map((part) => join(disk, `${name}-${part}`)) as [
    string,
    string,
    string,
  ];
  for (const dir of [upper, work, mount]) mkdirSync(dir, { recursive: true });
  return { mount: resolve(mount), options: `lowerdir=${disk}/base,upperdir=${upper},workdir=${work}` };
}

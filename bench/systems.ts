/**
 * The file systems that are compared. All live on one fresh loop-mounted ext4: a plain copy of the base tree, two
 * overlays over the base tree, and a yolofs session whose project is the base tree itself.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exec, type Result, succeed } from '../test/support/exec.ts';

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

export interface Stats {
  readonly opcodes: Readonly<Record<string, number>>;
  readonly rss: number;
  readonly nodes: number;
}

const MAIN = join(dirname(fileURLToPath(import.meta.url)), '../src/cli/main.js');
const TIMEOUT = 20 * 60_000;

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

/** A session on `disk`/base. */
export class Yolofs implements System {
  readonly name = 'yolofs';
  readonly work: string;
  readonly #env: Readonly<Record<string, string>>;

  constructor(disk: string) {
    this.work = join(disk, 'base');
    // What lies in the user's home is asked about, and nobody answers.
    this.#env = { HOME: join(disk, 'home') };
    mkdirSync(join(disk, 'home'), { recursive: true });
  }

  /** `yolofs ARGS`; it may fail. */
  cli(args: readonly string[]): Promise<Result> {
    return exec([process.execPath, MAIN, ...args], { cwd: this.work, env: this.#env, timeout: TIMEOUT });
  }

  async run(argv: readonly string[]): Promise<string> {
    const result = await this.cli(['run', '--quiet', '--no-snapshot', '--', ...argv]);
    if (result.code !== 0) throw new Error(`in the view: ${argv.join(' ')}: exit ${result.code}\n${result.stderr}`);
    return result.stdout;
  }

  async counters(): Promise<Readonly<Record<string, number>>> {
    return (await this.stats()).opcodes;
  }

  /** The daemon's own numbers, over its socket. */
  stats(): Promise<Stats> {
    return new Promise((done, fail) => {
      const socket = connect(join(this.work, '.yolofs/sock'));
      let text = '';
      socket.on('error', fail);
      socket.on('data', (piece) => {
        text += piece.toString();
        if (!text.endsWith('\n')) return;
        socket.end();
        done((JSON.parse(text) as { ok: Stats }).ok);
      });
      socket.write('{"op":"stats"}\n');
    });
  }

  /** Resident memory of the daemon in bytes, as the kernel counts it. */
  async residentBytes(): Promise<number> {
    const listed = await succeed(['pgrep', '-f', '--', `daemon.*${this.work}`]);
    const sizes = listed
      .trim()
      .split('\n')
      .map((pid) => {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
      });
    return Math.max(...sizes);
  }

  async stop(): Promise<void> {
    await this.cli(['stop']);
  }
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

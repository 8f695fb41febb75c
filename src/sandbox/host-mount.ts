/**
 * A mount of the view on the host, outside of all namespaces: by root itself, for an ordinary user by fusermount3. Never with
 * allow_other, so the kernel lets no other account in, not even root. No set-id bits, no devices, and nothing is executed from it:
 * what an agent has staged is a program in the view, and does not become one outside by its name.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { type Errno, SystemError } from '../sys/errno.ts';
import { type Found, inspect, withPlainDirectory } from '../sys/files/plain-directory.ts';
import { namesIn } from '../sys/files/text-files.ts';
import {
  MS_NODEV,
  MS_NOEXEC,
  MS_NOSUID,
  MS_RDONLY,
  mountAt,
  receiveDescriptor,
  socketPair,
} from '../sys/kernel/libc-mount.ts';
import { AT_FDCWD, close, O_RDWR, openAt } from '../sys/libc.ts';
import { VIEW_TYPE } from '../sys/mounts.ts';
import { PLAIN_ENVIRONMENT, startProcess } from '../sys/process/process.ts';
import { UserError } from '../sys/user-error.ts';
import { mayMount } from './privilege.ts';
import { refusalOf } from './refusals.ts';
import { neededTool, unmountArgv } from './unmount.ts';

export interface HostMountOptions {
  /** An absolute path without symlinks. */
  readonly dir: string;
  readonly writes: boolean;
  /** What `/proc/mounts` names it by. */
  readonly source: string;
}

/** Mounts; resolves to the FUSE device. Rejects with a UserError, and nothing is mounted then. */
export async function mountOnHost(options: HostMountOptions): Promise<number> {
  checkDirectory(options.dir);
  return mayMount() ? mountAsRoot(options) : mountByTool(options);
}

/** Takes the mount away should this process die, however it does. */
export class MountGuard {
  readonly #process: ChildProcess;

  constructor(dir: string) {
    const script = 'trap "" HUP INT TERM; read -r line && exit 0; exec "$@"';
    const argv = ['/bin/sh', '-c', script, 'yolofs-mount', ...unmountArgv(dir, true)];
    const stdio = ['pipe', 'ignore', 'ignore'] as const;
    this.#process = startProcess({
      argv,
      env: PLAIN_ENVIRONMENT,
      stdio,
      detached: true,
    });
    this.#process.unref();
    // It may be gone by then.
    this.#process.stdin?.on('error', () => undefined);
  }

  /** There is nothing to take away any more. */
  dismiss(): void {
    (this.#process.stdin as Writable).end('done\n');
  }
}

function checkDirectory(dir: string): void {
  const found = inspect(dir);
  const problem = found === undefined ? 'there is no such directory' : problemWith(found, dir);
  if (problem !== undefined)
    throw new UserError(`cannot mount at ${dir}: ${problem}`, 'name an empty directory of yours');
}

function problemWith({ kind, owner }: Found, dir: string): string | undefined {
  if (kind === 'symlink') return 'it is a symlink';
  if (kind === 'other') return 'it is no directory';
  if (owner !== process.geteuid?.()) return 'it belongs to another user';
  return namesIn(dir).length > 0 ? 'it is not empty' : undefined;
}

/** The directory is opened before it is believed: nobody swaps it on the way. */
function mountAsRoot({ dir, writes, source }: HostMountOptions): number {
  const device = openAt(AT_FDCWD, '/dev/fuse', O_RDWR);
  if (device < 0) throw refused(dir, new SystemError('/dev/fuse', -device as Errno).message);
  const flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | (writes ? 0 : MS_RDONLY);
  const ids = `user_id=${process.geteuid?.() ?? 0},group_id=${process.getegid?.() ?? 0}`;
  const options = `fd=${device},rootmode=40000,${ids},default_permissions`;
  const result = withPlainDirectory(dir, (at, found) => {
    if (problemWith(found, at) !== undefined) throw new UserError(`cannot mount at ${dir}: it has just changed`);
    return mountAt(at, { source, type: VIEW_TYPE, flags, options });
  });
  if (result >= 0) return device;
  close(device);
  throw refused(dir, new SystemError('mount', -result as Errno).message);
}

async function mountByTool({ dir, writes, source }: HostMountOptions): Promise<number> {
  const tool = neededTool();
  const pair = socketPair();
  if (typeof pair === 'number') throw new SystemError('socketpair', -pair as Errno);
  const [ours, its] = pair;
  const subtype = VIEW_TYPE.slice('fuse.'.length);
  const words = `${writes ? 'rw' : 'ro'},nosuid,nodev,noexec,default_permissions,fsname=${source},subtype=${subtype}`;
  try {
    const child = startProcess({
      argv: [tool, '-o', words, '--', dir],
      env: { ...PLAIN_ENVIRONMENT, _FUSE_COMMFD: '3' },
      stdio: ['ignore', 'ignore', 'pipe', its],
    });
    let complaint = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint += text;
    });
    const [code] = (await once(child, 'close')) as [number | null];
    const device = code === 0 ? receiveDescriptor(ours) : -1;
    if (device < 0) throw refused(dir, complaint.split('\n')[0] || 'fusermount3 gave no device');
    return device;
  } finally {
    close(ours);
    close(its);
  }
}

function refused(dir: string, why: string): UserError {
  return new UserError(`cannot mount at ${dir}: ${why}`, refusalOf(why).hint);
}

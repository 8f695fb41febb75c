/**
 * The holder of a session: a process that keeps the view's namespaces alive and is the init of everything that
 * runs in them. It is made once a daemon and dies with it, and then all of the session's processes die too.
 * How it is made is told in holder/holder-perl.ts and holder/holder-script.ts; here is the daemon's side of that conversation.
 */
import type { ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { type Errno, SystemError } from '../sys/errno.ts';
import { close, failed, pidfdGetfd, pidfdOpen } from '../sys/libc.ts';
import { startProcess } from '../sys/process/process.ts';
import { UserError } from '../sys/user-error.ts';
import { type Cage, cageOf } from './cage.ts';
import { addMounts } from './holder/add-mounts.ts';
import { launchOf } from './holder/holder-launch.ts';
import type { HolderOptions, PlacesInView, PrivateTmp } from './holder/options.ts';
import { Reports } from './holder/reports.ts';
import { mapAllIds } from './id-maps.ts';
import { mayMount } from './privilege.ts';
import { refusalOf } from './refusals.ts';

export type { FastMount, HolderOptions, OwnDirectory, PlacesInView, PrivateTmp } from './holder/options.ts';

/** Descriptors of a mount. */
export interface Descriptors {
  readonly first: number;
  /** Of the second mount. */
  readonly second: number | undefined;
}

export interface Holder {
  /** Init of the session's pid namespace, as the host counts. */
  readonly pid: number;
  /** A process in the user namespace that commands belong in; often the holder itself. */
  readonly anchor: number;
  readonly cage: Cage;
  /** Where the host finds what is in the view's private `/tmp`; undefined: it has none. */
  readonly tmp: string | undefined;
  /** The FUSE devices, shared with whoever serves them. */
  readonly devices: Descriptors;
  /** Descriptors of the mounts' roots, for syncfs(2) only: the daemon must not look below them. Undefined once it was stopped. */
  readonly roots: Descriptors | undefined;
  /** Mounts more into the view that runs. Throws a UserError when that cannot be; some may be mounted then. */
  mount(places: PlacesInView): void;
  /**
   * Mounts directories of the host at the same places of the view, each read-only and without what is mounted below. Throws as `mount`.
   */
  mountBase(paths: readonly string[]): void;
  /** Whether the view's /proc is the one of this host (or container), read-only, since it may have none of its own. */
  readonly told: { readonly sharesProc?: boolean };
  /** Settles when the holder is gone, and with it the view. */
  readonly gone: Promise<void>;
  /**
   * Has the init make changes in the view, as lines of echo-script.ts say; resolves when it has. Not to be called again before. Undefined: this
   * one cannot.
   */
  readonly echo: ((lines: string) => Promise<void>) | undefined;
  /** Ends it and everything in it. */
  stop(): void;
}

/** Less than whoever starts the daemon waits for that; much, for a machine that swaps, or is emulated. */
const TIMEOUT_MS = 45_000;
const FUSE_FD = 4;
const ROOT_FD = 5;
const SECOND_FD = 6;

/**
 * Makes the namespaces. `serve` gets the FUSE devices; requests must be answered as soon as it resolves. Throws a UserError
 * that names the step that failed; nothing is left behind then.
 */
export async function startHolder(
  options: HolderOptions,
  serve: (devices: Descriptors) => Promise<void>,
): Promise<Holder> {
  const nested = mayMount();
  const { echoes, ...launch } = launchOf(options, nested);
  const child = startProcess({
    ...launch,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const reports = new Reports(child, TIMEOUT_MS);
  try {
    const anchor = nested ? await reports.next('anchor') : undefined;
    if (anchor !== undefined) mapAllIds(anchor);
    const take = (pid: number, fd: number): Descriptors => ({
      first: takeDescriptor(pid, fd),
      second: options.fast && takeDescriptor(pid, SECOND_FD),
    });
    const devices = take(await reports.next('fuse'), FUSE_FD);
    await serve(devices);
    goOn(child);
    const roots = take(await reports.next('root'), ROOT_FD);
    goOn(child);
    const pid = await reports.next('ready');
    const cage = cageOf(nested, options.cage);
    const processes = { outer: child.pid, init: pid, nested };
    const mount = (places: PlacesInView): void => addMounts(processes, places);
    const mountBase = (paths: readonly string[]): void => addMounts(processes, { direct: [], own: [] }, paths);
    const echo = async (lines: string): Promise<void> => {
      const done = reports.again('echoed');
      (child.stdin as Writable).write(`${lines}end\n`);
      await done;
    };
    const { gone } = reports;
    const own = { pid, anchor: anchor ?? pid, cage, tmp: hostPathOf(options.tmp, child.pid), devices };
    return Object.assign(heldBy(child, roots), {
      ...own,
      told: reports.has('shared') ? { sharesProc: true } : {},
      mount,
      mountBase,
      gone,
      echo: echoes ? echo : undefined,
    });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/** The mounts' roots until the holder is stopped: they are of what keeps the mounts alive. */
function heldBy(child: ChildProcess, { first, second }: Descriptors): Pick<Holder, 'roots' | 'stop'> {
  let isHeld = true;
  return {
    get roots() {
      return isHeld ? { first, second } : undefined;
    },
    stop() {
      if (isHeld) for (const fd of [first, second]) if (fd !== undefined) close(fd);
      isHeld = false;
      child.kill('SIGKILL');
    },
  };
}

/** What lies in memory is mounted where the holder's outer process is, and nowhere else. */
function hostPathOf(tmp: PrivateTmp | undefined, outer: number): string | undefined {
  return tmp?.size === undefined ? tmp?.dir : `/proc/${outer}/root${tmp.dir}`;
}

function takeDescriptor(pid: number, descriptor: number): number {
  const pidfd = pidfdOpen(pid);
  const errno = failed(pidfd);
  if (errno !== undefined) throw new SystemError('pidfd_open of the holder', errno);
  const taken = pidfdGetfd(pidfd, descriptor);
  close(pidfd);
  if (taken >= 0) return taken;
  const { message } = new SystemError("cannot take a descriptor from the view's holder", -taken as Errno);
  throw new UserError(message, refusalOf('pidfd_getfd').hint);
}

function goOn(child: ChildProcess): void {
  (child.stdin as Writable).write('\n');
}

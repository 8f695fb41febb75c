/** What a session may leave behind and must not: processes and mounts. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRoot } from './accounts.ts';
import { SLOWNESS } from './exec.ts';

/** Milliseconds. Whoever shares the machine must not decide: a wrapped agent took more than three seconds to start at a load of 20. */
const PATIENCE = 30_000 * SLOWNESS;

export interface LeftProcess {
  readonly pid: number;
  readonly command: string;
}

/** The processes that name `marker` (a path no one else uses) in their arguments or environment. */
export function processesNaming(marker: string): LeftProcess[] {
  const found: LeftProcess[] = [];
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const command = procFile(pid, 'cmdline').replaceAll('\0', ' ').trim();
    if (pid === process.pid || (!command.includes(marker) && !procFile(pid, 'environ').includes(marker))) continue;
    if (!isGone(pid)) found.push({ pid, command });
  }
  return found;
}

/** The host's mounts on or below `path`. */
export function mountsBelow(path: string): string[] {
  const points = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '');
  return points.filter((point) => point === path || point.startsWith(`${path}/`));
}

/** Waits until `condition` holds; false when it still does not after `timeout` milliseconds. */
export async function eventually(condition: () => boolean, timeout = PATIENCE): Promise<boolean> {
  for (const end = Date.now() + timeout; Date.now() < end; await sleep(10)) if (condition()) return true;
  return condition();
}

/**
 * Waits until no process names `marker`; false when one still does after `timeout` milliseconds. Meanwhile only those that were
 * found are looked at, as to go through all processes takes 5 to 10 ms of a processor.
 */
export async function noProcessNaming(marker: string, timeout = PATIENCE): Promise<boolean> {
  for (const end = Date.now() + timeout; ; ) {
    const found = processesNaming(marker);
    if (found.length === 0) return true;
    if (!(await eventually(() => found.every(({ pid }) => isGone(pid)), end - Date.now()))) return false;
  }
}

/**
 * The processes and mounts that still belong to `marker` after a grace period, as lines; what is found is ended, so that
 * one failure does not become many.
 */
export async function leftovers(marker: string): Promise<string[]> {
  await noProcessNaming(marker);
  await eventually(() => mountsBelow(marker).length === 0);
  const processes = processesNaming(marker);
  for (const { pid } of processes) endProcess(pid);
  if (processes.length > 0) await sleep(200);
  const stuck = processes.filter(({ pid }) => !isGone(pid));
  if (stuck.length > 0) abortConnections(stuck);
  return [
    ...processes.map(({ pid, command }) => `process ${pid}: ${command}`),
    ...mountsBelow(marker).map((point) => `mount on ${point}`),
  ];
}

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch (error) {
    // Gone meanwhile, or another user's: then its arguments alone must do.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

export function isGone(pid: number): boolean {
  return !existsSync(`/proc/${pid}`) || /^State:\s+[ZX]/m.test(procFile(pid, 'status'));
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A process that survives SIGKILL waits for a FUSE server: abort the connections its mount namespace shows. */
function abortConnections(processes: readonly LeftProcess[]): void {
  if (!isRoot) return;
  for (const { pid } of processes) {
    for (const [, minor] of procFile(pid, 'mountinfo').matchAll(/^\d+ \d+ 0:(\d+) .* - fuse yolofs/gm)) {
      const control = `/sys/fs/fuse/connections/${minor}/abort`;
      if (existsSync(control)) writeFileSync(control, '1');
    }
  }
}

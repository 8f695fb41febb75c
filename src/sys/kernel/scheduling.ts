/** Where a thread of this process runs, and behind whom: sched(7). */
import { effectiveCapabilities, isInHostsUserNamespace, ownLimit } from '../process/process.ts';
import { bind } from './ffi.ts';

const c = {
  gettid: bind('int gettid()'),
  getAffinity: bind('int sched_getaffinity(int, size_t, void*)'),
  setAffinity: bind('int sched_setaffinity(int, size_t, const void*)'),
  getScheduler: bind('int sched_getscheduler(int)'),
  getCpu: bind('int sched_getcpu()'),
  getUsage: bind('int getrusage(int, void*)'),
  setScheduler: bind('int sched_setscheduler(int, int, const void*)'),
};

const SCHED_OTHER = 0;
const SCHED_IDLE = 5;
/** struct sched_param of both: the static priority, which is 0. */
const NO_PRIORITY = Buffer.alloc(4);
/** Of 1,024 processors; sched_getaffinity(2) fails where there are more. */
const MASK_SIZE = 128;
const CAP_SYS_NICE = 1n << 23n;
/** RLIMIT_NICE as it has to be for nice 0: see getrlimit(2). */
const ENOUGH_NICE = 20;

/** The number of the calling thread. */
export function threadId(): number {
  return c.gettid();
}

/** The processors that a thread may run on, as a mask; undefined where the kernel does not tell. */
export function affinityOf(tid: number): Buffer | undefined {
  const mask = Buffer.alloc(MASK_SIZE);
  return c.getAffinity(tid, MASK_SIZE, mask) < 0 ? undefined : mask;
}

/** The numbers of the processors that this process may run on. */
export function ownProcessors(): number[] {
  const mask = affinityOf(process.pid) ?? Buffer.alloc(0);
  return [...mask].flatMap((byte, at) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => (byte >> bit) & 1).map((bit) => at * 8 + bit),
  );
}

/** The processor that the calling thread runs on. */
export function currentProcessor(): number {
  return c.getCpu();
}

const RUSAGE_THREAD = 1;
/** struct rusage, and where it says `ru_nivcsw`: two times, and 13 words before it. */
const usage = Buffer.alloc(144);
const INVOLUNTARY_SWITCHES = 136;

/** How often the calling thread was interrupted for another one; wraps at 2^32. See getrusage(2). */
export function preemptions(): number {
  c.getUsage(RUSAGE_THREAD, usage);
  return usage.readUInt32LE(INVOLUNTARY_SWITCHES);
}

/** A mask of one processor alone. */
export function onlyProcessor(processor: number): Buffer {
  const mask = Buffer.alloc(MASK_SIZE);
  mask.writeUInt8(1 << (processor & 7), processor >> 3);
  return mask;
}

/** Has a thread of this process run on these processors. Negative errno. */
export function setAffinity(tid: number, mask: Buffer): number {
  return c.setAffinity(tid, mask.length, mask);
}

/** Has a thread of this process run only where nobody else wants to (SCHED_IDLE), or as any other. Negative errno. */
export function setIdle(tid: number, isIdle: boolean): number {
  return c.setScheduler(tid, isIdle ? SCHED_IDLE : SCHED_OTHER, NO_PRIORITY);
}

/**
 * Whether a thread of this process may come back from SCHED_IDLE to what it is: with CAP_SYS_NICE of the host, or an
 * RLIMIT_NICE that covers nice 0. Nobody else may, see sched_setscheduler(2).
 */
export function mayLeaveIdle(): boolean {
  if (c.getScheduler(0) !== SCHED_OTHER) return false;
  const isPrivileged = isInHostsUserNamespace() && (effectiveCapabilities() & CAP_SYS_NICE) !== 0n;
  return isPrivileged || (ownLimit('Max nice priority') ?? 0) >= ENOUGH_NICE;
}

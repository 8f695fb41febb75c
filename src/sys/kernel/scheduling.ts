/** Where the calling thread runs, and behind whom: sched(7). */
import { readText } from '../files/text-files.ts';
import { bind } from './ffi.ts';

const c = {
  gettid: bind('int gettid()'),
  getAffinity: bind('int sched_getaffinity(int, size_t, void*)'),
  setAffinity: bind('int sched_setaffinity(int, size_t, const void*)'),
  getScheduler: bind('int sched_getscheduler(int)'),
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

export function threadId(): number {
  return c.gettid();
}

/** The processors that the calling thread may run on, as a mask; undefined where the kernel does not tell. */
export function affinity(): Buffer | undefined {
  const mask = Buffer.alloc(MASK_SIZE);
  return c.getAffinity(0, MASK_SIZE, mask) < 0 ? undefined : mask;
}

/** The same mask with one processor alone; undefined where that is none of it. */
export function onlyProcessor(mask: Buffer, processor: number): Buffer | undefined {
  const [at, bit] = [processor >> 3, 1 << (processor & 7)];
  if (((mask[at] ?? 0) & bit) === 0) return undefined;
  const one = Buffer.alloc(mask.length);
  one[at] = bit;
  return one;
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
 * Whether the calling thread may come back from SCHED_IDLE to what it is: with CAP_SYS_NICE of the host, or an RLIMIT_NICE that
 * covers nice 0. Nobody else may, see sched_setscheduler(2).
 */
export function mayLeaveIdle(): boolean {
  if (c.getScheduler(0) !== SCHED_OTHER) return false;
  const capabilities = /^CapEff:\s*([0-9a-f]+)$/m.exec(readText('/proc/self/status') ?? '')?.[1] ?? '0';
  const isHost = /^\s*0\s+0\s+4294967295\s*$/.test(readText('/proc/self/uid_map') ?? '');
  if (isHost && (BigInt(`0x${capabilities}`) & CAP_SYS_NICE) !== 0n) return true;
  const limit = /^Max nice priority\s+(\d+)/m.exec(readText('/proc/self/limits') ?? '')?.[1];
  return Number(limit ?? 0) >= ENOUGH_NICE;
}

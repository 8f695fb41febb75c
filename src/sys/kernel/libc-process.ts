/** The C library's calls that wait, watch, and concern this process rather than files. See libc.ts. */
import type { Errno } from '../errno.ts';
import { bind, lib, path } from './ffi.ts';
import { O_CLOEXEC, O_EXCL, O_NONBLOCK, POLLIN } from './libc-constants.ts';

const c = {
  poll: bind('int poll(void*, unsigned long, int)'),
  eventfd: bind('int eventfd(unsigned int, int)'),
  inotify_init1: bind('int inotify_init1(int)'),
  inotify_add_watch: bind('int inotify_add_watch(int, const void*, uint32_t)'),
  inotify_rm_watch: bind('int inotify_rm_watch(int, int)'),
  pidfd: bind('long syscall(long, int, int, unsigned int)'),
  pidInfo: bind('int ioctl(int, unsigned long, void*)'),
  prctl: bind('int prctl(int, unsigned long, unsigned long, unsigned long, unsigned long)'),
  fcntl: bind('int fcntl(int, int, long)'),
  unshare: bind('int unshare(int)'),
  umask: bind('unsigned int umask(unsigned int)'),
  getpagesize: bind('int getpagesize()'),
};

// System calls without a libc wrapper everywhere; the same on every architecture.
const SYS = { pidfd_open: 434, pidfd_getfd: 438 };

/** Descriptors that are polled for input again and again: what poll(2) is told of them is written down once. */
export class PollSet {
  /** struct pollfd: the descriptor, then what is asked for (16 bits) and what is there (16 bits). */
  readonly #words: Int32Array;
  readonly #count: number;

  constructor(fds: readonly number[]) {
    this.#count = fds.length;
    this.#words = Int32Array.from(fds.flatMap((fd) => [fd, POLLIN]));
  }

  /** poll(2); returns a bit mask of the ready ones, 0 on timeout (milliseconds, -1 = none) or interruption. */
  wait(timeoutMs: number): number {
    const words = this.#words;
    if (c.poll(words, this.#count, timeoutMs) <= 0) return 0;
    let ready = 0;
    for (let i = 0; i < this.#count; i++) if ((words[2 * i + 1] ?? 0) >>> 16 !== 0) ready |= 1 << i;
    return ready;
  }
}

/** eventfd(2), non-blocking, close-on-exec. */
export function eventfd(): number {
  return c.eventfd(0, O_NONBLOCK | O_CLOEXEC);
}

export function inotifyInit(): number {
  return c.inotify_init1(O_NONBLOCK | O_CLOEXEC);
}

export function inotifyAddWatch(fd: number, watched: string, mask: number): number {
  return c.inotify_add_watch(fd, path(watched), mask);
}

export function inotifyRemoveWatch(fd: number, watch: number): number {
  return c.inotify_rm_watch(fd, watch);
}

/** pidfd_open(2); of a thread that need not lead its process only with `thread` (PIDFD_THREAD, Linux 6.9). */
export function pidfdOpen(pid: number, { thread }: { readonly thread?: true } = {}): number {
  return c.pidfd(SYS.pidfd_open, pid, thread ? O_EXCL : 0, 0);
}

/** ioctl(2) PIDFD_GET_INFO of linux/pidfd.h, whose number tells how much of its struct is known here. Since Linux 6.13. */
export function pidInfo(pidfd: number): { readonly parent: number } | Errno {
  infoBuffer.fill(0);
  infoBuffer.writeUInt32LE(PIDFD_INFO_PID);
  const result = c.pidInfo(pidfd, PIDFD_GET_INFO, infoBuffer);
  return result < 0 ? (-result as Errno) : { parent: infoBuffer.readUInt32LE(PPID_AT) };
}

const PIDFD_GET_INFO = 0xc040_ff0b;
const PIDFD_INFO_PID = 1;
const infoBuffer = Buffer.alloc(64);
/** After the mask, the control group, the pid and that of its process. */
const PPID_AT = 24;

/** pidfd_getfd(2): a duplicate of descriptor `target` of the process behind `pidfd`. */
export function pidfdGetfd(pidfd: number, target: number): number {
  return c.pidfd(SYS.pidfd_getfd, pidfd, target, 0);
}

/** prctl(PR_SET_DUMPABLE, 0): no ptrace, no core dump, /proc/self not readable by others of the same user. */
export function setUndumpable(): number {
  return c.prctl(4, 0, 0, 0, 0);
}

/** Bytes of a page of memory: 4 KiB on x86-64, on arm64 also 16 or 64 KiB, as the kernel was built. */
export function pageSize(): number {
  return c.getpagesize();
}

const CLONE_FS = 0x200;

/**
 * umask(2) of the calling thread alone, which gets a working directory and a umask of its own for that; other threads
 * keep theirs. A negative errno where that is not possible, and then nothing has changed.
 */
export function setThreadUmask(mask: number): number {
  const result = c.unshare(CLONE_FS);
  return result < 0 ? result : c.umask(mask);
}

/** fcntl(F_SETFL, O_NONBLOCK). */
export function setNonblocking(fd: number): number {
  return c.fcntl(fd, 4, O_NONBLOCK);
}

const terminal = {
  tcsetpgrp: bind('int tcsetpgrp(int, int)'),
  getpgrp: bind('int getpgrp()'),
  signal: bind('intptr_t signal(int, intptr_t)'),
};
const SIGTTOU = 22;
const SIG_IGN = 1;

/**
 * Makes this process's group the foreground one of the terminal `fd`. An interactive shell in its own pid
 * namespace cannot give the terminal back: it does not see our group.
 */
export function takeTerminal(fd: number): number {
  return giveTerminal(fd, terminal.getpgrp());
}

/** The same for another process group of this session. */
export function giveTerminal(fd: number, group: number): number {
  // Asking from the background stops the asker, unless it ignores the signal that does it.
  const before = terminal.signal(SIGTTOU, SIG_IGN);
  const result = terminal.tcsetpgrp(fd, group);
  terminal.signal(SIGTTOU, before);
  return result;
}

const exitGroup = lib.func('void _exit(int)');

/**
 * Ends this process at once, without the exit handlers of libraries: koffi's wait for ever now and then when a worker
 * thread has used it.
 */
export function exitNow(code: number): never {
  exitGroup(code);
  throw new Error('_exit returned');
}

const clockGettime = bind('int clock_gettime(int, void*)');
const timeBuffer = Buffer.alloc(16);
const CLOCK_REALTIME_COARSE = 5;

/** The clock the kernel stamps files with (one tick coarse), so that our stamps and its own keep their order. */
export function coarseTime(): { sec: number; nsec: number } {
  clockGettime(CLOCK_REALTIME_COARSE, timeBuffer);
  return {
    sec: timeBuffer.readUInt32LE(0) + timeBuffer.readInt32LE(4) * 0x1_0000_0000,
    nsec: timeBuffer.readUInt32LE(8),
  };
}

/** Another descriptor for the same open file, or a negative errno: fcntl(F_DUPFD_CLOEXEC). */
export function duplicate(fd: number): number {
  return c.fcntl(fd, 1030, 0);
}

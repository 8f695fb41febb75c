/**
 * What keeps a command in its view, by name: so that the suite of escapes can take one away and show that its probes
 * would have got through. Nothing that a user or an agent can write takes one away; only whoever makes a `Daemon` in a
 * program of its own, as that suite does.
 */

export const PROTECTIONS = [
  /** Commands see and signal only the session's processes; without it they see the host's /proc, too. */
  'pid-namespace',
  /** Semaphores, shared memory and message queues are the session's own. */
  'ipc-namespace',
  /** Root only: commands are root over files, not over mounts, devices and the kernel. */
  'user-namespace',
  /** No program gives more rights than its caller has: no setuid, no file capabilities. */
  'no-new-privileges',
  /** Of capabilities an ordinary user has none, root those that work with files needs. */
  'capabilities',
  /** The seccomp filter: system calls that a build needs none of, and keys put into a terminal (TIOCSTI). */
  'system-calls',
  /** Abstract sockets of processes outside cannot be connected to (Landlock). */
  'abstract-sockets',
  /** A command has its caller's descriptors 0, 1 and 2, no others. */
  'descriptors',
  /** Variables that name sockets of the host are not passed on. */
  'environment',
  /** Root only: what /proc offers to change the host, or shows of its secrets, is read-only or masked. */
  'proc',
  /** /sys is read-only, control groups included. */
  'sys',
  /** /dev is a small one of the view's own. */
  'dev',
  /** The view honours no setuid bits and no device nodes. */
  'nosuid',
  /** No process of the same user can look into the daemon, or take its descriptors. */
  'undumpable',
] as const;

export type Protection = (typeof PROTECTIONS)[number];

/** Those that are left out. */
export type Without = ReadonlySet<Protection>;

export const ALL_PROTECTED: Without = new Set();

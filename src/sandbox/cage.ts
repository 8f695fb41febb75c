/**
 * The cage: what a command gives up when it enters the view. The daemon decides it once, as `enter` tells; who starts a
 * command carries it out (enter.ts), with enter-script.ts where the host has Perl and with less where it has not.
 */
import { findTool } from '../sys/process/process.ts';
import type { Without } from './protections.ts';
import { systemCallFilter } from './system-calls.ts';

export interface CageOptions {
  /** Protections that are left out. */
  readonly without: Without;
  /** Whether the view has a network of its own, in which nobody else is. */
  readonly ownNetwork: boolean;
  /** Whether commands may connect to abstract sockets outside. */
  readonly abstractSockets: boolean;
  readonly ioUring: boolean;
  /** A person goes without what this host cannot keep. */
  readonly incomplete: boolean;
  /** By resource number of setrlimit(2). */
  readonly limits: readonly Limit[];
  /** Names of environment variables that are not passed on. */
  readonly hiddenVariables: readonly string[];
  /** Variables with secrets that are passed on, as secretVariables() takes them. */
  readonly passedVariables: readonly string[];
}

export interface Limit {
  readonly resource: number;
  /** Soft and hard, unless the hard one is lower already. */
  readonly most: number;
}

/** As it travels to who starts a command. */
export interface Cage {
  /** Absolute path of Perl; undefined: the host has none, and only namespaces and `no_new_privs` are to be had. */
  readonly perl: string | undefined;
  /** `name=value` words for the script. */
  readonly settings: readonly string[];
  readonly hiddenVariables: readonly string[];
  readonly passedVariables: readonly string[];
  readonly hasOwnNetwork: boolean;
  /** Whether a command keeps descriptors that its caller has inherited. */
  readonly keepsDescriptors: boolean;
}

const CLONE_NEWNS = 0x20000;
const CLONE_NEWIPC = 0x08000000;
const CLONE_NEWPID = 0x20000000;
const CLONE_NEWNET = 0x40000000;

/** LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET, Linux 6.12. */
const SCOPE_ABSTRACT = 1;

/** Added to what the kernel holds against a process when memory runs out; 1000 is most. */
const MEMORY_SCORE = 200;

/** System calls that the script makes, by `process.arch`. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  x64: ['setns=308', 'prctl=157', 'seccomp=317', 'prlimit=302', 'capset=126', 'execve=59', 'rt_sigprocmask=14'],
  arm64: ['setns=268', 'prctl=167', 'seccomp=277', 'prlimit=261', 'capset=91', 'execve=221', 'rt_sigprocmask=135'],
};

/**
 * What root keeps in the user namespace below the host's: rights over files and processes of its own view. No rights
 * over mounts, the network, other processes' memory, or limits. Numbers of linux/capability.h.
 */
const KEPT = {
  CHOWN: 0,
  DAC_OVERRIDE: 1,
  FOWNER: 3,
  FSETID: 4,
  KILL: 5,
  SETGID: 6,
  SETUID: 7,
  SETPCAP: 8,
  NET_BIND_SERVICE: 10,
  SYS_CHROOT: 18,
  MKNOD: 27,
  SETFCAP: 31,
} as const;

/** The Perl that runs the script; undefined where there is none, or none that knows this machine's system calls. */
export function findPerl(): string | undefined {
  return CALLS[process.arch] === undefined ? undefined : findTool('perl');
}

/** `nested`: as in privilege.ts, commands get a user namespace of their own below the one that owns the mounts. */
export function cageOf(nested: boolean, options: CageOptions): Cage {
  const { without, hiddenVariables, passedVariables, ownNetwork } = options;
  const calls = CALLS[process.arch];
  return {
    perl: findPerl(),
    settings: [...(calls ?? []), 'pidfd_open=434', ...settings(nested, options)],
    hiddenVariables: without.has('environment') ? [] : hiddenVariables,
    passedVariables: without.has('environment') ? ['*'] : passedVariables,
    hasOwnNetwork: ownNetwork,
    keepsDescriptors: without.has('descriptors'),
  };
}

function settings(nested: boolean, { without, ownNetwork, abstractSockets, ioUring, limits }: CageOptions): string[] {
  const filter = without.has('system-calls') ? undefined : systemCallFilter(process.arch, { ioUring });
  const spaces =
    CLONE_NEWNS |
    (without.has('ipc-namespace') ? 0 : CLONE_NEWIPC) |
    (without.has('pid-namespace') ? 0 : CLONE_NEWPID) |
    (ownNetwork ? CLONE_NEWNET : 0);
  return [
    `spaces=${spaces}`,
    `user=${userOrder(nested, without)}`,
    `nnp=${without.has('no-new-privileges') ? 0 : 1}`,
    `close=${without.has('descriptors') ? 0 : 1}`,
    `scope=${abstractSockets || without.has('abstract-sockets') ? 0 : SCOPE_ABSTRACT}`,
    `caps=${without.has('capabilities') ? 'all' : nested ? mask(Object.values(KEPT)) : 0}`,
    `score=${MEMORY_SCORE}`,
    `limits=${limits.map(({ resource, most }) => `${resource}:${most}`).join(',')}`,
    `filter=${filter?.toString('hex') ?? ''}`,
  ];
}

/** Who has more rights outside than in the user namespace joins it last, who has fewer first. */
function userOrder(nested: boolean, without: Without): 'first' | 'last' | 'no' {
  if (!nested) return 'first';
  return without.has('user-namespace') ? 'no' : 'last';
}

function mask(capabilities: readonly number[]): number {
  return capabilities.reduce((all, capability) => all + 2 ** capability, 0);
}

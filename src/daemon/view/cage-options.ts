/** From what the configuration says of the cage to what the sandbox is told. */
import type { CageLimits, CageSettings } from '../../rules/config/cage-settings.ts';
import { type CageOptions, findPerl, type Limit } from '../../sandbox/cage.ts';
import { hostSockets } from '../../sandbox/environment/host-sockets.ts';
import { perlWithCalls } from '../../sandbox/holder/holder-launch.ts';
import { HINTS } from '../../sandbox/probe.ts';
import type { Without } from '../../sandbox/protections.ts';
import { realPath } from '../../sys/files/text-files.ts';
import { UserError } from '../../sys/user-error.ts';

/** Resources of setrlimit(2): linux/resource.h, the same on all architectures that the cage knows. */
const RESOURCES = {
  cpuTime: 0,
  fileSize: 1,
  memory: 2,
  processes: 6,
  openFiles: 7,
} as const satisfies Partial<Record<keyof CageLimits, number>>;

/** Throws a UserError for what this host cannot keep. */
export function cageOptions(settings: CageSettings, without: Without): CageOptions {
  const { network, sockets, ioUring, incomplete, limits, passedVariables } = settings;
  const { hiddenVariables, abstract } = hostSockets(sockets, process.env);
  if (findPerl() === undefined && !incomplete) {
    throw new UserError(
      'without Perl commands in the view keep rights over the kernel that they must not have',
      `install it; ${HINTS.incomplete}`,
    );
  }
  if (findPerl() === undefined && (network === 'none' || Object.keys(limits).length > 0)) {
    throw new UserError('[limits] and network = "none" take Perl, which this host has not', 'install it');
  }
  if (limits.tmp !== undefined && perlWithCalls() === undefined) {
    throw new UserError('[limits] tmp takes Linux 5.12', 'take it out of the configuration');
  }
  return {
    without,
    ownNetwork: network === 'none',
    abstractSockets: abstract,
    ioUring,
    incomplete,
    limits: resourceLimits(limits),
    hiddenVariables,
    passedVariables,
  };
}

function resourceLimits(limits: CageLimits): Limit[] {
  return Object.entries(RESOURCES).flatMap(([key, resource]) => {
    const most = limits[key as keyof typeof RESOURCES];
    return most === undefined ? [] : [{ resource, most }];
  });
}

/** The host's sockets to mount into the view: those that were named and are there, and paths as they are given. */
export function allowedSockets({ sockets }: CageSettings): string[] {
  const named = hostSockets(sockets, process.env).paths.filter((path) => realPath(path) !== undefined);
  return [...named, ...sockets.filter((socket) => socket.startsWith('/'))];
}

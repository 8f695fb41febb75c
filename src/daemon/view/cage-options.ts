/** From what the configuration says of the cage to what the sandbox is told. */
import type { Layout } from '../../history/layout.ts';
import type { CageLimits, CageSettings } from '../../rules/config/cage-settings.ts';
import type { Config } from '../../rules/config/config.ts';
import { type CageOptions, findPerl, type Limit } from '../../sandbox/cage.ts';
import { hostSockets } from '../../sandbox/environment/host-sockets.ts';
import { holderPerl } from '../../sandbox/holder/holder-launch.ts';
import type { HolderOptions, PlacesInView } from '../../sandbox/holder.ts';
import type { Without } from '../../sandbox/protections.ts';
import { HINTS } from '../../sandbox/refusals.ts';
import { ensureDirectory } from '../../sys/files/files.ts';
import { realPath } from '../../sys/files/text-files.ts';
import { UserError } from '../../sys/user-error.ts';
import { preparePrivateTmp } from '../tmp/private-tmp.ts';
import { prepareFastMount } from './fast-mount.ts';

/** Resources of setrlimit(2): linux/resource.h, the same on all architectures that the cage knows. */
const RESOURCES = {
  cpuTime: 0,
  fileSize: 1,
  memory: 2,
  processes: 6,
  openFiles: 7,
} as const satisfies Partial<Record<keyof CageLimits, number>>;

/** Throws a UserError for what this host cannot keep. */
function cageOptions({ cage, session }: Config, without: Without): CageOptions {
  const { network, sockets, ioUring, incomplete, limits, passedVariables } = cage;
  const { hiddenVariables, abstract } = hostSockets([...sockets, ...session.direct], process.env);
  if (findPerl() === undefined && !incomplete) {
    throw new UserError(
      'without Perl commands in the view keep rights over the kernel that they must not have',
      `install it; ${HINTS.incomplete}`,
    );
  }
  if (findPerl() === undefined && (network === 'none' || Object.keys(limits).length > 0)) {
    throw new UserError('[limits] and network = "none" take Perl, which this host has not', 'install it');
  }
  if (limits.tmp !== undefined && holderPerl() === undefined) {
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

/** Who knows what is passed through, and what the session has of its own (places.ts). */
interface Places {
  prepare(config: Config): PlacesInView;
}

/** What the process that holds the view is started with; its directories are made. Throws as the system does. */
export function prepareHolder(
  layout: Layout,
  config: Config,
  { places, without }: { readonly places: Places; readonly without: Without },
): HolderOptions {
  const cage = cageOptions(config, without);
  const { direct, own } = places.prepare(config);
  const { mount, guestSocket } = layout;
  ensureDirectory(mount, 0o700);
  const fast = prepareFastMount(layout, [...direct, ...own.map(({ at }) => at)]);
  return { mount, guestSocket, tmp: preparePrivateTmp(layout, config.cage.limits.tmp), fast, direct, own, cage };
}

/**
 * What the configuration says of the cage. A project's file can only make it tighter: what it sets is somebody else's
 * wish, perhaps the agent's own from before the last commit.
 */
import * as v from 'valibot';
import { SOCKET_NAMES } from '../../sandbox/environment/host-sockets.ts';
import { homeDirectory } from '../../sys/host/home.ts';
import { parseSize } from '../../sys/text/size.ts';

export interface CageSettings {
  /** `none`: the view has a network of its own, with nobody else in it. */
  readonly network: 'host' | 'none';
  /** Sockets of the host that commands may connect to: SOCKET_NAMES and absolute paths. */
  readonly sockets: readonly string[];
  readonly ioUring: boolean;
  /** The person goes without what this host cannot keep of the cage. */
  readonly incomplete: boolean;
  /** Variables with secrets that are passed on to commands, as secretVariables() takes them. */
  readonly passedVariables: readonly string[];
  /** Programs of the view's PATH that know sources, in the place of the real ones. */
  readonly shims: readonly string[];
  readonly limits: CageLimits;
}

/** Of each process, but for `processes` and `tmp`; undefined: as where `yolofs` was started. */
export interface CageLimits {
  /** Bytes of data: heap, stack and private mappings. */
  readonly memory?: number;
  /** In the session, of an ordinary user; root has no such limit. */
  readonly processes?: number;
  readonly openFiles?: number;
  /** Seconds of processor time. */
  readonly cpuTime?: number;
  /** Bytes. */
  readonly fileSize?: number;
  /** Bytes of the view's /tmp, which lies in memory then. */
  readonly tmp?: number;
}

const size = v.pipe(
  v.string('has to be a size such as "2 GiB"'),
  v.check(
    (text) => (parseSize(text) ?? 0) > 0,
    ({ input }) => `'${input}' is not a size such as "2 GiB"`,
  ),
);
const count = (what: string) => v.pipe(v.number(`has to be a number of ${what}`), v.integer(), v.minValue(1));

const SOCKETS = `has to be a list of ${SOCKET_NAMES.join(', ')} or absolute paths`;
const socket = v.pipe(
  v.string(SOCKETS),
  v.check(
    (text) => SOCKET_NAMES.includes(text) || text.startsWith('/') || text.startsWith('~/'),
    ({ input }) => `'${input}' is neither one of ${SOCKET_NAMES.join(', ')} nor an absolute path`,
  ),
);

const SHIMS = 'has to be a list of "grep" and "rg"';
const VARIABLES = 'has to be a list of names such as "NPM_TOKEN" or "AWS_*"';
const variable = v.pipe(v.string(VARIABLES), v.regex(/^[^=*]+\*?$/, VARIABLES));

/** Settings of `[session]` in any file. */
export const cageEntries = {
  network: v.optional(v.picklist(['host', 'none'], "has to be 'host' or 'none'"), 'host'),
};

/** Settings of `[session]` in the user's own file only. */
export const userCageEntries = {
  ...cageEntries,
  sockets: v.optional(v.array(socket, SOCKETS), []),
  io_uring: v.optional(v.boolean('has to be true or false'), false),
  incomplete_cage: v.optional(v.boolean('has to be true or false'), false),
  pass_env: v.optional(v.array(variable, VARIABLES), []),
  shims: v.optional(v.array(v.picklist(['grep', 'rg'], SHIMS), SHIMS), []),
};

/** The table `[limits]`. */
export const limitsTable = v.optional(
  v.strictObject({
    memory: v.optional(size),
    processes: v.optional(count('processes')),
    open_files: v.optional(count('files')),
    cpu_time: v.optional(count('seconds')),
    file_size: v.optional(size),
    tmp: v.optional(size),
  }),
  {},
);

/** What one file says, as its schema gives it. */
export interface CageTables {
  readonly session: {
    readonly network: 'host' | 'none';
    readonly sockets?: readonly string[];
    readonly io_uring?: boolean;
    readonly incomplete_cage?: boolean;
    readonly pass_env?: readonly string[];
    readonly shims?: readonly string[];
  };
  readonly limits: v.InferOutput<typeof limitsTable>;
}

/** The settings of one file. */
export function cageSettings({ session, limits }: CageTables): CageSettings {
  return {
    network: session.network,
    sockets: (session.sockets ?? []).map((name) => name.replace(/^~(?=\/)/, homeDirectory())),
    ioUring: session.io_uring ?? false,
    incomplete: session.incomplete_cage ?? false,
    passedVariables: session.pass_env ?? [],
    shims: session.shims ?? [],
    limits: {
      ...set('memory', parseSize(limits.memory ?? '')),
      ...set('processes', limits.processes),
      ...set('openFiles', limits.open_files),
      ...set('cpuTime', limits.cpu_time),
      ...set('fileSize', parseSize(limits.file_size ?? '')),
      ...set('tmp', parseSize(limits.tmp ?? '')),
    },
  };
}

function set<K extends keyof CageLimits>(key: K, value: number | undefined): { readonly [Key in K]?: number } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [Key in K]?: number };
}

/** The user's settings as a project's make them tighter. */
export function tightened(user: CageSettings, project: CageSettings): CageSettings {
  const keys = [...Object.keys(user.limits), ...Object.keys(project.limits)] as (keyof CageLimits)[];
  const least = (key: keyof CageLimits): number => Math.min(...[user.limits[key], project.limits[key]].filter(isSet));
  return {
    ...user,
    network: user.network === 'none' ? 'none' : project.network,
    limits: Object.fromEntries(keys.map((key) => [key, least(key)])),
  };
}

function isSet(value: number | undefined): value is number {
  return value !== undefined;
}

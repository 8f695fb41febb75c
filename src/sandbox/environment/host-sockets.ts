/**
 * Sockets of the host that act for whoever connects: a container daemon, key agents, message buses, screens. A socket in
 * the file system cannot be connected to through the view, whose file is another one; what is allowed is mounted over
 * it. Variables that lead to the others are not passed on: a program that finds none does without.
 */

type Environment = Readonly<Record<string, string | undefined>>;

interface Known {
  readonly variables: readonly string[];
  /** Where it listens, as far as that can be told. */
  readonly paths: (env: Environment) => readonly (string | undefined)[];
}

const KNOWN: Readonly<Record<string, Known>> = {
  docker: {
    variables: ['DOCKER_HOST', 'CONTAINER_HOST'],
    paths: (env) => [
      '/run/docker.sock',
      '/run/podman/podman.sock',
      inRuntimeDirectory(env, 'docker.sock'),
      inRuntimeDirectory(env, 'podman/podman.sock'),
      pathOf(env.DOCKER_HOST),
      pathOf(env.CONTAINER_HOST),
    ],
  },
  'ssh-agent': { variables: ['SSH_AUTH_SOCK', 'SSH_AGENT_PID'], paths: (env) => [env.SSH_AUTH_SOCK] },
  'gpg-agent': {
    variables: ['GPG_AGENT_INFO'],
    paths: (env) => [
      inRuntimeDirectory(env, 'gnupg/S.gpg-agent'),
      env.HOME === undefined ? undefined : `${env.HOME}/.gnupg/S.gpg-agent`,
    ],
  },
  dbus: {
    variables: ['DBUS_SESSION_BUS_ADDRESS', 'DBUS_SYSTEM_BUS_ADDRESS', 'DBUS_STARTER_ADDRESS'],
    paths: (env) => [
      '/run/dbus/system_bus_socket',
      inRuntimeDirectory(env, 'bus'),
      pathOf(env.DBUS_SESSION_BUS_ADDRESS),
    ],
  },
  x11: {
    variables: ['DISPLAY', 'XAUTHORITY'],
    paths: (env) => {
      const screen = /^(?:unix)?:(\d+)/.exec(env.DISPLAY ?? '')?.[1];
      return [screen === undefined ? undefined : `/tmp/.X11-unix/X${screen}`];
    },
  },
  wayland: {
    variables: ['WAYLAND_DISPLAY', 'WAYLAND_SOCKET'],
    paths: (env) => [env.WAYLAND_DISPLAY === undefined ? undefined : inRuntimeDirectory(env, env.WAYLAND_DISPLAY)],
  },
};

/** All abstract sockets: they have no path, and one cannot be told from another. */
const ABSTRACT = 'abstract';

/** What `sockets` in the configuration may name, besides paths. */
export const SOCKET_NAMES: readonly string[] = [...Object.keys(KNOWN), ABSTRACT];

/**
 * Where a desktop's programs have their sockets, and files for as long as somebody is logged in. Nothing could be made there but what a
 * commit would apply to the host: without it programs take /tmp, which is the view's own, or a cache.
 */
const RUNTIME = 'XDG_RUNTIME_DIR';

/** The variables by which a process finds sockets, for whoever has to pass them on. */
export const SOCKET_VARIABLES: readonly string[] = [
  ...Object.values(KNOWN).flatMap(({ variables }) => variables),
  RUNTIME,
];

export interface HostSockets {
  /** Where the allowed ones may be; not all of them have to exist. */
  readonly paths: readonly string[];
  /** Variables that lead to the others. */
  readonly hiddenVariables: readonly string[];
  readonly abstract: boolean;
}

/** `allowed`: names of SOCKET_NAMES, and paths that are passed through; `env` tells where they are. */
export function hostSockets(allowed: readonly string[], env: Environment): HostSockets {
  const known = Object.entries(KNOWN);
  const paths = known
    .filter(([name]) => allowed.includes(name))
    .flatMap(([, known]) => known.paths(env))
    .filter((path) => path?.startsWith('/') === true)
    .map((path) => path ?? '');
  const hidden = known.filter(([name]) => !allowed.includes(name)).flatMap(([, { variables }]) => variables);
  const isReached = [...allowed, ...paths].some((path) => path.startsWith(`${env[RUNTIME]}/`) || path === env[RUNTIME]);
  return {
    paths,
    hiddenVariables: isReached ? hidden : [...hidden, RUNTIME],
    abstract: allowed.includes(ABSTRACT),
  };
}

function inRuntimeDirectory({ XDG_RUNTIME_DIR }: Environment, name: string): string | undefined {
  return XDG_RUNTIME_DIR === undefined ? undefined : `${XDG_RUNTIME_DIR}/${name}`;
}

/** `unix:///run/docker.sock` and `unix:path=/run/user/1000/bus,guid=…`. */
function pathOf(address: string | undefined): string | undefined {
  return /^unix:(?:\/\/|path=)(\/[^,;]*)/.exec(address ?? '')?.[1];
}

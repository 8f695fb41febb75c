/** Where a session keeps what, below its `.yolofs` directory. Paths are text (UTF-8), for node:fs and messages. */

export const SESSION_DIR = '.yolofs';
export const CONFIG_FILE = '.yolofs.toml';

export interface Layout {
  /** The directory that holds `.yolofs`: the project. */
  readonly project: string;
  /** `.yolofs` itself. */
  readonly dir: string;
  /** Append-only log, the truth. */
  readonly journal: string;
  /** Content objects: files/<shard>/<object>. */
  readonly files: string;
  /** A directory a commit: what it did, and the originals it replaced. */
  readonly commits: string;
  /** LMDB copy of the override tree. */
  readonly tree: string;
  /** Text files as they were when they were first overridden, for merges: see conflict/originals.ts. */
  readonly originals: string;
  /** Originals that commits of ours have touched and put back: see conflict/own-touches.ts. */
  readonly touches: string;
  /** flock(2)ed by the one daemon. */
  readonly lock: string;
  /** Unix socket of the daemon; reach it as /proc/self/fd/<dirfd>/sock, its path may exceed sun_path. */
  readonly socket: string;
  /** Socket for `yolofs` inside the view; all else of this directory is hidden there. */
  readonly guestSocket: string;
  /** Socket for launchers, which leave hooks and runs to the daemon (daemon/sockets/launch-server.ts). */
  readonly launchSocket: string;
  /** The view's private /tmp. */
  readonly tmp: string;
  /** Mount point of the view inside the session's namespace; empty on the host. */
  readonly mount: string;
  /** The same for the second mount, which covers the project in the view. */
  readonly fastMount: string;
  /** What the daemon had to say. */
  readonly log: string;
  readonly config: string;
  /** Rules that a person has set for this session. */
  readonly rules: string;
  /** Agents that were wrapped in this session, and what they keep where. */
  readonly agents: string;
  /** Directories that an agent has of its own in this session. */
  readonly own: string;
  /** Numbers of the commits that `wrap` has made by itself, of what agents keep. */
  readonly stateCommits: string;
  /** Commits that an agent has asked for, and what became of them. */
  readonly requests: string;
}

export function layoutOf(project: string): Layout {
  const at = (name: string): string => (project === '/' ? `/${name}` : `${project}/${name}`);
  const dir = at(SESSION_DIR);
  return {
    project,
    dir,
    journal: `${dir}/journal`,
    files: `${dir}/files`,
    commits: `${dir}/commits`,
    tree: `${dir}/tree.mdb`,
    originals: `${dir}/originals`,
    touches: `${dir}/touches`,
    lock: `${dir}/lock`,
    socket: `${dir}/sock`,
    guestSocket: `${dir}/guest`,
    launchSocket: `${dir}/launch`,
    tmp: `${dir}/tmp`,
    mount: `${dir}/mnt`,
    fastMount: `${dir}/fast`,
    log: `${dir}/daemon.log`,
    config: at(CONFIG_FILE),
    rules: `${dir}/rules.toml`,
    agents: `${dir}/agents`,
    own: `${dir}/own`,
    stateCommits: `${dir}/state-commits.json`,
    requests: `${dir}/requests.json`,
  };
}

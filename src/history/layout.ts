/**
 * Where a session keeps what. Paths are text (UTF-8), for node:fs and messages.
 *
 *     PROJECT/.yolofs/TOKEN/                     `store`: what is staged, on the project's own file system. Nobody who was not told can
 *                                                name the token, so nothing that a clone, an archive or an agent brings lands there
 *                                                (ENTRY/TOKEN where that file system cannot hold it: registry/apart.ts)
 *     ~/.local/state/yolofs/sessions/DEV-INO/    `entry`: what says what counts, and what the view gets to see of the host
 *
 * See registry/README.md.
 */

export const SESSION_DIR = '.yolofs';
export const CONFIG_FILE = '.yolofs.toml';

export interface Layout {
  /** The directory that holds `.yolofs`: the project. */
  readonly project: string;
  /** `.yolofs` itself: of what lies in it only `store` counts. */
  readonly dir: string;
  /** Holds what is staged. Its name must not be shown to the view. */
  readonly store: string;
  /** The session in the registry. Its name may be shown to the view. */
  readonly entry: string;

  /** Append-only log, the truth. */
  readonly journal: string;
  /** Content objects: files/<shard>/<object>. */
  readonly files: string;
  /** A directory a commit: what it did, and the backups of what it replaced. */
  readonly commits: string;
  /** LMDB copy of the override tree. */
  readonly tree: string;
  /** Copies of that tree at snapshots: see timeline/tree-copies.ts. */
  readonly trees: string;
  /** Text files as they were when they were first overridden, for merges: see commit/conflict/merge-bases.ts. */
  readonly mergeBases: string;
  /** Base entries that commits of ours have touched and put back: see commit/conflict/own-changes.ts. */
  readonly ownChanges: string;

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
  /** What became of the shell calls of agents (agents/calls.ts). */
  readonly calls: string;
  /** What commands of agents have printed at first (agents/outputs.ts). */
  readonly outputs: string;
  /** What sources have said: registry/mounts.ts, sources/mirror. */
  readonly sources: string;
}

/** The directories that a session has. */
export type Places = Pick<Layout, 'project' | 'store' | 'entry'>;

export function layoutAt({ project, store, entry }: Places): Layout {
  const at = (name: string): string => (project === '/' ? `/${name}` : `${project}/${name}`);
  return {
    project,
    dir: at(SESSION_DIR),
    config: at(CONFIG_FILE),
    store,
    journal: `${store}/journal`,
    files: `${store}/files`,
    commits: `${store}/commits`,
    tree: `${store}/tree.mdb`,
    trees: `${store}/trees`,
    mergeBases: `${store}/originals`,
    ownChanges: `${store}/touches`,
    entry,
    lock: `${entry}/lock`,
    socket: `${entry}/sock`,
    guestSocket: `${entry}/guest`,
    launchSocket: `${entry}/launch`,
    tmp: `${entry}/tmp`,
    mount: `${entry}/mnt`,
    fastMount: `${entry}/fast`,
    log: `${entry}/daemon.log`,
    rules: `${entry}/rules.toml`,
    agents: `${entry}/agents`,
    own: `${entry}/own`,
    stateCommits: `${entry}/state-commits.json`,
    requests: `${entry}/requests.json`,
    calls: `${entry}/calls`,
    outputs: `${entry}/outputs`,
    sources: `${entry}/sources`,
  };
}

/** A text without the tokens in it: what is said may be read in the view, or kept in a repository. */
export function withoutTokens(text: string): string {
  return text.replace(/(\.yolofs\/|\/path-[0-9a-f]{32}\/)[0-9a-f]{32}/g, '$1…');
}

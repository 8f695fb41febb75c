/**
 * What `yolofs wrap` has to know of an agent: its program, what it keeps where, and how it is started in the view.
 *
 * What an agent may write past the staging must not act outside later. So only what it alone writes and reads, and never
 * executes, is `direct`; what it executes or takes orders from (settings, hooks, servers, plugins, commands, shell
 * snapshots) is `own`, which nobody outside reads, or `staged`, which a person sees before it counts.
 */
import type { Agent } from '../event.ts';

/** Where the agent is about to run. */
export interface Surroundings {
  /** Absolute, symlinks resolved. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** Absolute, symlinks resolved. */
  readonly cwd: string;
}

/** All paths are absolute. */
export interface Places {
  /** Directories that stay the host's: what is written there is real at once. Made when they are missing. */
  readonly direct: readonly string[];
  /** Directories that the session has of its own: in the view empty at first, on the host never touched. Made when they are missing. */
  readonly own: readonly string[];
  /** Paths and globs that may be read, and changed, which is staged. */
  readonly staged: readonly string[];
  /** Directories with one for each project; what is in those is asked about, but for what is `direct`. */
  readonly asked?: readonly string[];
  /** Single files that the agent replaces; staged, and applied at the end by themselves where that is harmless. */
  readonly files: readonly StateFile[];
}

export interface StateFile {
  readonly path: string;
  /** `path` is a directory: each file below it, and directories made for them. */
  readonly isBelow?: true;
  /**
   * Why the change has to wait for a person; undefined when it may be applied. `before` is undefined for a file that is new. Must not throw.
   */
  readonly objection: (before: string | undefined, after: string) => string | undefined;
}

export interface LaunchOptions {
  /** What the person gave. */
  readonly args: readonly string[];
  /** The words that start `yolofs hook AGENT`, the program an absolute path. */
  readonly hook: readonly string[];
  /** Directory in the view for `files`; it is there before the agent starts. */
  readonly dir: string;
  readonly env: NodeJS.ProcessEnv;
  /** Absolute, symlinks resolved. */
  readonly home: string;
  /** The text of a file that the arguments name; undefined when it cannot be read. */
  readonly read: (path: string) => string | undefined;
}

export interface Launch {
  readonly args: readonly string[];
  /** Added to the environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Files that are made in the view for this run: name in `dir`, or absolute path, and text. */
  readonly files?: Readonly<Record<string, string>>;
  /** Something that the person should know. */
  readonly notice?: string;
}

export interface Profile {
  readonly agent: Agent;
  /** The program's name in PATH. */
  readonly program: string;
  /** How to get it. */
  readonly hint: string;
  /** Variables that it signs in with; a `*` at the end stands for all that begin so. */
  readonly variables: readonly string[];
  readonly places: (at: Surroundings) => Places;
  readonly launch: (options: LaunchOptions) => Launch;
}

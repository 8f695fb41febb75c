/** What programs that embed yolofs are told. Paths are text; what is no UTF-8 in them is escaped, as `status --json` does it. */

export type Change = 'added' | 'modified' | 'deleted' | 'renamed' | 'metadata';

/** One changed path. */
export interface StagedChange {
  readonly path: string;
  readonly change: Change;
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
  /** Of what was renamed. */
  readonly from?: string;
  /** What somebody has done to the real file since it was first overridden. */
  readonly conflict?: 'modified' | 'deleted' | 'appeared' | 'replaced';
}

/** As `yolofs status --schema` has it. */
export interface Status {
  readonly generation: number;
  readonly changes: readonly StagedChange[];
  /** What a person should look at first. */
  readonly notices?: readonly { readonly path: string; readonly kind: string; readonly why: string }[];
  readonly conflicts?: readonly { readonly path: string; readonly conflict: string }[];
}

export interface RunOptions {
  /** In the view; the project by default. */
  readonly cwd?: string;
  /** Instead of this process's environment. Secrets and ways out are left out of either. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What the command reads on stdin; nothing by default. */
  readonly input?: string | Uint8Array;
  /** The name of the snapshot that is taken if anything has changed; `false`: none is taken. */
  readonly snapshot?: string | false;
  /** Is told what the command writes, as it comes; then it is not kept for `stdout` and `stderr`. */
  readonly onOutput?: (piece: Uint8Array, stream: 'stdout' | 'stderr') => void;
  /** Ends the command, by SIGTERM to it and what it has started. */
  readonly signal?: AbortSignal;
}

/** What one command did. */
export interface RunResult {
  /** 128 + n when signal n ended it. */
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** The generation that leads back to before it, and the one that it left. */
  readonly before: number;
  readonly generation: number;
  /** The most telling first, a few hundred at most; `counts` has all. */
  readonly changes: readonly StagedChange[];
  readonly counts: Readonly<Record<Change, number>>;
  /** What rules refused. */
  readonly refused: readonly { readonly path: string; readonly access: 'read' | 'write'; readonly outcome: string }[];
}

export interface CommitOptions {
  /** Only these and what is below them. */
  readonly paths?: readonly string[];
  /** Of conflicts: whose version counts, or that texts are put together. */
  readonly ours?: readonly string[];
  readonly theirs?: readonly string[];
  readonly merge?: boolean;
  /** The generation that was looked at: refused (`conflict`) when anything was staged since. */
  readonly reviewed?: number;
}

/** Something in the view wants what a rule says to ask about. */
export interface Question {
  readonly id: number;
  readonly path: string;
  readonly access: 'read' | 'write';
  /** The kind of system call: open, create, unlink, rename, … */
  readonly op: string;
  readonly pid: number;
  /** What the process says of itself. */
  readonly process: string;
  readonly command: string;
  /** The rule that says so. */
  readonly rule: string;
}

export interface Answer {
  readonly allow: boolean;
  /** From now on, for the path or a directory above it. */
  readonly always?: string;
}

/** Undefined: this program cannot say; others may, else it is refused. */
export type OnQuestion = (question: Question) => Answer | undefined | Promise<Answer | undefined>;

export interface Watching {
  /** Settles when the daemon has ended or this program has hung up. Rejects with what `onQuestion` has thrown. */
  readonly ended: Promise<void>;
  close(): void;
}

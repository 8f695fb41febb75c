/**
 * What clients and the daemon say to each other over the session's socket: one JSON object a line. A client
 * sends requests one after the other on a connection; each is answered by any number of `progress` lines and
 * then exactly one `ok` or `error` line. A connection that breaks between `enter` and `leave` ends that run.
 *
 * Paths and names travel as byte strings (one byte a code unit, see sys/bytes.ts), so nothing is lost.
 */
import type { Theirs } from '../history/commit/conflict/conflict.ts';
import type { Notice } from '../history/commit/notices/notices.ts';
import type { ChangeKind, FileType } from '../history/diff/changes.ts';
import type { Freed } from '../history/gc/collect.ts';
import type { Policy } from '../history/gc/policy.ts';
import type { GateNote } from '../rules/note.ts';
import type { Seen, Sights } from '../rules/sight.ts';
import type { Cage } from '../sandbox/cage.ts';
import type { SourceState } from '../sources/keeper.ts';
import type { BytePath } from '../sys/bytes.ts';
import type { ErrorCode } from '../sys/error-codes.ts';
import type { DebugAsk, DebugReply } from './debug/messages.ts';
import type { HunkWish } from './orders/part/chosen.ts';
import type { CommitMessage } from './orders/part/commit-message.ts';
import type { CommitRequest, RequestState } from './requests/commit-request.ts';

export type { ChangeKind, FileType } from '../history/diff/changes.ts';

/** A travel counts no further: 10,000 files would take longer to count than to go to. */
export const COUNTED_CHANGES = 1000;

export const PROTOCOL_VERSION = 1;

/** One changed path, as `status` and the summary of `run` show it. */
export interface ChangeLine {
  readonly path: BytePath;
  readonly change: ChangeKind;
  readonly type: FileType;
  readonly from?: BytePath;
  /** What somebody has done there outside since it was first overridden; only where that was looked for. */
  readonly conflict?: Theirs;
}

export type Request =
  | { readonly op: 'hello' }
  /** A command is about to enter the view. `command` is text for the log. */
  | { readonly op: 'enter'; readonly command: string }
  /** The process that runs it, as the host sees it: its descendants' changes are attributed to this run. */
  | { readonly op: 'started'; readonly pid: number }
  /**
   * The command ended; with `snapshot`, one is taken under that name if anything changed. `withheld`: variables of its caller's that it did
   * not get.
   */
  | { readonly op: 'leave'; readonly snapshot: string | undefined; readonly withheld?: readonly string[] }
  /** `tell`: the reply sums up what was changed since the last one that was told, or since the oldest run began. */
  | { readonly op: 'snapshot'; readonly name: string; readonly ifChanged: boolean; readonly tell?: boolean }
  /** Brings everything written in the view into the store and the durable tree, so that a reader sees it. */
  | { readonly op: 'flush' }
  /** `to`: the number of a generation, or the name of a snapshot, as a person wrote it (text). */
  | { readonly op: 'travel'; readonly to: string }
  | CommitMessage
  /** Goes by the configuration as it is in the files now. */
  | { readonly op: 'reload' }
  /** What is known of the session's sources; those that are named are asked for what they have now before. */
  | { readonly op: 'sources'; readonly refresh: readonly string[] }
  /** Has the view pass through what agents keep by now; refused where that takes a new view. */
  | { readonly op: 'adopt' }
  /** The paths are as those of a commit: what was there before it, or what is there now. */
  | {
      readonly op: 'undo';
      readonly ours?: readonly BytePath[];
      readonly theirs?: readonly BytePath[];
      readonly merge?: boolean;
    }
  | { readonly op: 'abort'; readonly paths?: readonly BytePath[]; readonly hunks?: readonly HunkWish[] }
  | ({ readonly op: 'gc'; readonly dryRun: boolean } & Policy)
  /**
   * Wants to be told of questions (`EventLine`s, at any time from now on) and to answer them: of all runs, or of
   * one. `front` is a name for the journal.
   */
  | { readonly op: 'watch'; readonly front: string; readonly run?: number }
  /** `always`: from now on, for the path that was asked about, or all below a directory above it. */
  | { readonly op: 'answer'; readonly id: number; readonly allow: boolean; readonly always?: BytePath }
  /** Was told of a question and cannot put it to anybody: as if it had not been told. */
  | { readonly op: 'decline'; readonly id: number }
  /**
   * What a person says to a commit that an agent asked for. `reviewed` goes with a commit: the generation that the person
   * was shown (of a `commit` with `dryRun`), as there.
   */
  | {
      readonly op: 'decide';
      readonly id: number;
      readonly commit: boolean;
      readonly reviewed?: number;
      /** For the agent. */
      readonly reason?: string;
    }
  /** What of this somebody in the view could read, for what is shown to them by other ways. */
  | ({ readonly op: 'sight' } & Sights)
  | { readonly op: 'stats' }
  /** A look inside (debug/). */
  | ({ readonly op: 'debug' } & DebugAsk)
  /** Mounts the view at a directory of the host; `temporary`: to be removed with the mount. */
  | { readonly op: 'mount'; readonly dir: string; readonly write: boolean; readonly temporary: boolean }
  | { readonly op: 'unmount' }
  /** `ifIdle`: refused while anybody works with the session. */
  | { readonly op: 'stop'; readonly ifIdle?: boolean };

export interface Replies {
  /** `project`: where it was when the daemon began. */
  hello: { readonly version: number; readonly pid: number; readonly project: string; readonly generation: number };
  enter: {
    readonly run: number;
    /** A process inside the view's namespaces, and one in the user namespace commands belong in: see sandbox/enter.ts. */
    readonly holder: number;
    readonly anchor: number;
    readonly cage: Cage;
    /** Where the host finds what is in the view's /tmp; undefined: that is staged, like everything else. */
    readonly tmp?: string;
    /** A directory of programs that know sources, and where these are; undefined: the real programs are to be found. */
    readonly shims?: { readonly dirs: readonly string[]; readonly places: readonly BytePath[] };
    readonly generation: number;
  };
  started: Record<string, never>;
  leave: RunSummary;
  /** `earlier`: the snapshot that its name meant until now. */
  snapshot: {
    readonly taken: boolean;
    readonly generation: number;
    readonly earlier?: number;
    readonly summary?: RunSummary;
  };
  /** `sharesProc`: as the holder says (sandbox/holder.ts). */
  flush: {
    readonly generation: number;
    readonly notice?: string;
    readonly unwatched?: boolean;
    readonly sharesProc?: boolean;
  };
  /** `along`: paths that nobody chose, and that the chosen ones cannot do without. */
  commit: {
    /** With `dryRun`: what a person should know of it first. */
    readonly notices?: readonly Notice[];
    readonly steps: readonly string[];
    readonly changes: number;
    readonly along: readonly BytePath[];
    /** Files of which the view's changes and those outside were put together. */
    readonly merged: readonly BytePath[];
    /** How many files are left as they are outside: both sides are the same, or a tool has written the view's by itself. */
    readonly yielded: number;
    /** With `dryRun` the one that this is a plan of: see `reviewed`. */
    readonly generation: number;
    /** The commit's, by which `undo` calls it; none where nothing was committed. */
    readonly number?: number;
    /** Changes that were thrown away with it. */
    readonly discarded: number;
  };
  travel: {
    /** Whether the state before was new and got a snapshot; `from` is the generation that leads back to it. */
    readonly snapshot: boolean;
    readonly from: number;
    /** The travel's own. */
    readonly generation: number;
    /** Where it went, and what that is called (bytes, perhaps none). */
    readonly target: number;
    readonly name: string;
    /** How many changes are staged there; COUNTED_CHANGES: that many or more. */
    readonly changes: number;
    /** What runs in the view, for people: it keeps what it has open. */
    readonly running: readonly string[];
  };
  reload: { readonly notice?: string };
  sources: { readonly sources: readonly SourceState[] };
  adopt: Record<string, never>;
  undo: {
    /** The number of the commit; of an abort none. */
    readonly commit?: number;
    /** Of an abort: the generation that leads back to what was there before the undo. */
    readonly from?: number;
    /** How many paths the commit had changed; how many changes are staged where the abort was taken back. */
    readonly changes: number;
    /** The one that is written from now on. */
    readonly generation: number;
    /** Where somebody had changed the real files since: the commit by which they are what they were. */
    readonly by?: { readonly number: number } & Pick<Replies['commit'], 'changes' | 'merged' | 'yielded'>;
  };
  abort: { readonly changes: number; readonly along: readonly BytePath[] };
  gc: Freed;
  watch: Record<string, never>;
  /** False: the question was decided, or withdrawn, before. */
  /** With a notice when something of it could not be done. */
  answer: { readonly accepted: boolean; readonly notice?: string };
  decline: Record<string, never>;
  /** `stale`: nothing was staged any more. */
  decide: { readonly state: RequestState; readonly changes: number };
  sight: Seen;
  stats: { readonly opcodes: Record<string, number>; readonly rss: number; readonly nodes: number };
  debug: DebugReply;
  mount: { readonly dir: string };
  unmount: { readonly dir: string };
  /** What ran in the view, and was ended with it. */
  stop: { readonly running: readonly string[] };
}

/** A change as a summary tells it. */
export interface ReportedChange extends ChangeLine {
  /** What it stands for beside itself, and how much of that are no directories: all below it, or what else a cache got. */
  readonly below?: { readonly changes: number; readonly files: number };
  /** A file that had content and has none now. */
  readonly emptied?: true;
  /** How many more names the base has for a file that is another now (hard links): what they show has changed with it. */
  readonly names?: number;
  /** Some of these names, or all; only such as were easy to find. */
  readonly also?: readonly BytePath[];
  /** What was renamed took the place of something that is gone. */
  readonly replaces?: true;
  /** A new directory with files of caches alone, or a file of one that is gone where the same run made another (rotated logs). */
  readonly ofCaches?: true;
}

/** What one command changed, most telling first; `changes` is cut to a few hundred, `counts` are complete. */
export interface RunSummary {
  readonly generation: number;
  /** The one before the command, to which a travel goes back; 0: the base. */
  readonly before: number;
  /** Whether other commands ran in the view meanwhile: what they did came after `before` too. */
  readonly beside: boolean;
  readonly snapshot: boolean;
  readonly counts: Record<ChangeKind, number>;
  readonly changes: readonly ReportedChange[];
  /** What rules refused or asked about, at most a hundred. */
  readonly refused: readonly GateNote[];
  /** Something that was written could not be stored: why. A program that ignores what close(2) says does not know. */
  readonly unstored?: string;
  /** Something about the configuration that a person should know. */
  readonly notice?: string;
}

/** An access that a rule says to ask about, as a front end shows it. All but `path` is printable as it is. */
export interface ShownQuestion {
  readonly id: number;
  /** What is to be read or changed, as bytes; `label` is the same as text. */
  readonly path: BytePath;
  readonly label: string;
  readonly access: 'read' | 'write';
  /** The kind of system call: open, create, unlink, rename, ... */
  readonly op: string;
  /** The thread that asked first, as the host counts, and what it says it is. */
  readonly pid: number;
  readonly process: string;
  readonly command: string;
  /** 0: of no run that is under way. */
  readonly run: number;
  /** The rule that has to ask: its pattern and where it is from are bytes. */
  readonly rule: { readonly state: string; readonly pattern: string; readonly layer: string; readonly place?: string };
  /** How long an answer may take, from when it was asked. */
  readonly seconds: number;
}

/** Comes on a connection that listens, between the answers to its requests. */
export type EventLine =
  | { readonly question: ShownQuestion }
  | {
      readonly closed: {
        readonly id: number;
        /** `withdrawn`: nobody waits for it any more. */
        readonly how: 'allowed' | 'denied' | 'withdrawn';
        /** A front end's name, or why it was decided without an answer. */
        readonly by?: string;
        readonly always?: BytePath;
      };
    }
  /** A commit that an agent asks for, and what became of one. They wait for ever; only who listens to all runs is told. */
  | { readonly request: CommitRequest }
  | { readonly settled: { readonly id: number; readonly state: RequestState; readonly reason?: string } };

export interface Failure {
  readonly code: ErrorCode;
  /** The name of the errno, where a system call failed. */
  readonly errno?: string;
  readonly message: string;
  readonly hint?: string;
  /** What the message counts, one line each. */
  readonly details?: readonly string[];
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly what: string;
}

export type ReplyLine<Op extends Request['op'] = Request['op']> =
  | { readonly progress: Progress }
  | { readonly ok: Replies[Op] }
  | { readonly error: Failure };

/** What a daemon says to whoever connects; `project`: where it was when the daemon began. */
export function helloOf(project: string, generation: number): Replies['hello'] {
  return { version: PROTOCOL_VERSION, pid: process.pid, project, generation };
}

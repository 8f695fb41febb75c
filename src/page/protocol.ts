/**
 * What the review page and its server say to each other, over HTTP with JSON. Types only: both sides import them.
 *
 * Every request has the cookie that `POST /api/login` gave; without it the answer is 401. A POST is `application/json`, with the
 * page's own `Origin`. A failure has a status from 400 on and is a `FailureReply`.
 *
 * `version` counts what the server has read of the session: `GET /api/review` reads anew if anything has changed, all else is
 * about what was read last. An entry keeps its `id` for as long as its path is the same.
 */

/** `leave`: it stays staged, as what nobody has decided does. `reject`: it is thrown away; `undo` brings it back. */
export type Decision = 'take' | 'leave' | 'reject';
/** Of what has parts. */
export type Choice = Decision | 'mixed';

export type ChangeKind = 'added' | 'modified' | 'deleted' | 'renamed' | 'metadata';
export type EntryType = 'file' | 'directory' | 'symlink' | 'other';
/** In this order they are shown; all but the first two are folded to one line each. */
export type GroupName = 'project' | 'outside' | 'git' | 'agent' | 'cache' | 'ignored';

/** A path as printable text; where that is not all of it, its bytes in base64, too. */
export interface ShownPath {
  readonly path: string;
  readonly bytes?: string;
}

export interface ShownEntry extends ShownPath {
  readonly id: string;
  readonly group: GroupName;
  readonly change: ChangeKind;
  readonly type: EntryType;
  readonly choice: Choice;
  /** Where a renamed thing was. */
  readonly from?: ShownPath;
  /** What somebody has done there outside. */
  readonly conflict?: string;
  /** Bytes of a file that was added. */
  readonly size?: number;
  /** Lines; where there are few files, or when the file was looked at. */
  readonly added?: number;
  readonly removed?: number;
}

export interface Group {
  readonly name: GroupName;
  /** All changes in it. */
  readonly count: number;
  readonly files: number;
  readonly deleted: number;
  /** Bytes of what is there now; of the first two groups of what was added. */
  readonly size: number;
  /** What to say of it in a line: what git was told to do, where caches lie. */
  readonly said: readonly string[];
  readonly choice: Choice;
}

/** What will run later, outside, because of a change. Shown first of all. */
export interface ShownNotice extends ShownPath {
  /** The entry that it is about, where there is one. */
  readonly id?: string;
  readonly why: string;
}

export interface Counts {
  readonly take: number;
  readonly leave: number;
  readonly reject: number;
  /** Entries of which parts are decided differently. */
  readonly mixed: number;
}

/** GET /api/review */
export interface ReviewReply {
  readonly version: number;
  readonly project: string;
  readonly generation: number;
  readonly notices: readonly ShownNotice[];
  readonly groups: readonly Group[];
  /** The first of `project`, then of `outside`: `GET /api/entries` has the rest. */
  readonly entries: readonly ShownEntry[];
  readonly count: number;
  readonly counts: Counts;
  /** Decisions that fell since the last version, because what they were about has changed. */
  readonly fallen: readonly ShownPath[];
}

/** GET /api/entries?group=&from=&count= (at most 5000) */
export interface EntriesReply {
  readonly version: number;
  readonly entries: readonly ShownEntry[];
  readonly total: number;
}

/** What else of a change is decided alone. `whole`: a file that was added or deleted. */
export type SectionName = 'whole' | 'rename' | 'mode' | 'attributes' | 'target' | 'binary';

export interface Section {
  readonly name: SectionName;
  readonly key: string;
  readonly choice: Decision;
  /** As words, where it has them: a mode, a link's target. */
  readonly before?: string;
  readonly after?: string;
}

/** A hunk, or the lines of it that this answer has. */
export interface ShownHunk {
  /** Missing where the lines are not decided by themselves: of an added or deleted file, of a comparison. */
  readonly key?: string;
  /** From 0. */
  readonly index: number;
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Each with its mark: blank, `-`, `+`, `\`. */
  readonly lines: readonly string[];
  /** Which of the hunk's lines the first of them is, from 0, and how many the hunk has. */
  readonly first: number;
  readonly total: number;
  readonly choice: Choice;
  /** Of its changed lines, from 1 in the order they stand: those decided otherwise than left. Only where `choice` is `mixed`. */
  readonly taken?: readonly number[];
  readonly rejected?: readonly number[];
  /** The command that wrote it last, where that is known. */
  readonly command?: string;
}

/** `image`: both sides are at `GET /api/content?id=&side=old|new`. `large`: no lines are shown. */
export type FileKind = 'text' | 'image' | 'binary' | 'large' | 'symlink' | 'directory' | 'other' | 'unreadable';

/** GET /api/file?id=&from=&count= (rows: the lines of all hunks, one after the other; at most 10000); &hunk= instead of from */
export interface FileReply {
  readonly version: number;
  readonly entry: ShownEntry;
  readonly kind: FileKind;
  readonly sections: readonly Section[];
  readonly hunks: readonly ShownHunk[];
  readonly hunkCount: number;
  /** The first row of this answer, and how many there are. */
  readonly from: number;
  readonly rows: number;
  readonly added: number;
  readonly removed: number;
  /** Bytes; missing on the side where there is nothing. */
  readonly oldSize?: number;
  readonly newSize?: number;
  readonly notices: readonly string[];
}

/** What a decision is about: a group, an entry, sections and hunks of it, changed lines of one hunk. */
export type Target =
  | { readonly group: GroupName }
  | { readonly id: string }
  | { readonly id: string; readonly keys: readonly string[] }
  | { readonly id: string; readonly key: string; readonly lines: readonly number[] };

/** POST /api/decide. `version`: the one that the person looks at; of an entry that has changed since, nothing is decided. */
export interface DecideRequest {
  readonly version: number;
  readonly targets: readonly Target[];
  readonly decision: Decision;
}

export interface DecideReply {
  readonly counts: Counts;
  readonly groups: Readonly<Partial<Record<GroupName, Choice>>>;
  /** Of the entries that were named, what they are now. */
  readonly entries: Readonly<Record<string, Choice>>;
  /** Entries and keys that are not, or no more, what was shown: nothing was decided of them. */
  readonly outdated: readonly string[];
}

/** POST /api/note: to the agent, with its next call. `line`: of the new side, or of the old one where it was deleted. */
export interface NoteRequest {
  readonly id: string;
  readonly text: string;
  readonly line?: number;
}

/** POST /api/plan. What conflicts are to become, by entries. */
export interface PlanRequest {
  readonly ours?: readonly string[];
  readonly theirs?: readonly string[];
  readonly merge?: boolean;
}

/** What `POST /api/commit` with this hash would do. Nothing is done yet. */
export interface PlanReply {
  readonly hash: string;
  readonly version: number;
  readonly counts: Counts;
  /** Steps as `commit --dry-run` tells them, at most 1000. */
  readonly steps: readonly string[];
  readonly stepCount: number;
  readonly notices: readonly ShownNotice[];
  /** What nobody chose, and what was chosen cannot do without. */
  readonly along: readonly ShownPath[];
  /** Files of which what was rejected can only stay staged for now. */
  readonly inseparable: readonly ShownPath[];
  /** Why it cannot be committed as it is: a conflict. */
  readonly problem?: Failure;
}

/**
 * POST /api/commit: what was taken goes to the real files, what was rejected is thrown away. POST /api/abort: only the latter.
 * 409 with code `outdated`, and nothing was done, where the hash is not that of the plan as it is now.
 */
export interface CommitRequest {
  readonly hash: string;
}

export interface CommitReply {
  /** The commit's, where there was one. */
  readonly number?: number;
  readonly committed: number;
  readonly discarded: number;
  readonly merged: readonly ShownPath[];
  /** What was rejected could not be thrown away: why. The commit stands. */
  readonly problem?: Failure;
}

/** POST /api/undo (an empty object) */
export interface UndoReply {
  /** `commit 3`, `the abort` */
  readonly what: string;
  readonly changes: number;
}

export interface TimelineEntry {
  readonly generation: number;
  readonly kind: 'snapshot' | 'travel';
  readonly name: string;
  /** Of a travel: where it went. */
  readonly target?: number;
  /** The generation that it came from; 0: the real files. */
  readonly parent: number;
  /** Counts commits, aborts and undos: what lies between two ends is one. */
  readonly epoch: number;
  /** On the way to the present state. */
  readonly live: boolean;
  /** False: gc has given it up. */
  readonly kept: boolean;
  readonly time: string;
  readonly command?: string;
  readonly ended?: string;
}

/** GET /api/timeline, the oldest first */
export interface TimelineReply {
  readonly entries: readonly TimelineEntry[];
  readonly generation: number;
}

/** POST /api/travel */
export interface TravelRequest {
  readonly generation: number;
}

export interface TravelReply {
  readonly target: number;
  readonly name: string;
  /** The generation that leads back. */
  readonly from: number;
  readonly changes: number;
  /** What runs in the view, and keeps what it has open. */
  readonly running: readonly string[];
}

/** GET /api/compare?a=&b=&from=&count=; of one of its entries: GET /api/file?id=&a=&b= */
export interface CompareReply {
  readonly entries: readonly ShownEntry[];
  readonly total: number;
}

export interface AuditRecord {
  readonly time: string;
  readonly generation: number;
  /** What was done, in words. */
  readonly what: string;
  readonly process?: string;
  readonly pid?: number;
  readonly command?: string;
}

/** GET /api/audit?id= : the latest 500, the latest first */
export interface AuditReply {
  readonly records: readonly AuditRecord[];
}

/** Lines from `start` on (of the new side, from 1), `count` of them, were written by this command; missing: they were there before. */
export interface BlameRange {
  readonly start: number;
  readonly count: number;
  readonly generation: number;
  readonly command?: string;
}

/** GET /api/blame?id= */
export interface BlameReply {
  readonly ranges: readonly BlameRange[];
}

export interface ShownAnswer {
  /** For `POST /api/answer`. */
  readonly answer: string;
  readonly label: string;
  /** What it grants, in words. */
  readonly grants: string;
}

export interface Question extends ShownPath {
  readonly id: number;
  readonly access: 'read' | 'write';
  readonly op: string;
  readonly process: string;
  readonly pid: number;
  readonly command: string;
  readonly rule: string;
  /** How long it may take to answer, from when it was asked. */
  readonly seconds: number;
  /** RFC 3339. */
  readonly asked: string;
  readonly answers: readonly ShownAnswer[];
}

/** A commit that the agent asks for. It is decided by a commit of everything, or refused here. */
export interface Wish {
  readonly id: number;
  readonly message: string;
  readonly generation: number;
}

/** GET /api/questions */
export interface QuestionsReply {
  readonly questions: readonly Question[];
  readonly wishes: readonly Wish[];
}

/** POST /api/answer: of a question one of its answers; of a wish why it is refused. */
export type AnswerRequest =
  | { readonly id: number; readonly answer: string }
  | { readonly wish: number; readonly reason: string };

export interface AnswerReply {
  /** False: it was decided, or withdrawn, before. */
  readonly accepted: boolean;
  readonly notice?: string;
}

export interface ShownSession {
  readonly project: string;
  readonly isThis: boolean;
  /** Whether a daemon serves it. */
  readonly live: boolean;
}

/** GET /api/sessions */
export interface SessionsReply {
  readonly sessions: readonly ShownSession[];
}

/** GET /api/stream: server-sent events, the name of each in `event`, this in `data`. `Last-Event-ID` brings what was missed. */
export type StreamEvent =
  /** Something was staged, committed, thrown away: `GET /api/review` has a new version. */
  | { readonly event: 'changed'; readonly generation: number }
  /** In another window. */
  | { readonly event: 'decided'; readonly counts: Counts }
  /** `GET /api/questions` says something else now. */
  | { readonly event: 'questions'; readonly count: number }
  | { readonly event: 'progress'; readonly what: string; readonly done: number; readonly total: number }
  /** What was missed cannot be told one by one: read all anew. */
  | { readonly event: 'reload' };

export interface Failure {
  /** As in src/sys/error-codes.ts, and `login`, `missing`. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly details?: readonly string[];
}

export interface FailureReply {
  readonly error: Failure;
}

/** POST /api/login: once; the token is what stands behind the `#` of the address. Answers 204. POST /api/close ends the server. */
export interface LoginRequest {
  readonly token: string;
}

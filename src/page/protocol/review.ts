/** What is reviewed: groups, entries, the sections and hunks of a file. */

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

/** What will run later, outside, because of a change. */
export interface ShownNotice extends ShownPath {
  /** The entry that it is about, where there is one. */
  readonly id?: string;
  readonly why: string;
}

/** A line of what is shown first of all: one change, or several that have it in common. */
export interface ShownNotices {
  readonly why: string;
  /** Of several: the directory where they are, with a slash at its end. */
  readonly place?: { readonly word: 'in' | 'below'; readonly path: string };
  readonly count: number;
  /** The first of them. */
  readonly notices: readonly ShownNotice[];
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
  readonly notices: readonly ShownNotices[];
  readonly groups: readonly Group[];
  /** The first of `project`, then of `outside`: `GET /api/entries` has the rest. */
  readonly entries: readonly ShownEntry[];
  readonly count: number;
  readonly counts: Counts;
  /** Decisions that fell since the last version, because what they were about has changed. */
  readonly fallen: readonly ShownPath[];
  /** Very much is staged, and is read for the first time: these are the first of the project. `?whole` waits for all. */
  readonly isPartial?: true;
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
  /** Only of lines that do not begin their hunk: the numbers of the first of them on both sides, and how many changed ones stand before. */
  readonly oldAt?: number;
  readonly newAt?: number;
  readonly changedBefore?: number;
  /** Of long lines not all is here: which of `lines`, from 0, and how many bytes of it are missing. */
  readonly cut?: readonly (readonly [line: number, bytes: number])[];
  readonly choice: Choice;
  /** Of its changed lines, from 1 in the order they stand: those decided otherwise than left. Only where `choice` is `mixed`. */
  readonly taken?: readonly number[];
  readonly rejected?: readonly number[];
  /** The command that wrote it last, where that is known. */
  readonly command?: string;
}

/** `image`: both sides are at `GET /api/content?id=&side=old|new`. `large`: its lines are shown, unless it is larger still, and not decided. */
export type FileKind = 'text' | 'image' | 'binary' | 'large' | 'symlink' | 'directory' | 'other' | 'unreadable';

/** GET /api/file?id=&from=&count= (rows: the lines of all hunks, one after the other; at most 10000); &hunk= instead of from; &whole: compared with no similar one */
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
  /** Of a file of the project that was added, a deleted one that it is like, and the other way round. Of an added text the lines are what differs. */
  readonly similar?: ShownPath & Pick<ShownEntry, 'id'>;
}

/**
 * What staging tells history before a change becomes visible. Staging declares it, history implements it, the
 * daemon joins the two. A mutation is complete: replaying all of them over an empty tree gives the same tree.
 */
import type { BytePath, Gen, Ino, ObjectId } from '../sys/bytes.ts';
import type { Errno } from '../sys/errno.ts';
import type { BaseStamp } from './base-stamps.ts';
import type { Attributes, Fingerprint, Time } from './inode.ts';

/** What a name stood for right before a mutation (the old side of diffs over a range). */
export type Backing =
  | { readonly kind: 'absent' }
  | { readonly kind: 'base'; readonly type: number; readonly path: BytePath }
  /** A regular file with staged content; `path` is its base entry in the base, if it has one. */
  | { readonly kind: 'object'; readonly object: ObjectId; readonly path: BytePath | undefined }
  | { readonly kind: 'symlink'; readonly target: string }
  /** Born in the view, no content to keep: directory, fifo, socket, device. */
  | { readonly kind: 'other'; readonly type: number };

/** A new inode at `path`. */
export interface StageNew {
  readonly tag: 'S';
  readonly how: 'new';
  readonly path: BytePath;
  readonly type: number;
  readonly ino: Ino;
  readonly object: ObjectId;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly rdev: number;
  readonly target: string | undefined;
  /** Whether the base has an entry under this name that the new one hides. */
  readonly pre: Backing;
}

/** The regular file at `path` gets a new content object (copy-up, or copy for a new generation). */
export interface StageContent {
  readonly tag: 'S';
  readonly how: 'content';
  readonly path: BytePath;
  readonly object: ObjectId;
  readonly ino: Ino;
  /** The base entry at first override; undefined when none or known already. */
  readonly fingerprint: Fingerprint | undefined;
  readonly pre: Backing;
}

/**
 * All that is staged about the inode at `path`, exactly, but for extended attributes: what a name was before an epoch
 * ended and still is (history/timeline/checkpoint/checkpoint.ts). No view makes it, so it may say what no operation says, like a link count.
 */
export interface StageKept {
  readonly tag: 'S';
  readonly how: 'kept';
  readonly path: BytePath;
  readonly type: number;
  readonly ino: Ino;
  /** `here`: the inode that is at `path` already. `born`: a new one of the view. */
  readonly original: 'here' | 'born';
  readonly object: ObjectId;
  readonly nlink: number;
  readonly changed: number;
  readonly attributes: Attributes;
  readonly rdev: number;
  readonly target: string | undefined;
  readonly fingerprint: Fingerprint | undefined;
  readonly pre: Backing;
}

export interface Delete {
  readonly tag: 'D';
  readonly path: BytePath;
  /** The base has this name in the (redirected) directory: a tombstone stays. */
  readonly hides: boolean;
  /** What the base has there, if that is what went. */
  readonly stamp: BaseStamp | undefined;
  readonly pre: Backing;
}

export interface Rename {
  readonly tag: 'R';
  readonly from: BytePath;
  readonly to: BytePath;
  readonly exchange: boolean;
  /** The base has the source name: a tombstone stays there. */
  readonly hides: boolean;
  /** Inode number of the moved inode: it stays the same in a rebuilt tree. */
  readonly ino: Ino;
  readonly pre: Backing;
  /** What was at the destination. */
  readonly over: Backing;
  /** What the base has at the source, if that is what moves; and at the destination, if that is what was there. */
  readonly stamp: BaseStamp | undefined;
  readonly overStamp: BaseStamp | undefined;
}

export interface Link {
  readonly tag: 'L';
  readonly existing: BytePath;
  readonly path: BytePath;
  readonly ino: Ino;
  /** What `existing` stands for: replay learns from it the type, and which file of the base this is a name of. */
  readonly of: Backing;
}

/** Attributes or extended attributes of the inode at `path`. */
export interface Change {
  readonly tag: 'M';
  readonly path: BytePath;
  readonly attributes: Attributes;
  /** CHANGED_* bits this mutation adds. */
  readonly changed: number;
  readonly xattr: { readonly name: string; readonly value: Buffer | null } | undefined;
  readonly ino: Ino;
  readonly fingerprint: Fingerprint | undefined;
  readonly pre: Backing;
}

export type Mutation = StageNew | StageContent | StageKept | Delete | Rename | Link | Change;

/** Why a mutation happened: pid 0 = the kernel (write-back). */
export interface Cause {
  readonly pid: number;
}

export interface Recorder {
  /** The generation that mutations belong to from now on. */
  readonly generation: Gen;
  /** Appends one record; it survives the death of this process when this returns 0. On an error nothing was recorded. */
  record(mutation: Mutation, time: Time, cause: Cause): Errno;
  /** Somebody is about to write to a file; what is written may be recorded later, when the kernel writes it back in nobody's name. */
  expect(ino: Ino, cause: Cause): void;
  /** Makes all records so far survive a power cut. */
  sync(): Errno;
}

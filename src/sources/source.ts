/**
 * What a source is: a search index, a vector store or a model whose entries the view shows as files. An adapter
 * implements `Source`; a bridge makes a base tree of it, and nothing else in the product knows which server answers.
 *
 * Adapters run in a thread of their own, and may take as long as they need: who asked waits, nobody else does.
 */
import type { Errno } from '../sys/errno.ts';
import type { Formula } from './formula.ts';

/** One file, link or (empty) directory of a source. Directories that hold something follow from the paths. */
export interface Entry {
  /** Below the source's root: `guide/oauth.mdx`, without a leading slash, without `.` and `..`; Unicode text. */
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'symlink';
  /** Bytes of the content; undefined until it has been read or made (a model's file, a pointer without a length). */
  readonly size: number | undefined;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** Differs whenever the content differs: `SEQ_NO.PRIMARY_TERM`, a hash. A commit is checked against it. */
  readonly rev: string;
  /** The groups that may see this entry, `public` among them if everybody may; empty: nobody. */
  readonly acl: readonly string[];
  /** Where the content lies, if it does not lie in the source itself. */
  readonly pointer?: Pointer;
}

/** Content that another place holds: an address, or an entry of another source. Fetched when it is first read. */
export type Pointer =
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'source'; readonly source: string; readonly path: string };

/** Who looks: the groups that a view reads as. `public` belongs to everybody and need not be named. */
export interface Principal {
  readonly groups: readonly string[];
}

export interface Listing {
  /** Differs whenever an entry differs: a tree that was kept is shown again while the source still says this. */
  readonly version: string;
  /** What the principal may see and nothing else, in any order, each path once. */
  readonly entries: readonly Entry[];
}

/** Why a source could not do what it was asked: an errno for the program, a cause for `audit`. */
export interface SourceFault {
  readonly errno: Errno;
  /** One line, without credentials and without the content of files. */
  readonly cause: string;
}

export type Read = { readonly content: Uint8Array; readonly rev: string } | Unread;

export interface Unread extends SourceFault {
  /** The request failed as a whole: nothing is said of this entry, and nothing good of the server. */
  readonly unanswered?: true;
  /** It lies there, and the source itself does not follow (elsewhere/following.ts). */
  readonly elsewhere?: { readonly pointer: Pointer; readonly rev: string };
}

export type Change =
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly content: Uint8Array;
      /** The revision that the change was made on; undefined: the path was not there. */
      readonly base: string | undefined;
      /** Who may see it where it is new, as those of the entry that it was; undefined: the groups that write it. */
      readonly acl?: readonly string[];
    }
  | { readonly kind: 'remove'; readonly path: string; readonly base: string };

export type Outcome =
  | { readonly kind: 'done'; readonly rev: string | undefined }
  /** Somebody else changed it: what the source has now (undefined: nothing). */
  | { readonly kind: 'conflict'; readonly rev: string | undefined }
  | { readonly kind: 'failed'; readonly fault: SourceFault };

/** What a search asks of a source. */
export interface Wanted {
  readonly formula: Formula;
  /** Paths; all of the source if undefined. */
  readonly scope: readonly string[] | undefined;
  /** Gets contents of files that may match, as many as the same answer has. All of the source together are small then. */
  readonly take?: (revised: Revised) => void;
}

/** A content, and the revision of its path that has it. */
export interface Revised {
  readonly path: string;
  readonly content: Uint8Array;
  readonly rev: string;
}

export interface Source {
  /**
   * Everything that the principal may see. With the version of a listing that the caller has, `unchanged` where that
   * still holds. Throws a `SourceError`.
   */
  tree(principal: Principal, known: string | undefined, signal: AbortSignal): Promise<Listing | 'unchanged'>;
  /** The content of entries, in their order, in as few requests as the server allows. Throws only when aborted. */
  readMany(entries: readonly Entry[], principal: Principal, signal: AbortSignal): Promise<Read[]>;
  /**
   * Paths within the scope that may match: never one too few. `undefined`: the server cannot tell, so that everything
   * may.
   */
  candidates?(wanted: Wanted, principal: Principal, signal: AbortSignal): Promise<ReadonlySet<string> | undefined>;
  /** Writes back, each change by itself, in order; outcomes in the order of the changes. A source without it is read-only. */
  commit?(changes: readonly Change[], principal: Principal, signal: AbortSignal): Promise<Outcome[]>;
  /** Gives up connections. */
  close(): Promise<void>;
}

/** What an adapter throws when a whole request fails. */
export class SourceError extends Error implements SourceFault {
  readonly errno: Errno;
  override readonly cause: string;

  constructor(errno: Errno, cause: string) {
    super(cause);
    this.errno = errno;
    this.cause = cause;
  }
}

/** What is said of an entry when the request that asked for it failed. Being aborted is no answer: that is thrown. */
export function unansweredRead(error: unknown): Unread {
  if (!(error instanceof SourceError)) throw error;
  return { errno: error.errno, cause: error.cause, unanswered: true };
}

/** Whether somebody of these groups sees an entry with this list. */
export function maySee(principal: Principal, acl: readonly string[]): boolean {
  return acl.includes(PUBLIC) || acl.some((group) => principal.groups.includes(group));
}

/** Who may see what a change makes new: never more than whoever could see what it was, or the groups that write it. */
export function audienceOf({ acl }: Extract<Change, { kind: 'write' }>, { groups }: Principal): readonly string[] {
  const own = groups.filter((group) => group !== PUBLIC);
  return acl ?? (own.length === 0 ? [PUBLIC] : own);
}

/** The group everybody belongs to. */
export const PUBLIC = 'public';

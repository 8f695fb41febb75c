/** What the server needs of whoever runs it: how the session is read, and how its daemon is reached. */
import type { Client } from '../../daemon/client.ts';
import type { Progress, Replies, Request } from '../../daemon/protocol.ts';
import type { Notice } from '../../history/commit/notices/notices.ts';
import type { ChangesOptions, PathChange } from '../../history/diff/changes.ts';
import type { Layout } from '../../history/layout.ts';
import type { Blame } from '../../history/past/blame.ts';
import type { LoadedSession } from '../../history/timeline/load.ts';
import type { Found } from '../../review/review.ts';
import type { BytePath } from '../../sys/bytes.ts';
import type { AuditRecord } from '../protocol.ts';

export interface PageHost {
  readonly layout: Layout;
  readonly home: BytePath | undefined;
  /** Reads what is staged; undefined: nothing ever was. */
  open(): Promise<Opened | undefined>;
  /** Of the daemon, which is started when there is none. Rejects with a UserError. */
  ask<Op extends Request['op']>(
    request: Extract<Request, { op: Op }>,
    onProgress?: (progress: Progress) => void,
  ): Promise<Replies[Op]>;
  /** A connection of its own to the daemon; undefined: none is alive. */
  connect(): Promise<Client | undefined>;
  /** Takes the last commit or abort back. */
  undo(onProgress: (progress: Progress) => void): Promise<Replies['undo']>;
  /** For the person who runs the server: what should not happen. */
  report(text: string): void;
}

/** One look at what is staged: what its parts have in common is found out once. */
export interface Look {
  /** The first of it is there at once. */
  listed(): Iterable<PathChange>;
  /** The same, each with what was done there outside; undefined while that is being found out. */
  found(): Iterable<Found | undefined>;
  /** A step for each change. */
  notices(): Generator<void, readonly Notice[]>;
}

/** A session that was read; it stays as it was then, but for contents. */
export interface Opened {
  readonly reading: ChangesOptions & { readonly session: LoadedSession };
  /** What is staged now. */
  look(): Look;
  /** The same as `diff` has it, with what lies in moved directories; or what lies between two generations, of which the second may be the present. */
  changes(between?: { readonly a: number; readonly b: number | undefined }): Iterable<PathChange>;
  /** What happened to a path and below it, the oldest first. */
  audit(path: BytePath): Iterable<AuditRecord>;
  /** The commands behind it; the journal is read when it is asked for first. */
  blame(): Blame;
  close(): Promise<void>;
}

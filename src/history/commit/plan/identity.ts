/** Which file a step is about, and whether it is still what the plan has seen. */
import type { Time } from '../../../staging/inode.ts';

/** Which file it is, for as long as it exists. */
export interface Identity {
  readonly dev: number;
  readonly ino: number;
}

/** What a file of the base is like when the plan is made. */
export interface Looks {
  readonly size: number;
  readonly mtime: Time;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** What a file looked like when the plan was made, to be looked at once more; it is not written down. */
export type Seen = Pick<Looks, 'size' | 'mtime'>;

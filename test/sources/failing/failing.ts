/** A server that can go wrong in one way. */

/** `fine`: not at all. */
export type Kind =
  | 'fine'
  | 'slow'
  | 'killed'
  | 'hung'
  | 'busy'
  | 'failing'
  | 'malformed'
  | 'nonsense'
  /** The fields are called otherwise now. */
  | 'otherSchema'
  /** The collection or index was removed, and is there again with other content. */
  | 'madeAnew';

export interface Failing {
  /** What `yolofs source add NAME` gets. */
  readonly settings: readonly string[];
  /** From now on. */
  fail(): Promise<void>;
  /** All is well again. */
  heal(): Promise<void>;
  /** What it has at a path, past all of ours. */
  read(path: string): Promise<string | undefined>;
  stop(): Promise<void>;
}

/** What each of them has, which everybody may read. */
export const FILES: Readonly<Record<string, string>> = { 'read.md': 'read\n', 'far/unread.md': 'unread\n' };
export const ANEW: Readonly<Record<string, string>> = { 'read.md': 'read\n', 'far/unread.md': 'made anew\n' };

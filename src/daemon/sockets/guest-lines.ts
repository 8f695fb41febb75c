/**
 * What is said at the guest socket, by both sides. Apart from guest.ts, as programs in the view load it at each start.
 *
 *     guest: {"words":["status","--json"],"cwd":"/p"}      daemon: {"out":"…"} … {"err":"…"} … {"exit":0}
 *     guest: {"commitRequest":"fixes the parser"}          daemon: {"out":"{\"id\":1,…}"} {"exit":0}, at once
 *     guest: {"snapshotOf":"make"}                         daemon: {"exit":0}, once what that command has changed has its snapshot
 *     guest: {"narrow":…} or {"bring":…}                   for a search of sources: guest-search.ts
 *
 * Bytes travel as strings of one code unit each, unless it is said that they follow.
 */
import type { GuestBring, GuestNarrow } from './guest-search.ts';

/** A command to carry out. */
export interface GuestCommand {
  readonly words: readonly string[];
  /** In the view. */
  readonly cwd: string;
  /** Which of the words are names of something there: of the host nobody looks for a guest whether there is such a file. */
  readonly there?: readonly string[];
}

/** A message with which a person is asked for a commit; that person decides, and nobody waits for it. */
export interface GuestCommitRequest {
  readonly commitRequest: string;
}

/** A command that a person has typed in a shell of the view, whose prompt waits. */
export interface GuestMark {
  readonly snapshotOf: string;
}

export type GuestRequest = GuestCommand | GuestCommitRequest | GuestMark | GuestNarrow | GuestBring;

/** `bytes`: so many of the output follow as they are. */
export type GuestLine =
  | { readonly out: string }
  | { readonly bytes: number }
  | { readonly err: string }
  | { readonly exit: number };

/** Of a request, in UTF-16 code units. */
export const LONGEST_REQUEST = 64 * 1024;

/**
 * What the daemon's main thread asks of the FUSE thread. Orders are taken between two requests of the kernel, so
 * each of them sees, and leaves, a view at rest.
 */
import type { Wishes } from '../../history/commit/conflict/resolve.ts';
import type { ModelOutcome } from '../../sources/model/model.ts';
import type { CopyJob } from '../../staging/copy-up/copy-ups.ts';
import type { Invalidation } from '../../staging/invalidation.ts';
import type { Losses } from '../../staging/store/unstored.ts';
import type { Shown } from '../../staging/switch/switch-tree.ts';
import type { EchoStep } from '../../staging/watch/echoes.ts';
import type { BytePath, Gen, NodeId } from '../../sys/bytes.ts';
import type { Errno } from '../../sys/errno.ts';
import type { Inspect, Inspected } from '../debug/messages.ts';
import type { Failure, Progress, Replies } from '../protocol.ts';
import type { AskingMessage, GateOrders } from '../questions/messages.ts';
import type { ModelWish } from '../sources/models.ts';
import type { FetchOutcome, FetchWish } from '../sources/pending-fetches.ts';
import type { SourceQuestion } from '../sources/wanted.ts';
import type { Packed } from '../view/invalidate.ts';
import type { CommitAsk, Loaded, Resolved, Undone } from './answers.ts';
import type { HunkWish } from './part/chosen.ts';
import type { StoreOrders } from './store-orders.ts';

export interface ActiveRun {
  readonly run: number;
  /** The command line as text (bytes). */
  readonly command: string;
  /** The process whose descendants belong to it; 0: not known yet. */
  readonly pid: number;
}

/** Every order with what it answers. */
export interface Orders extends GateOrders, StoreOrders {
  /** The FUSE devices: from the answer on, requests are served. `fast` is the second mount, whose root is a held directory. */
  serve: {
    ask: { readonly fd: number; readonly fast: { readonly fd: number; readonly root: NodeId } | undefined };
    answer: null;
  };
  /** Which runs are active, all of them. */
  runs: { ask: { readonly active: readonly ActiveRun[]; readonly holder: number }; answer: null };
  snapshot: { ask: SnapshotOrder; answer: Omit<Replies['snapshot'], 'summary'> };
  /** How many changes are staged; COUNTED_CHANGES: that many or more. */
  staged: { ask: null; answer: { readonly changes: number } };
  /** Brings the durable tree up to date. */
  /** `unwatched`: the host has fewer watches than the view needs. */
  flush: { ask: null; answer: { readonly generation: Gen; readonly unwatched?: boolean } };
  /** Shows another generation's state, named as a person did. */
  travel: {
    ask: { readonly to: string };
    answer: Omit<Replies['travel'], 'running'> & Shown;
  };
  /** Drops every override, or those at paths, or hunks. */
  abort: {
    ask: { readonly paths: readonly BytePath[]; readonly hunks: readonly HunkWish[] };
    answer: Emptied & Shown;
  };
  /** Resolves the conflicts of a commit as a person wishes, in the view. */
  resolve: { ask: CommitAsk; answer: Resolved };
  /** Makes what is staged, all of it or at paths, the base's; the view stands still meanwhile. Tells how it gets on. */
  commit: { ask: CommitAsk; answer: Committed };
  /** Takes the last commit back, what was changed since as a person wishes; the view stands still meanwhile, and stays as it is. */
  undo: { ask: Wishes; answer: Undone };
  /** The same before the store has all that the commit gave to the base; null, with nothing done: that is needed first. */
  undoAtOnce: { ask: Wishes; answer: Undone | null };
  /** What `commit` would do, in lines for people. */
  plan: { ask: CommitAsk; answer: Omit<Replies['commit'], 'generation'> };
  /** What was written and could not be stored, of which nobody has been told; `tell`: from now on somebody has. */
  unstored: { ask: { readonly tell: boolean }; answer: Losses & { readonly invalidations: readonly Invalidation[] } };
  /** What came of a copy that the thread wanted to be made, or of a descriptor to be closed. */
  copied: { ask: { readonly copy: number; readonly error: Errno }; answer: null };
  /** What came of a fetch from a source, for `path`. */
  fetched: { ask: { readonly path: BytePath; readonly told: readonly FetchOutcome[] }; answer: null };
  /** What a source's model has answered. */
  consulted: { ask: { readonly name: string; readonly outcome: ModelOutcome }; answer: null };
  /** Tells what the host has changed by now, before the answer. */
  lookOutside: { ask: null; answer: null };
  /** What is to be echoed in the view (view/echo.ts); `watched`: the numbers of inodes that somebody there watches. */
  echo: {
    ask: { readonly watched: ReadonlySet<number> };
    answer: { readonly steps: readonly EchoStep[]; readonly more: boolean };
  };
  /** From now on this process makes changes in the view that are to be echoed. */
  offerEchoes: { ask: { readonly init: number }; answer: null };
  /** It has made what it was asked for, or is not waited for any more. */
  echoed: { ask: null; answer: { readonly invalidations: readonly Invalidation[]; readonly more: boolean } };
  /** The view is about to be mounted on the host there, or is not any more: in the view that directory is not there. */
  hideView: { ask: { readonly at: BytePath | undefined }; answer: null };
  /** It is mounted there; requests of that connection are served from now on. */
  attach: { ask: { readonly fd: number; readonly at: BytePath; readonly writes: boolean }; answer: null };
  /** A look at the thread's inside, for `yolofs debug`. */
  inspect: { ask: Inspect; answer: Inspected };
  stats: { ask: null; answer: { readonly opcodes: Record<string, number>; readonly nodes: number } };
  /** Ends the thread, with everything durable. */
  stop: { ask: null; answer: null };
}

export interface SnapshotOrder {
  readonly name: string;
  readonly ifChanged: boolean;
  readonly run: number;
  readonly command: string | undefined;
}

/** What was staged, or the chosen part of it, is no more. */
export interface Emptied {
  readonly changes: number;
  /** Paths that nobody chose and that had to come along. */
  readonly along: readonly BytePath[];
  readonly generation: Gen;
}

/** What a commit answers. */
export interface Committed extends Emptied, Shown {
  readonly leftover: readonly string[];
  readonly number?: number;
  /** Nothing was done: there are conflicts, all of which resolve themselves, some of them in the view (`resolve`). */
  readonly resolves?: true;
  /** Changes that were thrown away with it. */
  readonly discarded: number;
}

export type OrderName = keyof Orders;

export type OrderMessage = {
  [Name in OrderName]: { readonly id: number; readonly name: Name; readonly ask: Orders[Name]['ask'] };
}[OrderName];

/** What the kernel must forget, as it is told to the main thread. */
export interface Forget {
  readonly forget: readonly Packed[];
}

/** What an order answers, as it comes to the main thread. */
export type Answer<Name extends OrderName> = Posted<Orders[Name]['answer']>;
type Posted<A> = A extends { readonly invalidations: readonly Invalidation[] } ? Omit<A, 'invalidations'> & Forget : A;

/** From the FUSE thread: answers by id, and what it tells of its own accord. */
export type ThreadMessage =
  | { readonly id: number; readonly answer: Answer<OrderName> }
  | { readonly id: number; readonly failure: Failure }
  | { readonly id: number; readonly progress: Progress }
  /** The session is loaded (or could not be), before any order is taken. */
  | ({ readonly event: 'loaded' } & Loaded)
  | { readonly event: 'failed'; readonly failure: Failure }
  /** Everything is written and closed; the thread's last words. */
  | { readonly event: 'closed' }
  | AskingMessage
  /** A large copy is to be made elsewhere; the order `copied` tells what came of it. */
  | { readonly event: 'copy'; readonly copy: number; readonly job: CopyJob }
  /** A descriptor is to be closed elsewhere; the order `copied` tells when it is. */
  | { readonly event: 'close'; readonly copy: number; readonly fd: number }
  /** A commit has an order for the thread of the sources; the answer goes to `reply`. */
  | ({ readonly event: 'ask' } & SourceQuestion)
  /** A model is asked; the order `consulted` tells what it says. */
  | ({ readonly event: 'consult' } & ModelWish)
  /** Somebody waits for what a source has; the order `fetched` tells what came of it. */
  | ({ readonly event: 'fetch' } & FetchWish)
  /** The FUSE thread, by its number, is on its caller's processor or wants to be: somebody has to look after it. */
  | { readonly event: 'follows'; readonly tid: number }
  /** The mount on the host is gone. */
  | { readonly event: 'detached' }
  /** The base changed outside: the kernel must forget. */
  | { readonly event: 'changed'; readonly invalidations: readonly Invalidation[] };

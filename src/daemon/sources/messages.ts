/** What the main thread asks of the thread of the sources, and what that answers. Paths are text, below a source's root. */

import type { ToFill } from '../../sources/answers.ts';
import type { SourceConfig } from '../../sources/config.ts';
import type { ToGive } from '../../sources/giving.ts';
import type { SourceState } from '../../sources/keeper.ts';
import type { ModelOutcome, Operation, Scene } from '../../sources/model/model.ts';
import type { Brought, LinesWanted } from '../../sources/searching/bringing.ts';
import type { ExcerptList } from '../../sources/searching/excerpts.ts';
import type { Asked, Narrowed, WithUnfilled } from '../../sources/searching/searching.ts';
import type { Outcome, SourceFault } from '../../sources/source.ts';
import type { BytePath } from '../../sys/bytes.ts';

/** A source of the session, and where its mirror lies. */
export interface Kept {
  readonly config: SourceConfig;
  readonly root: string;
  readonly state: string;
  /** A crash has cut a commit to it short, which is to be taken back. */
  readonly isUnsettled: boolean;
}

/** Where the sources of a session are in its view. */
export interface SourcePlaces {
  /** Their directories, by their names. */
  readonly places: ReadonlyMap<string, BytePath>;
  /** Those of them that a model answers for. */
  readonly models: ReadonlyMap<string, BytePath>;
  /** Those of which no tree was ever read: whoever looks one up waits for it. The rest show what they had, and are asked meanwhile. */
  readonly unread: readonly BytePath[];
}

export const NO_SOURCES: SourcePlaces = { places: new Map(), models: new Map(), unread: [] };

export interface SourceOrders {
  /** Contents of paths, and of as many more as may be asked for next. */
  fetch: {
    ask: { readonly name: string; readonly paths: readonly string[]; readonly ahead: number };
    answer: readonly ToFill[];
  };
  /** Files whose contents should go: all that is here takes more room than it may. */
  excess: { ask: { readonly name: string }; answer: readonly string[] };
  /** What the source has by now is shown, or why not. */
  refresh: { ask: { readonly name: string }; answer: { readonly fault?: SourceFault } };
  states: { ask: null; answer: readonly SourceState[] };
  /** Makes the source what its mirror is going to be. */
  commit: { ask: { readonly name: string; readonly files: readonly ToGive[] }; answer: SourceCommit };
  /** Asks what it has now; until `release` nothing of it changes. `contents` are those at these paths that are not in the mirror yet. */
  hold: {
    ask: { readonly name: string; readonly paths: readonly string[] };
    answer: { readonly contents: readonly ToFill[] } | { readonly fault: SourceFault };
  };
  release: { ask: { readonly name: string }; answer: null };
  /** The mirror is as it was: so is the source again, if it has what we gave it; `left` is what it could not be given. */
  takeBack: {
    ask: { readonly name: string; readonly paths: readonly string[] };
    answer: { readonly left: readonly string[] };
  };
  /** The directories of a search; contents, as many as are no trouble, and lines in them. See `searching/` of sources. */
  narrowed: {
    ask: { readonly name: string; readonly asked: Asked };
    answer: WithUnfilled<readonly Narrowed[]>;
  };
  bring: {
    ask: { readonly name: string; readonly paths: readonly string[] };
    answer: WithUnfilled<readonly Brought[]>;
  };
  lines: {
    ask: { readonly name: string; readonly wanted: LinesWanted };
    answer: WithUnfilled<ExcerptList | undefined>;
  };
  /** Contents that came for searches, which are to be filled in now; none when all are. */
  unfilled: { ask: { readonly name: string; readonly most: number }; answer: readonly ToFill[] };
  /** What the source's model makes of an operation; one at a time. */
  consult: {
    ask: { readonly name: string; readonly operation: Operation; readonly scene: Scene };
    answer: ModelOutcome;
  };
  /** Nobody waits for what the model was asked last. */
  giveUp: { ask: { readonly name: string }; answer: null };
  close: { ask: null; answer: null };
}

export type SourceCommit =
  | { readonly outcomes: readonly { readonly path: string; readonly outcome: Outcome }[] }
  | { readonly fault: SourceFault };

export type SourceOrderName = keyof SourceOrders;

export type SourceOrder = {
  [Name in SourceOrderName]: { readonly id: number; readonly name: Name; readonly ask: SourceOrders[Name]['ask'] };
}[SourceOrderName];

export type SourceAnswer =
  | { readonly id: number; readonly answer: SourceOrders[SourceOrderName]['answer'] }
  | { readonly id: number; readonly defect: string };

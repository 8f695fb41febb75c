/**
 * A source that a model answers for: nothing is there until somebody asks, and every change may have consequences.
 * The bridge asks the model before an operation takes place, and stages what it makes; what is staged is read without it.
 */
import type { SourceFault } from '../source.ts';

/** What a program is about to do below the source; paths as in `Entry`, '' for its root. */
export type Operation =
  /** To read a name that is not there. */
  | { readonly kind: 'find'; readonly path: string }
  /** To list a directory, for the first time. */
  | { readonly kind: 'list'; readonly path: string }
  /** To make a file, or to change one that is there; what will be written is not known yet. */
  | { readonly kind: 'write'; readonly path: string }
  | { readonly kind: 'mkdir'; readonly path: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  /** A file was written: there is nothing to refuse any more, only consequences. The scene has its content. */
  | { readonly kind: 'written'; readonly path: string };

/** What the model makes of an operation, for the bridge to stage, in this order. */
export type Effect =
  | { readonly kind: 'file'; readonly path: string; readonly content: Uint8Array }
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'remove'; readonly path: string };

export interface Answer {
  /** Undefined: the operation may take place. */
  readonly refusal: SourceFault | undefined;
  readonly effects: readonly Effect[];
  /** Names in the listed directory that have no content yet; one of a directory ends in `/`. */
  readonly names: readonly string[];
}

/** An answer, or why there is none. */
export type ModelOutcome = Answer | SourceFault;

/** What the view shows below the source when the model is asked; plain data, for another thread. */
export interface Scene {
  /** Sorted; a directory's path ends in `/`. At most `MOST_PATHS`. */
  readonly paths: readonly string[];
  /** How many paths there are beyond these. */
  readonly more: number;
  /** Content of the files nearest to the operation, the nearest first, as much as a request carries along. */
  readonly files: readonly { readonly path: string; readonly content: Uint8Array }[];
}

export interface Model {
  /** Throws a `SourceError` when there is no answer, and only then. */
  answer(operation: Operation, scene: Scene, signal: AbortSignal): Promise<Answer>;
  /** Whether somebody is there to answer, without a question that costs. Throws as `answer`. */
  check(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** What searches in the view ask of one source. */
import { expiry } from '../answers.ts';
import type { Formula } from '../formula.ts';
import { SourceError } from '../source.ts';
import { type Brought, bring, type LinesWanted, linesIn, type Supply } from './bringing.ts';
import type { ExcerptList } from './excerpts.ts';
import { type Asked, type Narrowed, narrowed } from './searching.ts';

/** A search that takes longer is not narrowed down. */
const SEARCH_MS = 10_000;

/** Who keeps the source. */
export interface Searched extends Supply {
  /** A commit is under way: nothing is said of its files. */
  readonly isHeld: () => boolean;
  /** Nor is anything asked of its server now. */
  readonly isPaused: () => boolean;
  /** Rejects with a SourceError. */
  readonly candidates: (
    formula: Formula,
    scope: readonly string[] | undefined,
    signal: AbortSignal,
  ) => Promise<ReadonlySet<string> | undefined>;
}

/** An answer, and the bytes of contents that came for it and are to be filled in. */
export interface WithUnfilled<T> {
  readonly answer: T;
  readonly unfilled: number;
}

export class Searches {
  readonly #searched: Searched;

  constructor(searched: Searched) {
    this.#searched = searched;
  }

  /** See searching.ts: nothing where the server does not say. */
  async narrowed(asked: Asked): Promise<Narrowed[]> {
    const { mirror, isHeld, isPaused, candidates } = this.#searched;
    if (isHeld() || isPaused()) return [];
    const signal = AbortSignal.timeout(SEARCH_MS);
    try {
      return await narrowed(mirror, asked, (scope) =>
        Promise.race([candidates(asked.formula, scope, signal), expiry(signal)]),
      );
    } catch (error) {
      // That it cannot search does not mean that it cannot be read.
      if (!(error instanceof SourceError || signal.aborted)) throw error;
      return [];
    }
  }

  /** See bringing.ts, as the next. */
  async bring(paths: readonly string[]): Promise<WithUnfilled<readonly Brought[]>> {
    const answer = this.#searched.isHeld() ? [] : await bring(this.#searched, paths);
    return { answer, unfilled: this.#searched.unfilled.bytes };
  }

  async lines(wanted: LinesWanted): Promise<WithUnfilled<ExcerptList | undefined>> {
    const answer = this.#searched.isHeld() ? undefined : await linesIn(this.#searched, wanted);
    return { answer, unfilled: this.#searched.unfilled.bytes };
  }
}

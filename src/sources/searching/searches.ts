/** What searches in the view ask of one source. */
import { expiry, PATIENCE_MS } from '../answers.ts';
import { type Revised, SourceError, type Wanted } from '../source.ts';
import { type Brought, bring, type LinesWanted, linesIn, type Supply } from './bringing.ts';
import type { ExcerptList } from './excerpts.ts';
import { type Asked, type Narrowed, narrowed, type WithUnfilled } from './searching.ts';
import { MOST_UNFILLED } from './unfilled.ts';

/** A search that takes longer is not narrowed down. */
const SEARCH_MS = 10_000;
/** While more than one in so many is here, a search asks for the contents of the others alone. */
const SHARE_HERE = 4;

/** Who keeps the source. */
export interface Searched extends Supply {
  /** A commit is under way: nothing is said of its files. */
  readonly isHeld: () => boolean;
  /** Nor is anything asked of its server now. */
  readonly isPaused: () => boolean;
  /** Rejects with a SourceError. */
  readonly candidates: (wanted: Wanted, signal: AbortSignal) => Promise<ReadonlySet<string> | undefined>;
}

export class Searches {
  readonly #searched: Searched;

  constructor(searched: Searched) {
    this.#searched = searched;
  }

  /** See searching.ts: nothing where the server does not say. */
  async narrowed(asked: Asked): Promise<WithUnfilled<readonly Narrowed[]>> {
    const { unfilled, isHeld, isPaused } = this.#searched;
    const answer = isHeld() || isPaused() ? [] : await this.#narrowed(asked);
    return { answer, unfilled: unfilled.bytes };
  }

  async #narrowed(asked: Asked): Promise<readonly Narrowed[]> {
    const take = this.#isForContents(asked) ? (one: Revised) => this.#take(one) : undefined;
    const signal = AbortSignal.timeout(take === undefined ? SEARCH_MS : PATIENCE_MS);
    const { formula } = asked;
    const ask = (scope: Wanted['scope']): Promise<ReadonlySet<string> | undefined> =>
      Promise.race([this.#searched.candidates({ formula, scope, ...(take && { take }) }, signal), expiry(signal)]);
    try {
      return await narrowed(this.#searched, asked, ask);
    } catch (error) {
      // That it cannot search does not mean that it cannot be read.
      if (!(error instanceof SourceError || signal.aborted)) throw error;
      return [];
    }
  }

  /** Whether contents are to come with the answer: the search wants the lines of all, little is here, and all would be no trouble. */
  #isForContents({ lines, ofAll, scopes }: Asked): boolean {
    if (lines === undefined || ofAll !== true || !scopes.includes('')) return false;
    const { unfilled, mirror } = this.#searched;
    const { entries, present } = mirror;
    // Of a tree that was kept nobody knows yet what is here.
    if (present.isAnyUnseen(entries.names.keys()) || present.mostHere * SHARE_HERE >= entries.files) return false;
    return unfilled.bytes + entries.bytes <= MOST_UNFILLED;
  }

  /** What has come before is not filled in again. Of a page that matches in part its server may say a part, which is none of its revisions. */
  #take(one: Revised): void {
    const { unfilled, mirror } = this.#searched;
    const { entries, present } = mirror;
    if (!present.isMaybe(one.path) && entries.get(one.path)?.rev === one.rev) unfilled.add(one);
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

/** The orders that are about all that is staged: it is shown otherwise, compared, given up or becomes the base's. */
import type { Wishes } from '../../history/commit/conflict/resolve.ts';
import { ChangedSinceError } from '../../history/commit/runner/undo.ts';
import type { BytePath } from '../../sys/bytes.ts';
import type { Progress } from '../protocol.ts';
import type { CommitAsk } from './answers.ts';
import { commit } from './commit.ts';
import type { LongOrder } from './kinds.ts';
import type { LiveSession } from './live-session.ts';
import type { Committed, OrderMessage, Orders } from './orders.ts';
import type { HunkWish } from './part/chosen.ts';
import { abortHunks } from './part/hunk-commit.ts';
import { abortAll, abortPart } from './part/selected.ts';
import { plan } from './plan.ts';
import { resolve } from './resolve.ts';
import { countIn, travel } from './travel.ts';
import { undoAtOnce, undoLast } from './undo/undo.ts';
import { undoOver } from './undo/undo-over.ts';

type SessionOrder = Extract<OrderMessage, { name: 'staged' | 'travel' | 'abort' | 'plan' | 'resolve' }>;
type OnProgress = (progress: Progress) => void;

/** Each leaves the view at rest. */
export class SessionOrders {
  readonly #session: LiveSession;

  constructor(session: LiveSession) {
    this.#session = session;
  }

  /** Throws as the order does. */
  carryOut(order: SessionOrder): Orders[SessionOrder['name']]['answer'] {
    switch (order.name) {
      case 'staged':
        return this.staged();
      case 'travel':
        return this.travel(order.ask.to);
      case 'abort':
        return this.abort(order.ask.paths, order.ask.hunks);
      case 'plan':
        return this.plan(order.ask);
      case 'resolve':
        return this.resolve(order.ask);
    }
  }

  /** Those that take the thread's event loop. Rejects as the order does. */
  carryOutLong(order: LongOrder, onProgress: OnProgress): Promise<Orders[LongOrder['name']]['answer']> {
    switch (order.name) {
      case 'commit':
        return this.commit(order.ask, onProgress);
      case 'undo':
        return this.undo(onProgress, order.ask);
      case 'undoAtOnce':
        return this.undoAtOnce(onProgress, order.ask);
    }
  }

  /** How many changes are staged, counted up to a limit. */
  staged(): Orders['staged']['answer'] {
    return { changes: countIn(this.#session.tree, this.#session) };
  }

  /** Shows another generation's state. Throws as `travel`. */
  travel(to: string): Orders['travel']['answer'] {
    return travel(this.#session, to);
  }

  /**
   * Drops every override, or those at paths, or hunks. Throws a SystemError when that cannot be recorded, a UserError for a path
   * at which nothing is staged; then nothing has changed.
   */
  abort(paths: readonly BytePath[] = [], hunks: readonly HunkWish[] = []): Orders['abort']['answer'] {
    if (hunks.length > 0) return abortHunks(this.#session, hunks);
    return paths.length > 0 ? abortPart(this.#session, paths) : abortAll(this.#session);
  }

  /** See `orders/plan.ts`. */
  plan(ask: CommitAsk): Orders['plan']['answer'] {
    return plan(this.#session, ask);
  }

  /** See `orders/resolve.ts`. */
  resolve(ask: CommitAsk): Orders['resolve']['answer'] {
    return resolve(this.#session, ask);
  }

  /** See `orders/commit.ts`. */
  commit(ask: CommitAsk, onProgress: OnProgress): Promise<Committed> {
    return commit(this.#session, ask, { onProgress });
  }

  /**
   * Takes the last commit or abort back: step by step, or, with wishes, by another commit where somebody has changed the base since.
   * Rejects with a UserError or SystemError.
   */
  async undo(onProgress: OnProgress, wishes?: Wishes): Promise<Orders['undo']['answer']> {
    try {
      return await undoLast(this.#session, onProgress, wishes);
    } catch (error) {
      if (!(error instanceof ChangedSinceError) || wishes === undefined) throw error;
      return undoOver(this.#session, { changed: error.conflicts, wishes, onProgress });
    }
  }

  /** The same while content is still being copied into the store; null, with nothing done, where that is needed first. */
  async undoAtOnce(onProgress: OnProgress, wishes: Wishes): Promise<Orders['undoAtOnce']['answer']> {
    try {
      return await undoAtOnce(this.#session, onProgress, wishes.theirs);
    } catch (error) {
      if (error instanceof ChangedSinceError) return null;
      throw error;
    }
  }
}

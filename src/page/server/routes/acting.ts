/** POST /api/plan, /api/commit, /api/abort, /api/undo. Nothing is done but what the hash of a plan stands for. */
import { amount } from '../../../agents/amount.ts';
import { noteDecision } from '../../../agents/decisions.ts';
import { showPath, viewpointOf } from '../../../agents/show-path.ts';
import { quoteName } from '../../../agents/summary-lines.ts';
import type { Progress, Replies, Request } from '../../../daemon/protocol.ts';
import type { BytePath } from '../../../sys/bytes.ts';
import { UserError } from '../../../sys/user-error.ts';
import type { CommitReply, PlanConflict, PlanReply, UndoReply } from '../../protocol.ts';
import { type Fields, textIn, textsIn } from '../http/body.ts';
import { failureOf, Rejection } from '../http/reject.ts';
import type { Answer, Call } from '../http/routes.ts';
import type { Decisions } from '../model/decisions.ts';
import type { Model } from '../model/model.ts';
import { shownNotices } from '../model/notices.ts';
import { type Orders, ordersOf, type Resolution } from '../model/plan.ts';
import { shownPath } from '../model/show.ts';
import type { PageState } from '../state.ts';

const MOST_STEPS = 1000;
/** Files that the agent is told by name. */
const MOST_NAMED = 5;

/** The plan as it was asked for, to be made again before it is carried out. */
export class Acting {
  readonly #state: PageState;
  /** The snapshot that the last plan was made of. */
  #reviewed: number | undefined;
  #resolution: Resolution = { ours: [], theirs: [], merge: false };

  constructor(state: PageState) {
    this.#state = state;
  }

  async plan({ body }: Call): Promise<Answer> {
    const state = this.#state;
    const model = await this.#unfallen();
    this.#resolution = resolutionIn(body, state, model);
    const orders = ordersOf(model, state.decisions, state.host, this.#resolution);
    const tried = hasTaken(orders) ? await this.#try(orders) : undefined;
    const done = tried instanceof UserError ? undefined : tried;
    this.#reviewed = done?.generation;
    // The snapshot has what was staged until then: it is to be what was shown.
    if (orders.isEverything) await this.#agreed({ hash: orders.hash });
    const reply: PlanReply = {
      ...{ hash: orders.hash, version: model.version, counts: state.decisions.countsOf(model.entries.values()) },
      ...{ steps: done?.steps.slice(0, MOST_STEPS) ?? [], stepCount: done?.steps.length ?? 0 },
      notices: shownNotices(done?.notices ?? [], model, state.host.layout.project),
      along: (done?.along ?? []).map(shownPath),
      inseparable: orders.inseparable.map(shownPath),
      ...(tried instanceof UserError ? { problem: failureOf(tried) } : {}),
      conflicts: conflictsOf(model, state.decisions),
    };
    return { json: reply };
  }

  async commit({ body }: Call): Promise<Answer> {
    const orders = await this.#agreed(body);
    if (!hasTaken(orders)) return this.#discard(orders);
    const { host } = this.#state;
    const rejected = this.#rejectedNames();
    const ask = { ...commitOf(orders, this.#reviewed), dryRun: false, discard: orders.reject };
    const { number, changes, discarded, merged } = await host.ask(ask, this.#progress('commit'));
    this.#tell(rejected, orders.inseparable.length === 0);
    await this.#after();
    const reply: CommitReply = {
      ...(number === undefined ? {} : { number }),
      ...{ committed: changes, discarded, merged: merged.map(shownPath) },
    };
    return { json: reply };
  }

  async abort({ body }: Call): Promise<Answer> {
    return this.#discard(await this.#agreed(body));
  }

  async undo(): Promise<Answer> {
    const { host } = this.#state;
    const { commit, changes } = await host.undo(this.#progress('undo'));
    const what = commit === undefined ? 'the abort' : `commit ${commit}`;
    noteDecision(host.layout, `the person took ${what} back: ${amount(changes, 'change')} staged again`);
    await this.#after();
    const reply: UndoReply = { what, changes };
    return { json: reply };
  }

  /** Throws a Rejection where a decision has fallen that the page was not told of: what was seen is not what there is. */
  async #unfallen(): Promise<Model> {
    const state = this.#state;
    const model = await state.renew();
    if (state.hasFallen) throw outdated();
    return model;
  }

  /** The orders that the person has seen the plan of. */
  async #agreed(body: Fields): Promise<Orders> {
    const hash = textIn(body, 'hash', 100);
    const state = this.#state;
    const orders = ordersOf(await this.#unfallen(), state.decisions, state.host, this.#resolution);
    if (orders.hash !== hash) throw outdated();
    if (!hasTaken(orders) && orders.rejectAlone.length === 0)
      throw new UserError('nothing is decided: all of it stays staged');
    return orders;
  }

  async #try(orders: Orders): Promise<Replies['commit'] | UserError> {
    try {
      return await this.#state.host.ask({ ...commitOf(orders), dryRun: true });
    } catch (error) {
      if (error instanceof UserError) return error;
      throw error;
    }
  }

  async #discard({ rejectAlone }: Orders): Promise<Answer> {
    const rejected = this.#rejectedNames();
    const { changes } = await this.#state.host.ask({ op: 'abort', hunks: rejectAlone });
    this.#tell(rejected, true);
    await this.#after();
    const reply: CommitReply = { committed: 0, discarded: changes, merged: [] };
    return { json: reply };
  }

  #progress(word: string): (progress: Progress) => void {
    return ({ what, done, total }) =>
      this.#state.stream.send({ event: 'progress', what: `${word}: ${what}`, done, total });
  }

  #rejectedNames(): string[] {
    const { decisions, host } = this.#state;
    const from = viewpointOf(host.layout.project, host.layout.project);
    return this.#state
      .known()
      .filter((entry) => decisions.hasRejected(entry))
      .map(({ change }) => quoteName(showPath(change.path, from, change.type)));
  }

  #tell(rejected: readonly string[], isGone: boolean): void {
    if (rejected.length === 0) return;
    const more = rejected.length - MOST_NAMED;
    const names = `${rejected.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${amount(more, 'more file')}` : ''}`;
    const outcome = isGone
      ? 'that was discarded'
      : 'what of it could not be told apart stays staged, and is not applied';
    noteDecision(this.#state.host.layout, `the person rejected changes of ${names}; ${outcome}`);
  }

  async #after(): Promise<void> {
    const model = await this.#state.renew();
    this.#state.takeFallen();
    this.#state.stream.send({ event: 'changed', generation: model.generation });
  }
}

function outdated(): Rejection {
  return new Rejection(409, 'outdated', 'what was shown has changed since: nothing was done');
}

function hasTaken({ take, isEverything }: Orders): boolean {
  return isEverything || take.length > 0;
}

/** Of what was taken, at least in part. */
function conflictsOf({ entries }: Model, decisions: Decisions): PlanConflict[] {
  const taken = [...entries.values()].filter((entry) => ['take', 'mixed'].includes(decisions.choiceOf(entry)));
  return taken
    .flatMap(({ id, change, conflict }) =>
      conflict === undefined ? [] : [{ ...shownPath(change.path), id, outside: conflict }],
    )
    .slice(0, MOST_STEPS);
}

type Ask = Omit<Extract<Request, { op: 'commit' }>, 'dryRun'>;

/** Keys say what is meant by themselves; of everything the snapshot does. */
function commitOf({ take, resolution, isEverything }: Orders, reviewed?: number): Ask {
  if (isEverything) return { op: 'commit', ...(reviewed === undefined ? {} : { reviewed }) };
  return { op: 'commit', hunks: take, ...resolution };
}

/** Throws a Rejection, and a UserError for what is not staged. */
function resolutionIn(body: Fields, state: PageState, model: Model): Resolution {
  const paths = (name: string): BytePath[] => textsIn(body, name).map((id) => state.entryOf(model, id).change.path);
  return { ours: paths('ours'), theirs: paths('theirs'), merge: body.merge === true };
}

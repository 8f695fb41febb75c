/**
 * What the daemon does for its clients. What looks at the view as a whole takes its turn, and first has the kernel write back what it
 * holds of open files; while an order runs, the view stands still, but for a commit that waits for a source.
 */
import { log } from '../sys/log.ts';
import { UserError } from '../sys/user-error.ts';
import { refuseIfBusy } from './life/idle-stop.ts';
import { Turns } from './life/turns.ts';
import type { CommitAsk, Resolved } from './orders/answers.ts';
import { askOf, commitBy, toldOf, wishesOf } from './orders/asked.ts';
import type { SnapshotOrder } from './orders/orders.ts';
import type { EventLine, Progress, Replies, Request, RunSummary } from './protocol.ts';
import { helloOf } from './protocol.ts';
import { isForSubscriber, type SubscriberRequest } from './questions/watchers.ts';
import { CommitDecisions } from './requests/commit-decisions.ts';
import type { CommitRequest } from './requests/commit-request.ts';
import { Reporter } from './runs/reporter.ts';
import { type Beginning, type Run, snapshotAfter } from './runs/runs.ts';
import { summarizeSoon } from './runs/summary.ts';
import type { Serving } from './serving.ts';
import type { Guest, ServiceRequest } from './sockets/control.ts';
import { programsIn } from './view/programs.ts';
import { showChanges, type Turned } from './view/show-changes.ts';
import { flush, storeAll } from './view/write-back.ts';

type Asked<Op extends Request['op']> = Extract<Request, { op: Op }>;

export class Service {
  readonly #view: Serving;
  readonly #end: (isAsked: boolean) => Promise<void>;
  readonly turns = new Turns();
  readonly #reporter = new Reporter();
  readonly #decisions: CommitDecisions;

  /** `end` ends the daemon, all but its process; and empties the view's /tmp if a person asked for it. */
  constructor(view: Serving, end: (isAsked: boolean) => Promise<void>) {
    this.#view = view;
    this.#end = end;
    this.#decisions = new CommitDecisions(view.requests, view.worker);
  }

  get #beginning(): Beginning {
    return { offset: this.#view.files.journal.size, before: this.#view.position.generation };
  }

  /** Whether clients have work in hand. */
  get isBusy(): boolean {
    const { runs, watchers, outside } = this.#view;
    return runs.size + watchers.size > 0 || outside.isMounted || this.turns.isBusy;
  }

  /** A client's side of its connection. */
  admit(tell: (line: EventLine) => void): Guest<ServiceRequest> {
    const subscriber = this.#view.watchers.subscribe(tell);
    let run: Run | undefined;
    return {
      answer: async (request, onProgress) => {
        switch (request.op) {
          case 'enter':
            if (run !== undefined) throw new UserError('this connection has a run already');
            run = this.#view.runs.begin(request.command, this.#beginning);
            return this.#enter(run);
          case 'started':
            if (run !== undefined) this.#view.runs.started(run, request.pid);
            return {};
          case 'leave': {
            const ended = run;
            run = undefined;
            return this.#leave(ended, request);
          }
          default:
            return isForSubscriber(request) ? subscriber.take(request) : this.#answer(request, onProgress);
        }
      },
      left: () => {
        subscriber.left();
        if (run !== undefined) this.#abandon(run);
      },
    };
  }

  /** Somebody in the view, or an agent beside it, asks for a commit of what is staged now. Rejects with a UserError. */
  requestCommit(message: string): Promise<CommitRequest> {
    return this.turns.take(() => this.#decisions.ask(message, () => this.#snapshot({ name: '', ifChanged: true })));
  }

  /** The snapshot after a command that was typed in a shell of the view. Rejects with a UserError. */
  async snapshotOf(command: string): Promise<void> {
    await this.turns.takeBrief(async () => {
      await storeAll(this.#view, 'tolerant');
      await this.#take({ name: '', ifChanged: true, run: 0, command });
    });
  }

  async #answer(
    request: Exclude<ServiceRequest, { op: 'enter' | 'started' | 'leave' | SubscriberRequest['op'] }>,
    onProgress: (progress: Progress) => void,
  ): Promise<Replies[Request['op']]> {
    switch (request.op) {
      case 'hello':
        return helloOf(this.#view.files.layout.project, this.#view.position.generation);
      case 'snapshot':
        return this.turns.takeBrief(() => this.#snapshot(request));
      case 'flush':
        return this.turns.takeBrief(() => flush(this.#view));
      case 'travel':
        return this.turns.take(() => this.#travel(request));
      case 'commit':
        return this.turns.take(() =>
          request.dryRun ? this.#plan(askOf(request)) : this.#commit(askOf(request), onProgress),
        );
      case 'reload':
        return this.#reload();
      case 'adopt':
        await this.#view.adopt();
        return {};
      case 'sources':
        return this.#view.sources.report(request.refresh);
      case 'undo':
        return this.turns.take(() => this.#undo(request, onProgress));
      case 'abort':
        return this.turns.take(() => this.#abort(request));
      case 'gc':
        return this.turns.take(() => this.#collect(request));
      case 'decide':
        return this.turns.take(() => this.#decisions.decide(request, (ask) => this.#commit(askOf(ask), onProgress)));
      case 'sight':
        return this.#view.worker.order('sight', request);
      case 'stats':
        return { ...(await this.#view.worker.order('stats', null)), rss: process.memoryUsage.rss() };
      case 'stop':
        return this.#stop(request);
    }
  }

  async #enter(run: Run): Promise<Replies['enter']> {
    // What was written into the configuration counts for whatever is started now.
    await this.#reload();
    await this.#view.catchUp();
    const { pid: holder, anchor, cage, tmp } = this.#view.holder;
    const more = { ...(tmp && { tmp }), ...this.#view.sources.shimmed(this.#view.config.current.cage.shims) };
    return { run: run.number, holder, anchor, cage, ...more, generation: this.#view.position.generation };
  }

  async #leave(run: Run | undefined, { snapshot: name, withheld }: Asked<'leave'>): Promise<RunSummary> {
    if (run === undefined) throw new UserError('this connection has no run to end');
    const wanted = name !== undefined && (name !== '' || this.#view.config.current.session.autoSnapshot);
    return this.turns.takeBrief(async () => {
      const unstored = await storeAll(this.#view, 'telling');
      const snapshot = wanted && (await this.#takeIfPossible(snapshotAfter(run, name)));
      this.#view.runs.end(run);
      const soon = summarizeSoon(this.#view.files, run.number, run.offset);
      // Whoever is told of it may change the real files at once.
      this.#view.care.mergeBases.look();
      const summary = await soon;
      const more = { ...(unstored === undefined ? {} : { unstored }), ...this.#view.config.tellRun(withheld) };
      const { before, beside } = run;
      return { ...summary, generation: this.#view.position.generation, before, beside, snapshot, ...more };
    });
  }

  /** Whoever ran it was killed: what it changed gets its snapshot all the same. */
  #abandon(run: Run): void {
    const work = async (): Promise<void> => {
      if (this.#view.config.current.session.autoSnapshot) await this.#takeIfPossible(snapshotAfter(run, ''));
    };
    void this.turns
      .takeBrief(work)
      .catch((error: Error) => log(`run ${run.number} ended without goodbye: ${error.message}`))
      .finally(() => this.#view.runs.end(run));
  }

  async #snapshot({ name, ifChanged, tell }: Omit<Asked<'snapshot'>, 'op'>): Promise<Replies['snapshot']> {
    await storeAll(this.#view, 'tolerant');
    const taken = await this.#take({ name, ifChanged, run: 0, command: undefined });
    if (!tell) return taken;
    const { files, runs } = this.#view;
    return {
      ...taken,
      summary: await this.#reporter.report(files, { oldest: runs.oldest, now: this.#beginning }, taken),
    };
  }

  /** The command that ran has its own result; that the disk is full now must not take its place. */
  async #takeIfPossible(order: SnapshotOrder): Promise<boolean> {
    try {
      return (await this.#take(order)).taken;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      log(`no snapshot after run ${order.run}: ${error.message}`);
      return false;
    }
  }

  async #take(order: SnapshotOrder): Promise<Replies['snapshot']> {
    const taken = await this.#view.worker.order('snapshot', order);
    this.#view.position.marked(taken.generation);
    return taken;
  }

  async #reload(): Promise<Replies['reload']> {
    const notice = this.#view.config.told;
    await this.#view.rules.idle();
    return notice;
  }

  async #plan(ask: CommitAsk): Promise<Replies['commit']> {
    await storeAll(this.#view, 'tolerant');
    // What a person is shown gets a number, by which they can agree to just that.
    await this.#takeIfPossible({ name: '', ifChanged: true, run: 0, command: undefined });
    return { ...(await this.#view.worker.order('plan', ask)), generation: this.#view.position.generation };
  }

  async #commit(ask: CommitAsk, onProgress: (progress: Progress) => void): Promise<Replies['commit']> {
    await storeAll(this.#view, 'strict');
    await this.#view.care.keeper.idle();
    const commit = (one: CommitAsk) => this.#view.worker.order('commit', one, onProgress);
    const { resolved, done } = await commitBy(ask, { resolve: (one) => this.#resolve(one), commit });
    const { merged, yielded } = resolved ?? { merged: [], yielded: 0 };
    const nothing = { steps: [], changes: 0, along: [], merged, yielded, discarded: 0 };
    if (done === undefined) {
      const { changes: discarded } = ask.discard?.length ? await this.#abort({ hunks: ask.discard }) : nothing;
      return { ...nothing, discarded, generation: this.#view.position.generation };
    }
    this.#view.position.marked(done.generation);
    await showChanges(this.#view, done);
    for (const line of done.leftover) log(`commit: an original could not be put away: ${line}`);
    this.#afterCommit(done.changes);
    return { ...nothing, ...toldOf(done) };
  }

  async #resolve(ask: CommitAsk): Promise<Pick<Resolved, 'next' | 'merged' | 'yielded' | 'nothingLeft'>> {
    const resolved = await this.#view.worker.order('resolve', ask);
    this.#view.position.marked(resolved.generation);
    await showChanges(this.#view, resolved);
    return resolved;
  }

  async #travel({ to }: Asked<'travel'>): Promise<Replies['travel']> {
    // What could not be stored would be in no generation.
    await storeAll(this.#view, 'strict');
    await this.#view.care.keeper.idle();
    const { forget, moved, ...done } = await this.#view.worker.order('travel', { to });
    await this.#turn(done, { forget, moved });
    return { ...done, running: await programsIn(this.#view.holder) };
  }

  async #undo(request: Asked<'undo'>, onProgress: (progress: Progress) => void): Promise<Replies['undo']> {
    await storeAll(this.#view, 'strict');
    const { care } = this.#view;
    const { forget, moved, ...done } = await care.undo(wishesOf(request), onProgress);
    await this.#turn(done, { forget, moved });
    care.undone();
    if (done.by !== undefined) this.#afterCommit(done.by.changes);
    return done;
  }

  async #turn({ generation }: { readonly generation: number }, shown: Turned): Promise<void> {
    this.#view.position.marked(generation);
    await showChanges(this.#view, shown);
    this.#view.care.count.recount();
  }

  async #stop({ ifIdle = false }: Asked<'stop'>): Promise<Replies['stop']> {
    if (ifIdle) refuseIfBusy(this.isBusy, this.#view.holder.pid);
    const running = await programsIn(this.#view.holder);
    await this.#end(!ifIdle);
    return { running };
  }

  async #abort({ paths = [], hunks = [] }: Pick<Asked<'abort'>, 'paths' | 'hunks'> = {}): Promise<Replies['abort']> {
    // Of a part it is a travel: there is a way back, also to what could not be stored yet.
    await storeAll(this.#view, paths.length + hunks.length === 0 ? 'telling' : 'strict');
    const done = await this.#view.worker.order('abort', { paths, hunks });
    this.#view.position.marked(done.generation);
    await showChanges(this.#view, done);
    // What aborts before the last ten have given up goes; nobody waits for that.
    this.#view.care.collector.collectLater(this.turns, 'an abort');
    this.#view.requests.catchUp(this.#view.files.journal);
    return { changes: done.changes, along: done.along };
  }

  async #collect({ dropAbandoned, keepLast, maxSize, dryRun }: Asked<'gc'>): Promise<Replies['gc']> {
    await storeAll(this.#view, 'tolerant');
    await this.#view.care.keeper.idle();
    return this.#view.care.collector.collect({ dropAbandoned, keepLast, maxSize }, dryRun);
  }

  /** What it put into the base is copied back, and the oldest originals may go; nobody waits for that. */
  #afterCommit(changes: number): void {
    const { care, requests, files } = this.#view;
    const { collector, count, keeper } = care;
    keeper.start(changes);
    requests.catchUp(files.journal);
    void keeper.idle().then(() => count.recount());
    if (collector.hasOldCommits) collector.collectLater(this.turns, 'a commit');
  }
}

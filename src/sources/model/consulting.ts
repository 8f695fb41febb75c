/**
 * One source that a model answers for, in the thread that serves the view: what is being asked, what follows from an answer, and
 * which files were written since the model was told.
 */
import type { Caller, Ticket } from '../../fuse/filesystem.ts';
import { LATER } from '../../fuse/filesystem.ts';
import type { BytePath } from '../../sys/bytes.ts';
import { type Errno, OK } from '../../sys/errno.ts';
import type { SourceFault } from '../source.ts';
import { AskedQueue } from './asked.ts';
import type { Files, Touched } from './files.ts';
import type { Effect, ModelOutcome, Operation, Scene } from './model.ts';
import { Planned } from './planned.ts';
import { sceneOf } from './scene.ts';

/** Where the model is, and what must be known of what it did. */
export interface ModelLink {
  /** Asks in another thread; `settle` is called with what comes of it. */
  ask(operation: Operation, scene: Scene): void;
  giveUp(): void;
  /** The kernel must forget what it knows of these. */
  changed(touched: readonly Touched[]): void;
  resume(ticket: Ticket): void;
  /** An operation was refused, or could not be answered: for `audit`. */
  refused(operation: Operation, fault: SourceFault, pid: number): void;
}

/** Milliseconds after the last write for which a file counts as being written. */
const QUIET_MS = 50;

type Ids = Pick<Caller, 'uid' | 'gid' | 'pid'>;

export class Consulting {
  readonly at: BytePath;
  readonly planned = new Planned();
  readonly #files: Files;
  readonly #link: ModelLink;
  readonly #queue: AskedQueue;
  /** On whose behalf effects are staged: who asked last. */
  #ids: Ids = { uid: 0, gid: 0, pid: 0 };
  #asking: Operation | undefined;
  /** Files that were written, and not yet told of. */
  readonly #written = new Set<string>();
  /** Files that were written since the model was asked what it is asked now: its answer knows nothing of that. */
  readonly #unseen = new Set<string>();
  #lastWrite = 0;

  constructor(at: BytePath, files: Files, link: ModelLink) {
    this.at = at;
    this.#files = files;
    this.#link = link;
    this.#queue = new AskedQueue({
      ask: (operation) => this.#ask(operation),
      giveUp: () => link.giveUp(),
      resume: (ticket) => link.resume(ticket),
    });
  }

  /**
   * Does what a request wants, once the model has been asked for it: LATER until then, an errno if it refuses. What follows
   * from it is staged after `act`.
   */
  before<T extends object | Errno>(operation: Operation, caller: Caller, act: () => T | Errno): T | Errno {
    const outcome = this.#queue.take(caller.ticket);
    if (outcome === undefined) {
      this.#ids = { uid: caller.uid, gid: caller.gid, pid: caller.pid };
      this.#tellWritten();
      this.#queue.add(operation, caller.ticket);
      return LATER;
    }
    const done = this.#carryOut(operation, outcome, { caller, act });
    if (done === LATER) this.#queue.putBack(caller.ticket, outcome);
    else this.#queue.proceed();
    return done;
  }

  /** A request was answered without its outcome. */
  served(ticket: Ticket): void {
    if (this.#queue.take(ticket) !== undefined) this.#queue.proceed();
  }

  /** LATER while it is not known what writes mean for other files, of which `path` is one; else OK. */
  settled(path: string, caller: Caller): Errno {
    if (this.#queue.take(caller.ticket) !== undefined) {
      this.#queue.proceed();
      return OK;
    }
    if (this.#written.has(path)) return OK;
    this.#tellWritten();
    return this.#queue.join('written', caller.ticket) ? LATER : OK;
  }

  /** Something was written to a file. */
  wrote(path: string): void {
    this.#written.add(path);
    this.#unseen.add(path);
    this.#lastWrite = performance.now();
  }

  /** Tells the model what was written, once nobody goes on writing. Milliseconds until this matters again, -1: nothing waits. */
  tick(): number {
    if (this.#written.size === 0) return -1;
    const left = this.#lastWrite + QUIET_MS - performance.now();
    if (left > 0) return Math.ceil(left);
    this.#tellWritten();
    return -1;
  }

  withdraw(ticket: Ticket): void {
    this.#queue.withdraw(ticket);
  }

  /** What the model answered to what it was asked last. */
  settle(outcome: ModelOutcome): void {
    const operation = this.#asking;
    this.#asking = undefined;
    if (operation === undefined) return;
    // What is read must be there before it is read; what changes something takes place first, and has its effects then.
    const isReading = operation.kind === 'find' || operation.kind === 'list' || operation.kind === 'written';
    if (!isReading || 'errno' in outcome) {
      if (operation.kind === 'written' && 'errno' in outcome) this.#link.refused(operation, outcome, this.#ids.pid);
      this.#queue.settle(outcome);
      return;
    }
    this.#stage(outcome.effects);
    if (operation.kind === 'list') this.planned.set(operation.path, outcome.names);
    this.#queue.settle({ ...outcome, effects: [] });
  }

  #carryOut<T extends object | Errno>(
    operation: Operation,
    outcome: ModelOutcome,
    { caller, act }: { readonly caller: Caller; readonly act: () => T | Errno },
  ): T | Errno {
    const fault = 'errno' in outcome ? outcome : outcome.refusal;
    if (fault !== undefined) {
      this.#link.refused(operation, fault, caller.pid);
      return fault.errno;
    }
    const done = act();
    const isDone = typeof done === 'object' || done === OK;
    if (isDone && 'effects' in outcome) this.#stage(outcome.effects);
    return done;
  }

  #tellWritten(): void {
    for (const path of this.#written) this.#queue.add({ kind: 'written', path });
    this.#written.clear();
  }

  #ask(operation: Operation): void {
    this.#asking = operation;
    this.#unseen.clear();
    this.#link.ask(operation, sceneOf(this.#files, operation.path));
  }

  /** What cannot be staged (a directory that is not empty, a name that is a link) is left out: nobody waits for it. */
  #stage(effects: readonly Effect[]): void {
    const caller: Caller = { ...this.#ids, ticket: 0 as Ticket };
    const touched: Touched[] = [];
    for (const effect of effects) {
      if (this.#unseen.has(effect.path)) continue;
      const done = this.#stageOne(effect, caller);
      if (typeof done !== 'number') touched.push(...done);
    }
    if (touched.length > 0) this.#link.changed(touched);
  }

  #stageOne(effect: Effect, caller: Caller): Touched[] | Errno {
    switch (effect.kind) {
      case 'file':
        return this.#files.write(effect.path, effect.content, caller);
      case 'directory':
        return this.#files.mkdir(effect.path, caller);
      case 'remove':
        return this.#files.remove(effect.path, caller);
    }
  }
}

/**
 * Questions as they come from the daemon, put to a person one after the other, and between them the commits that an agent
 * asks for. What is decided elsewhere meanwhile is taken from the person again. A process waits for each question and nobody
 * for a commit, so a question takes the place of one that is being looked at.
 */
import type { Client } from '../../daemon/client.ts';
import type { EventLine, ShownQuestion } from '../../daemon/protocol.ts';
import type { CommitRequest } from '../../daemon/requests/commit-request.ts';
import { label } from '../../sys/bytes.ts';
import type { Choice } from './question-text.ts';

/**
 * `leave`: the end of input, or Ctrl-C, which answers nothing: whoever else was asked still may. `cannot`: this question cannot be put to
 * anybody here.
 */
export type Said = Choice | 'leave' | 'cannot';

export interface Prompter {
  /** Puts a question to the person; what it resolves to after `signal`, whose reason says who decided, does not matter. */
  ask(question: ShownQuestion, signal: AbortSignal): Promise<Said>;
  /** Tells the person a line. */
  tell(text: string): void;
}

/**
 * Shows a person a commit that an agent asks for, and does as they say; resolves to whether they leave. Once `signal` is
 * aborted it does nothing any more.
 */
export type CommitDecider = (request: CommitRequest, sight: Sight) => Promise<'leave' | 'done'>;

export interface Sight {
  readonly signal: AbortSignal;
  /** Says whether it is being carried out: that it is decided is no news then, and nothing takes its place. */
  busy(isBusy: boolean): void;
}

type Item = { readonly question: ShownQuestion } | { readonly request: CommitRequest };

interface Current {
  /** Undefined when it is being carried out. */
  item: Item | undefined;
  readonly abort: AbortController;
}

export class PromptQueue {
  /** Resolves when the person leaves; rejects when an answer cannot be given. */
  readonly left: Promise<void>;
  readonly #daemon: Client;
  readonly #prompter: Prompter;
  readonly #decide: CommitDecider | undefined;
  readonly #queue: Item[] = [];
  #current: Current | undefined;
  #isLeaving = false;
  #leave: () => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;

  /** Without `decide`, commits that are asked for are left to others. */
  constructor(daemon: Client, prompter: Prompter, decide?: CommitDecider) {
    this.#daemon = daemon;
    this.#prompter = prompter;
    this.#decide = decide;
    this.left = new Promise((resolve, reject) => {
      this.#leave = resolve;
      this.#fail = reject;
    });
  }

  /** There will be no more answers; what is asked just then is looked after first. */
  leave(): void {
    this.#isLeaving = true;
    if (this.#current === undefined) this.#leave();
  }

  hear(line: EventLine): void {
    if ('question' in line) this.#hearQuestion(line.question);
    else if ('request' in line) this.#hearRequest(line.request);
    else if ('settled' in line) {
      const { id, state } = line.settled;
      this.#forget((item) => 'request' in item && item.request.id === id, `${state} elsewhere`);
    } else {
      const { id, how, by } = line.closed;
      const news = how === 'withdrawn' ? 'nobody waits for it any more' : `${how}: ${label(by ?? '?')}`;
      this.#forget((item) => 'question' in item && item.question.id === id, news, by);
    }
  }

  #hearQuestion(question: ShownQuestion): void {
    const item = this.#current?.item;
    const waiting = this.#queue.findIndex((other) => 'request' in other);
    this.#queue.splice(waiting < 0 ? this.#queue.length : waiting, 0, { question });
    if (this.#current === undefined) this.#next();
    else if (item !== undefined && 'request' in item) {
      // It is looked at again afterwards.
      this.#queue.push(item);
      this.#prompter.tell('a question comes first:');
      this.#current.abort.abort();
    }
  }

  #hearRequest(request: CommitRequest): void {
    if (this.#decide === undefined) return;
    this.#queue.push({ request });
    if (this.#current === undefined) this.#next();
  }

  /** It is decided, or withdrawn. */
  #forget(isMeant: (item: Item) => boolean, news: string, by?: string): void {
    const waiting = this.#queue.findIndex(isMeant);
    if (waiting >= 0) this.#queue.splice(waiting, 1);
    const item = this.#current?.item;
    if (this.#current === undefined || item === undefined || !isMeant(item)) return;
    this.#current.abort.abort(by);
    this.#prompter.tell(news);
  }

  #next(): void {
    const item = this.#queue.shift();
    if (item === undefined) {
      this.#current = undefined;
      if (this.#isLeaving) this.#leave();
      return;
    }
    const abort = new AbortController();
    const current = { item, abort };
    this.#current = current;
    const put = 'question' in item ? this.#put(item.question, current) : this.#show(item, current);
    put.then((said) => (said === 'leave' ? this.#leave() : this.#next())).catch((error: unknown) => this.#fail(error));
  }

  async #put(question: ShownQuestion, current: Current): Promise<'leave' | 'done'> {
    const { signal } = current.abort;
    const said = await Promise.race([this.#prompter.ask(question, signal), aborted(signal)]);
    // From here on it is decided: that the daemon says so, too, is no news.
    current.item = undefined;
    if (said !== undefined && said !== 'leave') await this.#carryOut(question, said);
    return said === 'leave' ? 'leave' : 'done';
  }

  async #show(item: Extract<Item, { request: unknown }>, current: Current): Promise<'leave' | 'done'> {
    const { signal } = current.abort;
    const busy = (isBusy: boolean): void => {
      current.item = isBusy ? undefined : item;
    };
    return (await Promise.race([this.#decide?.(item.request, { signal, busy }), aborted(signal)])) ?? 'done';
  }

  async #carryOut({ id }: ShownQuestion, said: Exclude<Said, 'leave'>): Promise<void> {
    if (said === 'cannot') {
      await this.#daemon.request({ op: 'decline', id });
      return;
    }
    const { accepted, notice } = await this.#daemon.request({ op: 'answer', id, ...said });
    if (!accepted) this.#prompter.tell('too late: it was decided before');
    if (notice !== undefined) this.#prompter.tell(notice);
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined));
  });
}

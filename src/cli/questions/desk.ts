/**
 * Questions as they come from the daemon, put to a person one after the other. What is decided elsewhere meanwhile is taken
 * from the person again.
 */
import type { Client } from '../../daemon/client.ts';
import type { EventLine, ShownQuestion } from '../../daemon/protocol.ts';
import { label } from '../../sys/bytes.ts';
import type { Choice } from './question-text.ts';

/** `leave`: the end of input, or Ctrl-C; `cannot`: this question cannot be put to anybody here. */
export type Said = Choice | 'leave' | 'cannot';

export interface Prompter {
  /** Puts a question to the person; what it resolves to after `signal` does not matter. */
  ask(question: ShownQuestion, signal: AbortSignal): Promise<Said>;
  /** Tells the person a line. */
  tell(text: string): void;
}

export class Desk {
  /** Resolves when the person leaves; rejects when an answer cannot be given. */
  readonly left: Promise<void>;
  readonly #daemon: Client;
  readonly #prompter: Prompter;
  readonly #queue: ShownQuestion[] = [];
  #current: { readonly id: number; readonly abort: AbortController } | undefined;
  #leave: () => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;

  constructor(daemon: Client, prompter: Prompter) {
    this.#daemon = daemon;
    this.#prompter = prompter;
    this.left = new Promise((resolve, reject) => {
      this.#leave = resolve;
      this.#fail = reject;
    });
  }

  /** The person has left; what is asked just then is denied first. */
  leave(): void {
    if (this.#current === undefined) this.#leave();
  }

  hear(line: EventLine): void {
    if ('question' in line) {
      this.#queue.push(line.question);
      if (this.#current === undefined) this.#next();
      return;
    }
    const { id, how, by } = line.closed;
    const waiting = this.#queue.findIndex((question) => question.id === id);
    if (waiting >= 0) this.#queue.splice(waiting, 1);
    if (this.#current?.id !== id) return;
    this.#current.abort.abort();
    this.#prompter.tell(how === 'withdrawn' ? 'nobody waits for it any more' : `${how}: ${label(by ?? '?')}`);
  }

  #next(): void {
    const question = this.#queue.shift();
    if (question === undefined) {
      this.#current = undefined;
      return;
    }
    this.#put(question).catch((error: unknown) => this.#fail(error));
  }

  async #put(question: ShownQuestion): Promise<void> {
    const abort = new AbortController();
    this.#current = { id: question.id, abort };
    const closed = new Promise<undefined>((resolve) => {
      abort.signal.addEventListener('abort', () => resolve(undefined));
    });
    const said = await Promise.race([this.#prompter.ask(question, abort.signal), closed]);
    // From here on it is decided: that the daemon says so, too, is no news.
    this.#current = { id: -1, abort };
    if (said !== undefined) await this.#carryOut(question, said);
    if (said === 'leave') this.#leave();
    else this.#next();
  }

  async #carryOut({ id }: ShownQuestion, said: Said): Promise<void> {
    if (said === 'cannot') {
      await this.#daemon.request({ op: 'decline', id });
      return;
    }
    const choice = said === 'leave' ? { allow: false } : said;
    const { accepted, notice } = await this.#daemon.request({ op: 'answer', id, ...choice });
    if (!accepted) this.#prompter.tell('too late: it was decided before');
    if (notice !== undefined) this.#prompter.tell(notice);
  }
}

/**
 * What a model is asked, one operation after the other: each is answered from what the ones before made. Those who want
 * the same wait for the same answer. Knows tickets, and nothing of files.
 */
import type { Ticket } from '../../fuse/filesystem.ts';
import type { ModelOutcome, Operation } from './model.ts';

export interface Asked {
  readonly operation: Operation;
  /** Who waits; empty for what nobody waits for. */
  readonly tickets: Set<Ticket>;
}

export interface AskedOwner {
  /** Asks the model; `outcome` is told later. */
  ask(operation: Operation): void;
  /** The operation that is under way is not worth an answer any more. */
  giveUp(): void;
  /** Has a request served anew. */
  resume(ticket: Ticket): void;
}

export class AskedQueue {
  readonly #owner: AskedOwner;
  readonly #waiting: Asked[] = [];
  readonly #answered = new Map<Ticket, ModelOutcome>();
  #current: Asked | undefined;

  constructor(owner: AskedOwner) {
    this.#owner = owner;
  }

  /** What came of the operation of a request, once; undefined: it is being asked, or was not asked yet. */
  take(ticket: Ticket): ModelOutcome | undefined {
    const outcome = this.#answered.get(ticket);
    this.#answered.delete(ticket);
    return outcome;
  }

  /** Asks the next operation, if what was answered before has taken place. */
  proceed(): void {
    if (this.#current !== undefined || this.#answered.size > 0) return;
    this.#current = this.#waiting.shift();
    if (this.#current !== undefined) this.#owner.ask(this.#current.operation);
  }

  /** Asks for a request, or for nobody. */
  add(operation: Operation, ticket?: Ticket): void {
    const same = this.#find(operation) ?? this.#push(operation);
    if (ticket !== undefined) same.tickets.add(ticket);
    this.proceed();
  }

  /** Makes a request wait for the last that is to be asked of a kind; false: there is none. */
  join(kind: Operation['kind'], ticket: Ticket): boolean {
    const last = [this.#current, ...this.#waiting].findLast((asked) => asked?.operation.kind === kind);
    last?.tickets.add(ticket);
    return last !== undefined;
  }

  /** What a request has taken did not come about yet: it will be served once more. */
  putBack(ticket: Ticket, outcome: ModelOutcome): void {
    this.#answered.set(ticket, outcome);
  }

  /** What the model answered to the operation that is under way. */
  settle(outcome: ModelOutcome): void {
    const tickets = this.#current?.tickets ?? [];
    this.#current = undefined;
    for (const ticket of tickets) this.#answered.set(ticket, outcome);
    for (const ticket of tickets) this.#owner.resume(ticket);
    this.proceed();
  }

  /** Whoever asked was interrupted. */
  withdraw(ticket: Ticket): void {
    this.#answered.delete(ticket);
    for (const asked of [...this.#waiting, ...(this.#current === undefined ? [] : [this.#current])]) {
      const isLeft = asked.tickets.delete(ticket) && asked.tickets.size === 0;
      // What was written has its consequences, whoever waits.
      if (!isLeft || asked.operation.kind === 'written') continue;
      if (asked === this.#current) this.#owner.giveUp();
      else this.#waiting.splice(this.#waiting.indexOf(asked), 1);
    }
    this.proceed();
  }

  #find(operation: Operation): Asked | undefined {
    if (operation.kind === 'written') return undefined;
    const isSame = (asked: Asked | undefined): boolean =>
      asked?.operation.kind === operation.kind && sameKey(asked.operation, operation);
    return isSame(this.#current) ? this.#current : this.#waiting.find(isSame);
  }

  #push(operation: Operation): Asked {
    const asked = { operation, tickets: new Set<Ticket>() };
    this.#waiting.push(asked);
    return asked;
  }
}

function sameKey(a: Operation, b: Operation): boolean {
  return a.path === b.path && (a.kind !== 'rename' || b.kind !== 'rename' || a.to === b.to);
}

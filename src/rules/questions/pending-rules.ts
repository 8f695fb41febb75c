/**
 * Answers for always that are no rules yet: to make one takes a moment, and who asks meanwhile about what it will decide is
 * held until it is there, instead of being a question again.
 */
import type { Ticket } from '../../fuse/filesystem.ts';
import { type BytePath, isWithin } from '../../sys/bytes.ts';

/** Milliseconds after which a rule is not waited for any more. */
const LONGEST_MS = 10_000;

export class PendingRules {
  /** Until when, by path; an answer for the same path twice counts twice. */
  readonly #rules: { readonly path: BytePath; readonly until: number }[] = [];
  readonly #held = new Set<Ticket>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How many requests are held. */
  get size(): number {
    return this.#held.size;
  }

  begin(path: BytePath): void {
    this.#rules.push({ path, until: this.#now() + LONGEST_MS });
  }

  /** The rule is there, or will not be; returns the requests that have to ask again. */
  end(path: BytePath): readonly Ticket[] {
    const at = this.#rules.findIndex((rule) => rule.path === path);
    if (at >= 0) this.#rules.splice(at, 1);
    return this.#release();
  }

  /** Gives up rules that do not come; returns as `end`. */
  expire(): readonly Ticket[] {
    const [oldest] = this.#rules;
    if (oldest === undefined || oldest.until > this.#now()) return [];
    this.#rules.shift();
    return this.#release();
  }

  /** Whether `ticket` is held, because a rule that will decide about `path` is on its way. */
  holds(path: BytePath, ticket: Ticket): boolean {
    if (!this.#rules.some((rule) => isWithin(path, rule.path))) return false;
    this.#held.add(ticket);
    return true;
  }

  /** Milliseconds until `expire` matters, -1 = nothing is on its way. */
  get left(): number {
    const [oldest] = this.#rules;
    return oldest === undefined ? -1 : Math.max(0, oldest.until - this.#now());
  }

  withdraw(ticket: Ticket): void {
    this.#held.delete(ticket);
  }

  #release(): readonly Ticket[] {
    const tickets = [...this.#held];
    this.#held.clear();
    return tickets;
  }
}

/**
 * What waits for a person's answer: one question for all accesses of one kind to one path, in the order in which they
 * came. Pure: it knows neither clocks nor sockets, and whoever owns it says when time has passed and who listens.
 *
 *     ask ──▶ nobody listens, too many wait: decided at once
 *         ──▶ `later`: the question is open ──answer, timeout, nobody left──▶ settled ──▶ every request is resumed,
 *                                            └─interrupted: gone, when nobody waits     asks again, and gets its verdict
 */
import type { Ticket } from '../../fuse/filesystem.ts';
import { type BytePath, isWithin } from '../../sys/bytes.ts';
import type { Asker, Decider, GatedOp, Question, Verdict } from '../asker.ts';
import type { Access } from '../states.ts';
import { PendingRules } from './pending-rules.ts';
import { Verdicts } from './verdicts.ts';

/** Numbers of questions count from 1 and are never used again while the owner lives. */
export type QuestionId = number & { readonly __brand: 'QuestionId' };

export interface OpenQuestion {
  readonly id: QuestionId;
  readonly path: BytePath;
  readonly access: Access;
  readonly op: GatedOp;
  readonly rule: Decider;
  /** The thread that asked first. */
  readonly pid: number;
}

/** As yet without a number. */
export type AskedNow = Omit<OpenQuestion, 'id'>;

/** What somebody says to a question; `always`: it is to be a rule from now on, for the path or a directory above it. */
export interface Answer {
  readonly allow: boolean;
  readonly always?: BytePath;
}

/** Who or what decided. A front end's own name is text of the client's. */
export type DecidedBy =
  | { readonly kind: 'person'; readonly front: string }
  /** Nobody listened; nobody answered in time; whoever was asked hung up; too many questions were open. */
  | { readonly kind: 'nobody' | 'timeout' | 'hung-up' | 'too-many' };

export interface Decision {
  readonly question: AskedNow;
  readonly allow: boolean;
  readonly always?: BytePath;
  readonly by: DecidedBy;
}

export type Closing = { readonly decision: Decision } | 'withdrawn';

export interface QuestionsOwner {
  /** Whether there is anybody to ask about this. */
  isHeard(question: AskedNow): boolean;
  /** A new question is open, the last in the row. */
  opened(question: OpenQuestion): void;
  /** It is no more: decided, or nobody waits for it. */
  closed(id: QuestionId, closing: Closing): void;
  /** Makes a decision count. False: it could not be written down, and the access is refused. */
  decide(decision: Decision): boolean;
  /** Has a request served anew; called from methods other than `ask` and `withdraw` alone. */
  resume(ticket: Ticket): void;
}

export interface AskSettings {
  /** Milliseconds for an answer. */
  readonly timeout: number;
  /** What is decided when there is none. */
  readonly allow: boolean;
}

/** Nobody answers more; what is beyond is refused. */
export const MOST_QUESTIONS = 1024;
/** Requests that may wait for all questions together. */
export const MOST_WAITING = 4096;

/**
 * Milliseconds for which a question whose last asker was interrupted stays: a signal that a program has a handler for interrupts
 * it as well, and many then try again by themselves.
 */
const RETRY_MS = 300;

interface Open {
  readonly question: OpenQuestion;
  readonly since: number;
  /** Who waits, and in which thread. */
  readonly waiting: Map<Ticket, number>;
}

export class Questions implements Asker {
  /** By kind of access and path; the oldest first. */
  readonly #open = new Map<string, Open>();
  readonly #byId = new Map<QuestionId, Open>();
  readonly #byTicket = new Map<Ticket, Open>();
  /** Questions that nobody waits for just now, and until when they stay. */
  readonly #left = new Map<Open, number>();
  readonly #verdicts: Verdicts;
  readonly #pendingRules: PendingRules;
  readonly #owner: QuestionsOwner;
  readonly #now: () => number;
  #settings: AskSettings;
  #lastId = 0;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(owner: QuestionsOwner, settings: AskSettings, now: () => number = () => performance.now()) {
    this.#owner = owner;
    this.#settings = settings;
    this.#now = now;
    this.#verdicts = new Verdicts(now);
    this.#pendingRules = new PendingRules(now);
  }

  /** The open questions, the oldest first. */
  get open(): readonly OpenQuestion[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  /** The question that a request waits for. */
  of(ticket: Ticket): QuestionId | undefined {
    return this.#byTicket.get(ticket)?.question.id;
  }

  /** How many requests wait. */
  get waiting(): number {
    return this.#byTicket.size + this.#pendingRules.size;
  }

  /** They count for the questions that are open, too. */
  configure(settings: AskSettings): void {
    this.#settings = settings;
  }

  ask(question: Question): Verdict {
    const { path, access, caller } = question;
    const known = this.#verdicts.of(caller, access, path);
    if (known !== undefined) return known ? 'pass' : 'refuse';
    if (this.waiting < MOST_WAITING && this.#pendingRules.holds(path, caller.ticket)) return 'later';
    const asked = { path, access, op: question.op, rule: question.rule, pid: caller.pid };
    if (!this.#owner.isHeard(asked)) return this.#atOnce(asked, this.#settings.allow, 'nobody');
    const key = `${access} ${path}`;
    const isFull = this.#open.size >= MOST_QUESTIONS && !this.#open.has(key);
    if (isFull || this.waiting >= MOST_WAITING) return this.#atOnce(asked, false, 'too-many');
    const open = this.#open.get(key) ?? this.#begin(key, asked);
    open.waiting.set(caller.ticket, caller.pid);
    this.#left.delete(open);
    this.#byTicket.set(caller.ticket, open);
    return 'later';
  }

  /** Somebody decides a question; false: it is not open, or `always` is no path above what was asked about. */
  answer(id: QuestionId, { allow, always }: Answer, front: string): boolean {
    const open = this.#byId.get(id);
    if (open === undefined) return false;
    if (always !== undefined && !isWithin(open.question.path, always)) return false;
    if (always !== undefined) this.#pendingRules.begin(always);
    this.#close(open, { allow, by: { kind: 'person', front }, ...(always === undefined ? {} : { always }) });
    return true;
  }

  /** What was answered for always is a rule now, or cannot be. */
  remembered(path: BytePath): void {
    for (const ticket of this.#pendingRules.end(path)) this.#owner.resume(ticket);
  }

  /** Nobody who was asked these will answer: they hung up, which refuses, or they cannot. */
  giveUp(ids: readonly QuestionId[], kind: 'hung-up' | 'nobody'): void {
    for (const id of ids) {
      const open = this.#byId.get(id);
      if (open !== undefined) this.#close(open, { allow: kind === 'nobody' && this.#settings.allow, by: { kind } });
    }
  }

  /** Somebody came or left: what nobody is there for any more is decided as the settings say. */
  heardChanged(): void {
    const unheard = this.open.filter((question) => !this.#owner.isHeard(question));
    this.giveUp(
      unheard.map(({ id }) => id),
      'nobody',
    );
  }

  /** Time has passed. Returns the milliseconds until it matters again, -1 = nothing is open. */
  expire(): number {
    for (const ticket of this.#pendingRules.expire()) this.#owner.resume(ticket);
    const waits = [this.#expireLeft(), this.#expireOpen(), this.#pendingRules.left].filter((left) => left >= 0);
    return waits.length === 0 ? -1 : Math.min(...waits);
  }

  /** The rules are others now: what they decide by now waits no longer. What is still to be asked stays open. */
  rulesChanged(): void {
    const all = [...this.#open.values()];
    const tickets = all.flatMap(({ waiting }) => [...waiting.keys()]);
    for (const { waiting } of all) waiting.clear();
    this.#byTicket.clear();
    for (const ticket of tickets) this.#owner.resume(ticket);
    for (const open of all) this.#closeIfAlone(open);
  }

  /** A request waits no more: interrupted, or the view has ended. A question that nobody waits for is gone. */
  withdraw(ticket: Ticket): void {
    this.#pendingRules.withdraw(ticket);
    const open = this.#byTicket.get(ticket);
    if (open === undefined) return;
    this.#byTicket.delete(ticket);
    open.waiting.delete(ticket);
    if (open.waiting.size === 0) this.#left.set(open, this.#now() + RETRY_MS);
  }

  #expireLeft(): number {
    for (const [open, until] of this.#left) {
      if (until > this.#now()) return until - this.#now();
      this.#closeIfAlone(open);
    }
    return -1;
  }

  #expireOpen(): number {
    for (const open of this.#open.values()) {
      const left = open.since + this.#settings.timeout - this.#now();
      if (left > 0) return left;
      this.#close(open, { allow: this.#settings.allow, by: { kind: 'timeout' } });
    }
    return -1;
  }

  #begin(key: string, asked: AskedNow): Open {
    this.#lastId += 1;
    const question = { id: this.#lastId as QuestionId, ...asked };
    const open: Open = { question, since: this.#now(), waiting: new Map() };
    this.#open.set(key, open);
    this.#byId.set(question.id, open);
    this.#owner.opened(question);
    return open;
  }

  #atOnce(question: AskedNow, allow: boolean, kind: 'nobody' | 'too-many'): Verdict {
    return this.#owner.decide({ question, allow, by: { kind } }) && allow ? 'pass' : 'refuse';
  }

  #close(open: Open, decided: Omit<Decision, 'question'>): void {
    const { question, waiting } = open;
    if (!this.#remove(open)) return;
    const decision = { question, ...decided };
    const counts = this.#owner.decide(decision);
    const allow = counts && decided.allow;
    for (const [ticket, pid] of waiting) {
      this.#byTicket.delete(ticket);
      this.#verdicts.note({ ticket, pid }, question, allow);
    }
    this.#owner.closed(question.id, { decision: { ...decision, allow } });
    for (const ticket of waiting.keys()) this.#owner.resume(ticket);
  }

  #closeIfAlone(open: Open): void {
    if (open.waiting.size === 0 && this.#remove(open)) this.#owner.closed(open.question.id, 'withdrawn');
  }

  /** False when it was removed before. */
  #remove(open: Open): boolean {
    const { id, access, path } = open.question;
    this.#left.delete(open);
    this.#open.delete(`${access} ${path}`);
    return this.#byId.delete(id);
  }
}

/**
 * Those who answer questions: clients that asked to be told of them, of all or of those of one run. The first answer wins, the
 * others are told that the question is closed. Who hangs up has denied what nobody else was asked.
 *
 *     FUSE thread ── asked ──▶ what process is it? ──▶ {"question":{…}} to each who listens
 *                 ◀─ answer, giveUp, listen ──         ◀── answer, decline, end of the connection
 */
import { lastingState } from '../../rules/questions/lasting.ts';
import type { QuestionId } from '../../rules/questions/questions.ts';
import type { State } from '../../rules/states.ts';
import { type BytePath, label } from '../../sys/bytes.ts';
import { log } from '../../sys/log.ts';
import { UserError } from '../../sys/user-error.ts';
import { failureOf } from '../failure.ts';
import type { FuseWorker } from '../fuse-worker.ts';
import type { EventLine, Replies, Request, ShownQuestion } from '../protocol.ts';
import type { CommitRequest } from '../requests/commit-request.ts';
import type { AskedQuestion, AskingMessage } from './messages.ts';
import { describeProcess } from './process-words.ts';

type Asked<Op extends Request['op']> = Extract<Request, { op: Op }>;

interface Listener {
  readonly front: string;
  /** Undefined: questions of all runs are its business. */
  readonly run: number | undefined;
  readonly tell: (line: EventLine) => void;
}

interface Entry {
  readonly question: AskedQuestion;
  /** Who was told and may still answer. */
  readonly told: Set<Listener>;
  /** Undefined until it is known whose question it is. */
  shown: ShownQuestion | undefined;
}

/** What a client's front end is called in the journal. */
const FRONT = /^[a-z][a-z0-9 .:-]{0,39}$/;

export interface WatcherOptions {
  readonly worker: FuseWorker;
  /** Until a question is decided without an answer. */
  seconds(): number;
  /** Makes it a rule for good. Rejects with a UserError or SystemError. */
  remember(path: BytePath, state: State): Promise<void>;
  /** The commits that wait for a person. */
  requests(): readonly CommitRequest[];
}

export class Watchers {
  readonly #worker: FuseWorker;
  readonly #options: WatcherOptions;
  readonly #listeners = new Set<Listener>();
  readonly #open = new Map<QuestionId, Entry>();

  constructor(options: WatcherOptions) {
    this.#worker = options.worker;
    this.#options = options;
  }

  /** How many listen: for what may run later, too. */
  get size(): number {
    return this.#listeners.size;
  }

  /** A client's place, from which it may begin to listen. */
  subscribe(tell: (line: EventLine) => void): Subscriber {
    return new Subscriber(this, tell);
  }

  /** The FUSE thread has news. */
  hear(message: AskingMessage): void {
    if (message.event === 'asked') {
      const entry: Entry = { question: message.question, told: new Set(), shown: undefined };
      this.#open.set(message.question.id, entry);
      void this.#show(entry).catch((error: Error) => log(`question ${message.question.id}: ${error.message}`));
      return;
    }
    const { id, closing } = message;
    const told = this.#open.get(id)?.told ?? [];
    this.#open.delete(id);
    for (const { tell } of told) tell({ closed: closedLine(id, closing) });
  }

  async join(listener: Listener): Promise<void> {
    this.#listeners.add(listener);
    await this.#sendListening();
    for (const entry of this.#open.values()) this.#offer(entry, listener);
    if (listener.run === undefined) for (const request of this.#options.requests()) listener.tell({ request });
  }

  /** Tells those who listen to more than one run. */
  announce(line: EventLine): void {
    for (const { run, tell } of this.#listeners) if (run === undefined) tell(line);
  }

  async leave(listener: Listener): Promise<void> {
    if (!this.#listeners.delete(listener)) return;
    const alone = [...this.#open].filter(([, { told }]) => told.delete(listener) && told.size === 0);
    if (alone.length > 0) {
      await this.#worker.order('giveUp', { ids: alone.map(([id]) => id), kind: 'hung-up' });
    }
    await this.#sendListening();
  }

  /** Somebody was told and cannot answer. */
  async decline(listener: Listener, id: QuestionId): Promise<void> {
    const told = this.#open.get(id)?.told;
    if (told?.delete(listener) === true && told.size === 0) {
      await this.#worker.order('giveUp', { ids: [id], kind: 'nobody' });
    }
  }

  /** Who waits has its answer before the rule is there, and even if it cannot be. */
  async answer({ front }: Listener, { id, allow, always }: Asked<'answer'>): Promise<Replies['answer']> {
    const question = this.#open.get(id as QuestionId)?.question;
    const answer = { allow, ...(always === undefined ? {} : { always }) };
    const reply = await this.#worker.order('answer', { id: id as QuestionId, answer, front });
    if (!reply.accepted || always === undefined || question === undefined) return reply;
    try {
      await this.#options.remember(always, lastingState(question.rule.state, question.access, allow));
      return reply;
    } catch (error) {
      return { ...reply, notice: `it counts until the daemon ends only: ${failureOf(error).message}` };
    } finally {
      await this.#worker.order('remembered', { path: always });
    }
  }

  async #show(entry: Entry): Promise<void> {
    const { id, path, access, op, rule, pid, run } = entry.question;
    const { process, command } = await describeProcess(pid);
    const asked = { id, path, label: label(path), access, op, rule, pid, run, process, command };
    entry.shown = { ...asked, seconds: this.#options.seconds() };
    if (this.#open.get(id) !== entry) return;
    for (const listener of this.#listeners) this.#offer(entry, listener);
  }

  #offer({ question, told, shown }: Entry, listener: Listener): void {
    if (shown === undefined || told.has(listener)) return;
    if (listener.run !== undefined && listener.run !== question.run) return;
    told.add(listener);
    listener.tell({ question: shown });
  }

  async #sendListening(): Promise<void> {
    const listeners = [...this.#listeners];
    const runs = listeners.flatMap(({ run }) => (run === undefined ? [] : [run]));
    await this.#worker.order('listen', { all: listeners.some(({ run }) => run === undefined), runs });
  }
}

export type SubscriberRequest = Asked<'watch' | 'answer' | 'decline'>;

export function isForSubscriber(request: Request): request is SubscriberRequest {
  return request.op === 'watch' || request.op === 'answer' || request.op === 'decline';
}

/** One client's side. */
class Subscriber {
  readonly #watchers: Watchers;
  readonly #send: (line: EventLine) => void;
  #listener: Listener | undefined;

  constructor(watchers: Watchers, tell: (line: EventLine) => void) {
    this.#watchers = watchers;
    this.#send = tell;
  }

  /** Rejects with a UserError. */
  take(request: SubscriberRequest): Promise<Replies[SubscriberRequest['op']]> {
    switch (request.op) {
      case 'watch':
        return this.#watch(request);
      case 'answer':
        return this.#watchers.answer(this.#required, request);
      case 'decline':
        return this.#decline(request);
    }
  }

  async #watch({ front, run }: Asked<'watch'>): Promise<Replies['watch']> {
    if (this.#listener !== undefined) throw new UserError('this connection listens already');
    if (!FRONT.test(front)) throw new UserError("'front' is a short name in small letters");
    this.#listener = { front, run, tell: this.#send };
    await this.#watchers.join(this.#listener);
    return {};
  }

  async #decline({ id }: Asked<'decline'>): Promise<Replies['decline']> {
    await this.#watchers.decline(this.#required, id as QuestionId);
    return {};
  }

  /** The connection is gone. */
  left(): void {
    const listener = this.#listener;
    this.#listener = undefined;
    if (listener === undefined) return;
    // At the end of the daemon there is nobody left to tell.
    this.#watchers.leave(listener).catch((error: Error) => log(`watch: ${error.message}`));
  }

  get #required(): Listener {
    if (this.#listener === undefined) throw new UserError("this connection does not listen: 'watch' comes first");
    return this.#listener;
  }
}

function closedLine(id: QuestionId, closing: Extract<AskingMessage, { event: 'settled' }>['closing']) {
  if (closing === 'withdrawn') return { id, how: 'withdrawn' } as const;
  const { allow, by, always } = closing.decision;
  const how = allow ? ('allowed' as const) : ('denied' as const);
  const who = by.kind === 'person' ? by.front : by.kind;
  return { id, how, by: who, ...(always === undefined ? {} : { always }) };
}

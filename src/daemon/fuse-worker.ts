/** The main thread's hold of the FUSE thread: orders as promises. */
import type { MessagePort } from 'node:worker_threads';
import type { Invalidation } from '../staging/invalidation.ts';
import { type Errno, SystemError } from '../sys/errno.ts';
import { closeAside } from '../sys/files/close-aside.ts';
import { close, eventfd, failed } from '../sys/libc.ts';
import { log } from '../sys/log.ts';
import type { Underway } from './debug/messages.ts';
import { DAEMON_MAIN } from './entries.ts';
import { errorOf, viewHasEnded } from './failure.ts';
import type { ThreadTask } from './fuse-thread.ts';
import { EarlyThread } from './life/early-thread.ts';
import type { LiveViewOptions } from './live-view.ts';
import type { Loaded } from './orders/answers.ts';
import type { Answer, OrderName, Orders, ThreadMessage } from './orders/orders.ts';
import { wake } from './orders/wake.ts';
import { sharedPlace } from './processor/shared-place.ts';
import { Watchdog } from './processor/watchdog.ts';
import type { Progress } from './protocol.ts';
import type { AskingMessage } from './questions/messages.ts';
import type { Wanted } from './sources/wanted.ts';
import { LargeCopies } from './store/large-copies.ts';

/** Orders to which it matters what has been written: what waits for a copy was. */
const AFTER_COPIES: ReadonlySet<OrderName> = new Set<OrderName>([
  'snapshot',
  'commit',
  'resolve',
  'travel',
  'undo',
  'undoAtOnce',
]);

interface Waiting {
  readonly name: OrderName | 'load';
  readonly since: number;
  resolve(answer: unknown): void;
  reject(error: Error): void;
  onProgress?(progress: Progress): void;
}

/** What the thread tells of its own accord. */
export interface News {
  /** The base changed outside. */
  changed(invalidations: readonly Invalidation[]): void;
  /** A question to people is open, or no longer. */
  asking(message: AskingMessage): void;
  /** The mount on the host is gone. */
  detached?(): void;
  /** A request, or a commit, waits for what a source says. */
  wanted?(message: Wanted): void;
}

/** The thread, as long as it waits for its FuseWorker. */
export type FuseThread = EarlyThread<ThreadTask>;

/** Starts the thread. */
export function startFuseThread(): FuseThread {
  return new EarlyThread(DAEMON_MAIN);
}

export class FuseWorker {
  /** Settles when the thread has ended: undefined, or the defect that ended it. */
  readonly ended: Promise<Error | undefined>;
  readonly #port: MessagePort;
  readonly #wakeFd: number;
  readonly #waiting = new Map<number, Waiting>();
  readonly #copies = new LargeCopies();
  readonly #loaded: Promise<Loaded>;
  readonly #news: News;
  readonly #watchdog: Watchdog | undefined;
  #onClosed: () => void = () => undefined;
  #lastId = 0;
  #isOver = false;

  /** The thread begins to load the session. */
  constructor(options: LiveViewOptions, news: News, thread: FuseThread) {
    this.#port = thread.port;
    this.#news = news;
    this.#wakeFd = eventfd();
    const errno = failed(this.#wakeFd);
    if (errno !== undefined) throw new SystemError('eventfd', errno);
    const place = sharedPlace();
    this.#watchdog = place && new Watchdog(place);
    thread.begin({ ...options, wakeFd: this.#wakeFd, place: place?.words });
    this.#loaded = new Promise((resolve, reject) => {
      const since = performance.now();
      this.#waiting.set(0, { name: 'load', since, resolve: resolve as (answer: unknown) => void, reject });
    });
    // Whoever waits hears of it; that nobody does is no defect of its own.
    this.#loaded.catch(() => undefined);
    this.ended = new Promise((resolve) => {
      this.#onClosed = () => resolve(undefined);
      thread.worker.once('error', (error) => resolve(error as Error));
      thread.worker.once('exit', () => resolve(undefined));
    });
    void this.ended.then(() => this.#finish());
    this.#port.on('message', (message: ThreadMessage) => this.#hear(message));
  }

  /** Resolves when the session is loaded; rejects with the UserError that tells why it cannot be. */
  get loaded(): Promise<Loaded> {
    return this.#loaded;
  }

  /** The orders that are not answered yet, in the order of their being carried out: the first is under way. */
  get unanswered(): readonly Underway[] {
    const now = performance.now();
    return [...this.#waiting.values()].map(({ name, since }) => ({ what: name, age: now - since }));
  }

  /** Gives an order; resolves to its answer. Rejects with a UserError, also when the thread ends before. */
  async order<Name extends OrderName>(
    name: Name,
    ask: Orders[Name]['ask'],
    onProgress: (progress: Progress) => void = () => undefined,
  ): Promise<Answer<Name>> {
    if (AFTER_COPIES.has(name)) await this.#copies.done();
    return this.#give(name, ask, onProgress);
  }

  /** Has it look around, where it may wait for something else than an order. */
  wake(): void {
    if (!this.#isOver) wake(this.#wakeFd);
  }

  #give<Name extends OrderName>(
    name: Name,
    ask: Orders[Name]['ask'],
    onProgress: (progress: Progress) => void,
  ): Promise<Answer<Name>> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) {
        reject(viewHasEnded());
        return;
      }
      const id = ++this.#lastId;
      const since = performance.now();
      this.#waiting.set(id, { name, since, resolve: resolve as (answer: unknown) => void, reject, onProgress });
      this.#port.postMessage({ id, name, ask });
      wake(this.#wakeFd);
    });
  }

  #hear(message: ThreadMessage): void {
    if ('event' in message) this.#hearEvent(message);
    else this.#hearAnswer(message);
  }

  #hearAnswer(message: Exclude<ThreadMessage, { event: string }>): void {
    const waiting = this.#waiting.get(message.id);
    if ('progress' in message) {
      waiting?.onProgress?.(message.progress);
      return;
    }
    this.#waiting.delete(message.id);
    if ('failure' in message) waiting?.reject(errorOf(message.failure));
    else waiting?.resolve(message.answer);
  }

  #hearEvent(message: Extract<ThreadMessage, { event: string }>): void {
    switch (message.event) {
      case 'changed':
        this.#news.changed(message.invalidations);
        return;
      case 'fetch':
      case 'consult':
      case 'ask':
        this.#news.wanted?.(message);
        return;
      case 'copy':
        void this.#copied(message.copy, this.#copies.make(message.job));
        return;
      case 'close':
        void this.#copied(message.copy, closeAside(message.fd));
        return;
      case 'asked':
      case 'settled':
        this.#news.asking(message);
        return;
      case 'follows':
        this.#watchdog?.watch(message.tid);
        return;
      case 'detached':
        this.#news.detached?.();
        return;
      case 'closed':
        this.#onClosed();
        return;
      case 'loaded':
        this.#waiting.get(0)?.resolve(message);
        this.#waiting.delete(0);
        return;
      case 'failed':
        this.#waiting.get(0)?.reject(errorOf(message.failure));
        this.#waiting.delete(0);
        return;
    }
  }

  async #copied(copy: number, made: Promise<Errno>): Promise<void> {
    const error = await made;
    if (!this.#isOver) await this.order('copied', { copy, error }).catch((failure: Error) => log(failure.message));
  }

  #finish(): void {
    this.#isOver = true;
    this.#watchdog?.stop();
    close(this.#wakeFd);
    this.#port.close();
    for (const { reject } of this.#waiting.values()) reject(viewHasEnded());
    this.#waiting.clear();
  }
}

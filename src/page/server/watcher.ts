/**
 * What happens while a window is open: the agent's questions and wishes, which are heard only then, as whoever is asked has to be
 * there; and that something was staged, told from the journal's size.
 */
import type { Client } from '../../daemon/client.ts';
import type { EventLine, ShownQuestion } from '../../daemon/protocol.ts';
import type { CommitRequest } from '../../daemon/requests/commit-request.ts';
import { lookAt } from '../../sys/files/text-files.ts';
import { UserError } from '../../sys/user-error.ts';
import type { PageState } from './state.ts';

const LOOK_MS = 500;
/** Looks between two attempts to reach a daemon. */
const CONNECT_EVERY = 4;

export interface Asked {
  readonly question: ShownQuestion;
  readonly at: Date;
}

export class Watcher {
  readonly questions = new Map<number, Asked>();
  readonly wishes = new Map<number, CommitRequest>();
  readonly #state: PageState;
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isConnecting = false;
  #looks = 0;
  #size: number | undefined;

  constructor(state: PageState) {
    this.#state = state;
    state.stream.onCount((count) => (count > 0 ? this.#begin() : this.stop()));
  }

  /** The daemon's, for answers. Throws a UserError when there is none. */
  get client(): Client {
    if (this.#client === undefined) throw new UserError('nothing runs in the view: nobody asks');
    return this.#client;
  }

  /** What is asked just then is left to others, and refused where there are none. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#client?.close();
  }

  #begin(): void {
    if (this.#timer !== undefined) return;
    this.#looks = 0;
    this.#size = this.#sizeNow();
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#look();
  }

  #look(): void {
    const size = this.#sizeNow();
    if (size !== this.#size) {
      this.#size = size;
      this.#state.stream.send({ event: 'changed', generation: this.#state.generation });
    }
    if (this.#client === undefined && this.#looks % CONNECT_EVERY === 0) void this.#connect();
    this.#looks += 1;
  }

  #sizeNow(): number {
    return lookAt(this.#state.host.layout.journal)?.size ?? 0;
  }

  async #connect(): Promise<void> {
    if (this.#isConnecting) return;
    this.#isConnecting = true;
    try {
      const client = await this.#state.host.connect();
      if (client === undefined) return;
      if (this.#timer === undefined) return client.close();
      this.#client = client;
      void client.listen((line) => this.#hear(line)).then(() => this.#forget());
      await client.request({ op: 'watch', front: 'review page' });
    } catch (error) {
      // It has just ended, or is of another version: whatever asks it will say so.
      if (!(error instanceof UserError)) this.#state.host.report(String(error));
    } finally {
      this.#isConnecting = false;
    }
  }

  #hear(line: EventLine): void {
    if ('question' in line) this.questions.set(line.question.id, { question: line.question, at: new Date() });
    else if ('closed' in line) this.questions.delete(line.closed.id);
    else if ('request' in line) this.wishes.set(line.request.id, line.request);
    else this.wishes.delete(line.settled.id);
    this.#tell();
  }

  #forget(): void {
    this.#client = undefined;
    this.questions.clear();
    this.wishes.clear();
    this.#tell();
  }

  #tell(): void {
    this.#state.stream.send({ event: 'questions', count: this.questions.size + this.wishes.size });
  }
}

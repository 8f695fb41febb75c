/** A front end at the daemon's socket: hears of questions and answers them, as any program may (daemon/protocol.ts). */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { EventLine, ShownQuestion } from '../../src/daemon/protocol.ts';
import { eventually } from '../support/leaks.ts';
import type { Session } from '../support/session.ts';

export type Closed = Extract<EventLine, { closed: unknown }>['closed'];

export type AboutRequests = Extract<EventLine, { request: unknown } | { settled: unknown }>;

export interface SaidTo {
  readonly allow: boolean;
  readonly always?: string;
}

/** Connects and begins to listen; hung up when the test ends. The session must have a daemon. */
export async function listen(t: TestContext, s: Session, run?: number): Promise<Front> {
  const front = new Front(connect(join(s.layout.entry, 'sock')));
  t.after(() => front.hangUp());
  await front.request({ op: 'watch', front: 'test', ...(run === undefined ? {} : { run }) });
  return front;
}

interface Reply {
  readonly ok?: unknown;
  readonly error?: { readonly message: string; readonly details?: readonly string[] };
}

export class Front {
  readonly questions: ShownQuestion[] = [];
  readonly closed: Closed[] = [];
  /** Commits that an agent asks for, and what became of them. */
  readonly requests: AboutRequests[] = [];
  readonly #socket: Socket;
  readonly #replies: ((line: Reply) => void)[] = [];
  #answer: ((question: ShownQuestion) => SaidTo | undefined) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (piece) => {
      const lines = (text + piece.toString()).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) this.#hear(JSON.parse(line));
    });
  }

  /** One request and what answers it; rejects with the daemon's words, a conflict's paths among them, when it fails. */
  async request(request: object): Promise<unknown> {
    const reply = new Promise<Reply>((resolve) => {
      this.#replies.push(resolve);
    });
    this.#socket.write(`${JSON.stringify(request)}\n`);
    const { ok, error } = await reply;
    if (error !== undefined) throw new Error([error.message, ...(error.details ?? [])].join('\n'));
    return ok;
  }

  answer(id: number, said: SaidTo): Promise<unknown> {
    return this.request({ op: 'answer', id, ...said });
  }

  /** Answers from now on by itself, what is open already, too. */
  answerAll(answer: (question: ShownQuestion) => SaidTo | undefined): void {
    this.#answer = answer;
    for (const question of this.questions) this.#answerOne(question);
  }

  /** Waits until there have been so many questions, and returns the last. */
  async question(count = 1): Promise<ShownQuestion> {
    assert.ok(await eventually(() => this.questions.length >= count), `${this.questions.length} of ${count} questions`);
    return this.questions[count - 1] as ShownQuestion;
  }

  async closing(count = 1): Promise<Closed> {
    assert.ok(await eventually(() => this.closed.length >= count), `${this.closed.length} of ${count} closed`);
    return this.closed[count - 1] as Closed;
  }

  hangUp(): void {
    this.#socket.destroy();
  }

  #hear(line: EventLine | { ok?: unknown; error?: { message: string } }): void {
    if ('question' in line) {
      this.questions.push(line.question);
      this.#answerOne(line.question);
    } else if ('closed' in line) this.closed.push(line.closed);
    else if ('request' in line || 'settled' in line) this.requests.push(line);
    else if (!('progress' in line)) this.#replies.shift()?.(line);
  }

  #answerOne(question: ShownQuestion): void {
    const said = this.#answer?.(question);
    if (said !== undefined) void this.answer(question.id, said);
  }
}

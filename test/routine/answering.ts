/** A person who allows everything and counts the questions: a front end on the session's socket. */
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ShownQuestion } from '../../src/daemon/protocol.ts';
import type { Session } from '../support/session.ts';

/** For once, or from now on for the directory that this returns. */
export type Answering = (question: ShownQuestion) => string | undefined;

export class AnsweringPerson {
  readonly questions: ShownQuestion[] = [];
  readonly #socket: Socket;

  private constructor(socket: Socket, answering: Answering) {
    this.#socket = socket;
    createInterface({ input: socket }).on('line', (line) => {
      const { question } = JSON.parse(line) as { question?: ShownQuestion };
      if (question === undefined) return;
      this.questions.push(question);
      const always = answering(question);
      this.#say({ op: 'answer', id: question.id, allow: true, ...(always === undefined ? {} : { always }) });
    });
  }

  /** Listens at the session's daemon, which has to be there. */
  static async sitDown(s: Session, answering: Answering): Promise<AnsweringPerson> {
    const socket = connect(join(s.layout.entry, 'sock'));
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    const person = new AnsweringPerson(socket, answering);
    person.#say({ op: 'watch', front: 'test' });
    return person;
  }

  leave(): void {
    this.#socket.destroy();
  }

  #say(line: object): void {
    this.#socket.write(`${JSON.stringify(line)}\n`);
  }
}

/**
 * Questions to people, on the FUSE thread: joins the queue with the journal, with the requests that wait in the FUSE
 * session, and with the main thread, where those are who answer.
 */

import type { Ticket } from '../../fuse/filesystem.ts';
import type { GateNote } from '../../rules/note.ts';
import {
  type Answer,
  type AskedNow,
  type AskSettings,
  type Closing,
  type Decision,
  type OpenQuestion,
  type QuestionId,
  Questions,
  type QuestionsOwner,
} from '../../rules/questions/questions.ts';
import { toBytes } from '../../sys/bytes.ts';
import { UserError } from '../../sys/user-error.ts';
import type { OrderMessage } from '../orders/orders.ts';
import type { AskingMessage, Listening } from './messages.ts';

export interface AskingOptions {
  /** Writes down what came of an access; false: that could not be done, and nobody may have leave without. */
  note(note: GateNote, pid: number): boolean;
  /** Number of the run that a process belongs to, 0 = none. */
  runOf(pid: number): number;
}

/** What there is once the view is served. */
export interface AskingLinks {
  tell(message: AskingMessage): void;
  /** Has a request served anew. */
  resume(ticket: Ticket): void;
}

const FIRST: AskSettings = { timeout: 60_000, allow: false };

export class Asking implements QuestionsOwner {
  readonly questions: Questions;
  readonly #options: AskingOptions;
  #listening: Listening = { all: false, runs: [] };
  #links: AskingLinks | undefined;

  constructor(options: AskingOptions) {
    this.#options = options;
    this.questions = new Questions(this, FIRST);
  }

  connect(links: AskingLinks): void {
    this.#links = links;
  }

  listen(listening: Listening): void {
    this.#listening = listening;
    this.questions.heardChanged();
  }

  /** What the main thread says of questions. */
  handle(notice: Extract<OrderMessage, { name: 'listen' | 'remembered' | 'giveUp' | 'askSettings' }>): void {
    switch (notice.name) {
      case 'listen':
        this.listen(notice.ask);
        break;
      case 'remembered':
        this.questions.remembered(notice.ask.path);
        break;
      case 'giveUp':
        this.questions.giveUp(notice.ask.ids, notice.ask.kind);
        break;
      case 'askSettings':
        this.questions.configure(notice.ask);
    }
  }

  /** False: the question is not open any more. Throws a UserError for a rule that would be for something else. */
  answer(id: QuestionId, answer: Answer, front: string): boolean {
    if (!this.questions.open.some((open) => open.id === id)) return false;
    if (this.questions.answer(id, answer, front)) return true;
    throw new UserError('that is no directory above what was asked about');
  }

  isHeard({ pid }: AskedNow): boolean {
    const { all, runs } = this.#listening;
    return all || (runs.length > 0 && runs.includes(this.#options.runOf(pid)));
  }

  opened(question: OpenQuestion): void {
    this.#links?.tell({ event: 'asked', question: { ...question, run: this.#options.runOf(question.pid) } });
  }

  closed(id: QuestionId, closing: Closing): void {
    this.#links?.tell({ event: 'settled', id, closing });
  }

  decide(decision: Decision): boolean {
    return this.#options.note(noteOf(decision), decision.question.pid);
  }

  resume(ticket: Ticket): void {
    this.#links?.resume(ticket);
  }
}

function noteOf({ question, allow, always, by }: Decision): GateNote {
  const { path, access, op, rule } = question;
  const asked = { access, op, path, state: rule.state, pattern: rule.pattern, times: 1 } as const;
  if (by.kind !== 'person') return { outcome: allow ? `${by.kind}-allowed` : by.kind, ...asked };
  const lasting = always === undefined ? {} : { always };
  return { outcome: allow ? 'allowed' : 'denied', ...asked, by: toBytes(by.front), ...lasting };
}

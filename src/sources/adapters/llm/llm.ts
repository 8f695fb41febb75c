/**
 * A model behind the OpenAI protocol as the `Model` of a source.
 *
 *     operation ──▶ refused before? ──▶ kept answer? ──▶ budget ──▶ server ──▶ checked reply ──▶ kept, journal
 *
 * Requests go one after the other: each is answered from what the ones before it made.
 */
import { EIO } from '../../../sys/errno.ts';
import type { Answer, Model, Operation, Scene } from '../../model/model.ts';
import { SourceError } from '../../source.ts';
import { Budget, type BudgetLimits } from './budget.ts';
import { Chat, type ChatOptions } from './chat.ts';
import { KeptAnswers } from './kept-answers.ts';
import { describe, type Message, messagesFor } from './prompt.ts';
import { parseReply } from './reply.ts';

/** When the journal is longer, its older half is dropped: seldom, as the model's server has computed what comes first. */
const LONGEST_JOURNAL = 400;
/** A reply that makes no sense is answered once with what is wrong with it. */
const ATTEMPTS = 2;

export interface LlmOptions extends ChatOptions {
  readonly limits: BudgetLimits;
  /** Where answers are kept: a directory of the host side. */
  readonly kept: string;
}

export class LlmModel implements Model {
  readonly #name: string;
  readonly #chat: Chat;
  readonly #kept: KeptAnswers;
  readonly #budget: Budget;
  readonly #refusals = new Map<string, Answer>();
  #journal: string[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: LlmOptions) {
    this.#name = options.model;
    this.#chat = new Chat(options);
    this.#kept = new KeptAnswers(options.kept);
    this.#budget = new Budget(options.limits);
  }

  /** What the session has asked for so far. */
  get used(): BudgetLimits {
    return this.#budget.used;
  }

  answer(operation: Operation, scene: Scene, signal: AbortSignal): Promise<Answer> {
    const answer = this.#last.then(() => this.#answer(operation, scene, signal));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  check(signal: AbortSignal): Promise<void> {
    return this.#chat.check(signal);
  }

  async close(): Promise<void> {
    await this.#last;
  }

  async #answer(operation: Operation, scene: Scene, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    const key = describe(operation);
    const refused = this.#refusals.get(key);
    if (refused !== undefined) return refused;
    const answer = await this.#ask(operation, messagesFor(operation, scene, this.#journal), signal);
    if (answer.refusal !== undefined) this.#refusals.set(key, answer);
    this.#note(operation, answer);
    return answer;
  }

  async #ask(operation: Operation, asked: readonly Message[], signal: AbortSignal): Promise<Answer> {
    const key = this.#kept.keyOf(this.#name, asked);
    const kept = this.#kept.get(key);
    const known = kept === undefined ? undefined : parseReply(kept, operation);
    if (known !== undefined && typeof known !== 'string') return known;
    const messages = [...asked];
    let wrong = '';
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      this.#budget.begin();
      const { text, usage } = await this.#chat.complete(messages, signal);
      this.#budget.spend(usage);
      const answer = parseReply(text, operation);
      if (typeof answer !== 'string') {
        this.#kept.set(key, text);
        return answer;
      }
      wrong = answer;
      messages.push(
        { role: 'assistant', content: text },
        { role: 'user', content: `That is not right: ${wrong}. Reply again.` },
      );
    }
    throw new SourceError(EIO, `the model's reply makes no sense: ${wrong}`);
  }

  #note(operation: Operation, { refusal, effects, names }: Answer): void {
    const made = effects.map((effect) => `${effect.kind} ${JSON.stringify(effect.path)}`);
    const outcome =
      refusal === undefined
        ? ['ok', ...made, ...names.map((name) => JSON.stringify(name))]
        : [`refused: ${refusal.cause}`];
    this.#journal.push(`${describe(operation)} -> ${outcome.join(', ')}`);
    if (this.#journal.length > LONGEST_JOURNAL) this.#journal = this.#journal.slice(LONGEST_JOURNAL / 2);
  }
}

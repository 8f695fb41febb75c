/** What a session may ask of its model, and what it has used. */
import { EDQUOT } from '../../../sys/errno.ts';
import { SourceError } from '../../source.ts';
import type { Usage } from './chat.ts';

export interface BudgetLimits {
  readonly requests: number;
  /** Of prompts and replies together. */
  readonly tokens: number;
}

export class Budget {
  readonly #limits: BudgetLimits;
  #requests = 0;
  #tokens = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  get used(): BudgetLimits {
    return { requests: this.#requests, tokens: this.#tokens };
  }

  /** One request more. Throws a SourceError when none is left. */
  begin(): void {
    const { requests, tokens } = this.#limits;
    if (this.#requests >= requests)
      throw new SourceError(EDQUOT, `the session's ${requests} requests to the model are used up`);
    if (this.#tokens >= tokens)
      throw new SourceError(EDQUOT, `the session's ${tokens} tokens of the model are used up`);
    this.#requests++;
  }

  spend({ promptTokens, completionTokens }: Usage): void {
    this.#tokens += promptTokens + completionTokens;
  }
}

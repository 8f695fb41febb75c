/** Has the FUSE thread go by the rules as they are in the files now, one change after the other. */

import { setTimeout as sleep } from 'node:timers/promises';
import { exactPattern } from '../../rules/pattern/pattern.ts';
import type { Rule } from '../../rules/rules.ts';
import type { State } from '../../rules/states.ts';
import { type BytePath, label } from '../../sys/bytes.ts';
import { log } from '../../sys/log.ts';
import { invalidate } from '../view/invalidate.ts';
import type { ServedView } from '../view/served-view.ts';
import { writeBack } from '../view/write-back.ts';

const LONGEST_MS = 5000;

export class RuleKeeper {
  readonly #view: ServedView;
  /** What people have answered for always. */
  readonly #answers = new Map<BytePath, Rule>();
  #fromFiles: readonly Rule[];
  #work: Promise<void> = Promise.resolve();
  /** Apart from `#work`: it may take long, and further changes must count meanwhile. */
  #forgetting: Promise<void> = Promise.resolve();

  /** With the rules that count already; they may have changed while the session was loaded. */
  static begin(view: ServedView, config: { readonly current: { readonly rules: readonly Rule[] } }): RuleKeeper {
    const keeper = new RuleKeeper(view, config.current.rules);
    keeper.apply(config.current.rules);
    return keeper;
  }

  /** `rules` count already. */
  constructor(view: ServedView, rules: readonly Rule[]) {
    this.#view = view;
    this.#fromFiles = rules;
  }

  /** These rules count from soon on, and what people have answered. */
  apply(rules: readonly Rule[]): void {
    // They are told of once by whoever reads the files, and again by who wants to be sure.
    if (rules === this.#fromFiles) return;
    this.#fromFiles = rules;
    this.#submit();
  }

  #submit(): void {
    const all = [...this.#fromFiles, ...this.#answers.values()];
    this.#work = this.#work.then(() => this.#apply(all)).catch((error: Error) => log(`rules: ${error.message}`));
  }

  /** Makes an answer a rule that no file has, until the daemon ends; resolves when it counts. */
  remember(path: BytePath, state: State): Promise<void> {
    const pattern = exactPattern(path, label(path));
    this.#answers.set(path, { pattern, decider: { state, pattern: pattern.text, layer: 'session' } });
    this.#submit();
    return this.idle();
  }

  /**
   * Resolves when all that was applied counts, and the kernel has forgotten what it must; or some seconds later: while somebody is asked about a new
   * name, the kernel cannot forget other names beside it.
   */
  async idle(): Promise<void> {
    await this.#work;
    await Promise.race([this.#forgetting, sleep(LONGEST_MS, undefined, { ref: false })]);
  }

  async #apply(rules: readonly Rule[]): Promise<void> {
    const { worker, holder, notifiers } = this.#view;
    // What was written before a rule forbids it is to count.
    await writeBack(holder);
    const { forget } = await worker.order('rules', { rules });
    this.#forgetting = this.#forgetting
      .then(() => invalidate(notifiers, forget))
      .catch((error: Error) => log(`rules: ${error.message}`));
  }
}

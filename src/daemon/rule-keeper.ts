/** Has the FUSE thread go by the rules as they are in the files now, one change after the other. */
import type { Rule } from '../rules/rules.ts';
import type { Invalidation } from '../staging/invalidation.ts';
import { log } from '../sys/log.ts';
import type { FuseWorker } from './fuse-worker.ts';

export interface RuleKeeperParts {
  readonly worker: FuseWorker;
  /** Has the kernel store what it holds of open files: what was written before a rule forbids it is to count. */
  writeBack(): Promise<unknown>;
  /** Has the kernel forget. */
  forget(invalidations: readonly Invalidation[]): Promise<void>;
}

export class RuleKeeper {
  readonly #parts: RuleKeeperParts;
  #work: Promise<void> = Promise.resolve();

  constructor(parts: RuleKeeperParts) {
    this.#parts = parts;
  }

  /** These rules count from soon on. */
  apply(rules: readonly Rule[]): void {
    this.#work = this.#work.then(() => this.#apply(rules)).catch((error: Error) => log(`rules: ${error.message}`));
  }

  /** Resolves when all that was applied counts, and the kernel has forgotten what it must. */
  idle(): Promise<void> {
    return this.#work;
  }

  async #apply(rules: readonly Rule[]): Promise<void> {
    await this.#parts.writeBack();
    const { invalidations } = await this.#parts.worker.order('rules', { rules });
    await this.#parts.forget(invalidations);
  }
}

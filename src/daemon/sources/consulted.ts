/** A model in the thread of the sources: opened when it is first asked, and left alone when nobody waits. */
import { readToken, type SourceConfig } from '../../sources/config.ts';
import type { Model, ModelOutcome, Operation, Scene } from '../../sources/model/model.ts';
import { openModelOf } from '../../sources/open.ts';
import { SourceError } from '../../sources/source.ts';
import { EINTR, EIO } from '../../sys/errno.ts';
import { UserError } from '../../sys/user-error.ts';

export class Consulted {
  readonly #config: SourceConfig;
  #model: Promise<Model | undefined> | undefined;
  #asking = new AbortController();

  constructor(config: SourceConfig) {
    this.#config = config;
  }

  /** What the model makes of an operation, or why it makes nothing of it. Rejects with a defect only. */
  async consult(operation: Operation, scene: Scene): Promise<ModelOutcome> {
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    try {
      const model = await this.#open();
      return (await model?.answer(operation, scene, signal)) ?? { errno: EIO, cause: 'there is no model' };
    } catch (error) {
      if (signal.aborted) return { errno: EINTR, cause: 'nobody waits any more' };
      if (error instanceof SourceError) return { errno: error.errno, cause: error.cause };
      if (error instanceof UserError) return { errno: EIO, cause: error.message };
      throw error;
    }
  }

  giveUp(): void {
    this.#asking.abort();
  }

  async close(): Promise<void> {
    this.giveUp();
    const model = await this.#model?.catch(() => undefined);
    await model?.close();
  }

  /** One that cannot be opened (no token) is tried again the next time. */
  #open(): Promise<Model | undefined> {
    this.#model ??= Promise.resolve()
      .then(() => openModelOf(this.#config, readToken(this.#config, process.env)))
      .catch((error: unknown) => {
        this.#model = undefined;
        throw error;
      });
    return this.#model;
  }
}

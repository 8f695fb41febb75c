/** Work that must not overlap: each waits for those before it, whether they succeeded or not. */

interface Asked {
  readonly start: () => Promise<void>;
  readonly isBrief: boolean;
}

export class Turns {
  readonly #queue: Asked[] = [];
  #isRunning = false;
  #waiting = 0;
  /** Whether what has its turn waits for something else than us. */
  #isPaused = false;
  #between: Promise<void> = Promise.resolve();

  /** Whether any work is under way. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** Does `work` when all that was asked for before is done; settles as it does. */
  take<T>(work: () => Promise<T>): Promise<T> {
    return this.#ask(work, false);
  }

  /** The same for work that may be done in a pause of another's turn, too. */
  takeBrief<T>(work: () => Promise<T>): Promise<T> {
    return this.#ask(work, true);
  }

  /** To be called by what has its turn: brief work is done until `awaited` settles. Settles as that, between two of them. */
  async pause<T>(awaited: Promise<T>): Promise<T> {
    this.#isPaused = true;
    this.#fill();
    try {
      return await awaited;
    } finally {
      this.#isPaused = false;
      await this.#between;
    }
  }

  #ask<T>(work: () => Promise<T>, isBrief: boolean): Promise<T> {
    this.#waiting += 1;
    const result = new Promise<T>((resolve, reject) => {
      const start = async (): Promise<void> => {
        const settled = Promise.resolve().then(work);
        await settled
          .finally(() => {
            this.#waiting -= 1;
          })
          .then(resolve, reject);
      };
      this.#queue.push({ start, isBrief });
    });
    if (this.#isPaused && isBrief) this.#fill();
    void this.#run();
    return result;
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) await next.start();
    this.#isRunning = false;
  }

  /** One after the other, as long as the pause lasts. */
  #fill(): void {
    this.#between = this.#between.then(async () => {
      while (this.#isPaused) {
        const at = this.#queue.findIndex(({ isBrief }) => isBrief);
        const [next] = at < 0 ? [] : this.#queue.splice(at, 1);
        if (next === undefined) return;
        await next.start();
      }
    });
  }
}

/** Work that must not overlap: each waits for those before it, whether they succeeded or not. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Whether any work is under way. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** Does `work` when all that was asked for before is done; settles as it does. */
  take<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const result = this.#last.then(work);
    const done = (): void => {
      this.#waiting -= 1;
    };
    this.#last = result.then(done, done);
    return result;
  }
}

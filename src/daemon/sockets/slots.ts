/** Work of which only so much is done at a time, and only so much may wait. */
export class Slots {
  readonly #mostWaiting: number;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number, mostWaiting: number) {
    this.#free = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /** Does `work` when there is room, and settles as it does; undefined, and nothing is done, when too much waits. */
  take(work: () => Promise<void>): Promise<void> | undefined {
    if (this.#free === 0 && this.#waiting.length >= this.#mostWaiting) return undefined;
    return this.#enter()
      .then(work)
      .finally(() => this.#leave());
  }

  #enter(): Promise<void> {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#free -= 1;
    return Promise.resolve();
  }

  /** The room goes to whoever waits longest. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

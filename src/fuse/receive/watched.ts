/** Descriptors besides the connections that a session looks at between requests. */

export interface WatchedDescriptor {
  readonly fd: number;
  /** Called between requests when `fd` has input (or hung up); it must take the input, else it is called again. */
  onReadable(): void;
}

export class Watched {
  readonly fds: readonly number[];
  readonly #all: readonly WatchedDescriptor[];

  constructor(all: readonly WatchedDescriptor[]) {
    this.#all = all;
    this.fds = all.map(({ fd }) => fd);
  }

  /** Tells those whose bit is set in `ready`. */
  tell(ready: number): void {
    for (let i = 0; ready >> i !== 0; i++) {
      if (((ready >> i) & 1) !== 0) this.#all[i]?.onReadable();
    }
  }
}

/**
 * How a session gets its next request: it looks, spins or sleeps (pacing.ts), and has the watched descriptors and the idle
 * work served meanwhile.
 */
import { EAGAIN } from '../../sys/errno.ts';
import { PollSet, read } from '../../sys/libc.ts';
import type { Devices } from '../devices.ts';
import type { Following } from './following.ts';
import { EarlyReads, type IdleClock, SpinBudget } from './pacing.ts';
import type { Watched } from './watched.ts';

/** Requests served in a row before the watched descriptors get a look. */
const BURST = 64;
/** The same where another connection may be waiting, too. */
const SHARED_BURST = 16;

interface ReceiverOptions {
  readonly devices: Devices;
  readonly watched: Watched;
  readonly idle: IdleClock;
  readonly following: Following;
  /** Where requests are read into. */
  readonly buffer: Buffer;
}

export class Receiver {
  /** Nothing is waited for any more. */
  isStopped = false;
  /** Whether the request that came last was there when the one before it had just been answered. */
  wasThere = false;
  readonly #options: ReceiverOptions;
  readonly #early = new EarlyReads();
  readonly #budget = new SpinBudget();
  #pollSet: PollSet;
  /** Requests served since the other descriptors were last looked at. */
  #burst = 0;

  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#pollSet = this.#polled();
  }

  /** The connections are others now. */
  repoll(): void {
    this.#pollSet = this.#polled();
  }

  /** Reads the next request, waiting for one where none is there; -EAGAIN if it was stopped meanwhile. */
  receive(): number {
    if (this.#early.isWorth()) {
      const received = this.#read();
      this.#early.learn(received !== -EAGAIN);
      this.wasThere = received !== -EAGAIN;
      if (received !== -EAGAIN) return received;
    }
    this.wasThere = false;
    const since = performance.now();
    const spun = this.#budget.current === 0 ? -EAGAIN : this.#spin(since);
    const received = spun === -EAGAIN ? this.#sleep(since) : spun;
    this.#budget.learn((performance.now() - since) * 1000, spun !== -EAGAIN);
    return received;
  }

  /** A request was served. Under load nothing ever sleeps, so the other connections, the watched descriptors and `idle` get their turn here. */
  served(): void {
    const { devices, idle } = this.#options;
    if (++this.#burst < (devices.count > 1 ? SHARED_BURST : BURST)) return;
    this.#burst = 0;
    this.#distribute(this.#pollSet.wait(0));
    idle.runIfOverdue();
  }

  #read(): number {
    return read(this.#options.devices.current.fd, this.#options.buffer);
  }

  #spin(since: number): number {
    const deadline = since + this.#budget.current / 1000;
    while (performance.now() < deadline) {
      this.#options.devices.advance();
      const received = this.#read();
      if (received !== -EAGAIN) return received;
    }
    return -EAGAIN;
  }

  /** Sleeps until a FUSE device has input, which is read, serving the watched descriptors and `idle` meanwhile. */
  #sleep(since: number): number {
    for (let now = since; ; now = performance.now()) {
      const ready = this.#pollSet.wait(this.#options.idle.run(now));
      if (ready === 0) this.#options.following.letGo();
      this.#burst = 0;
      const isReady = this.#distribute(ready);
      if (this.isStopped) return -EAGAIN;
      if (isReady) return this.#read();
    }
  }

  /** Tells the watchers, then turns to a device that has input; false if none has. */
  #distribute(ready: number): boolean {
    const { devices, watched, idle, following } = this.#options;
    const others = ready >> devices.count;
    if (others > 0) {
      following.letGo();
      watched.tell(others);
      idle.touch();
    }
    return devices.choose(ready);
  }

  #polled(): PollSet {
    return new PollSet([...this.#options.devices.fds, ...this.#options.watched.fds]);
  }
}

/** The connections that one session serves, and whose turn it is. */
import type { NodeId } from '../sys/bytes.ts';
import { type AsideOptions, Device, type DeviceOptions } from './device.ts';
import type { Ticket } from './filesystem.ts';
import type { SharingEvents } from './nodes.ts';

/** A connection by which the kernel may know a node. */
export interface Knowing {
  readonly fd: number;
  readonly aliases: readonly NodeId[];
}

/** The place of the connection aside: no request of the others has such a number. */
const ASIDE = 2 ** 52;

export class Devices {
  /** The one whose request was read last, or is to be read next. */
  current: Device;
  /** Those that have not ended. */
  readonly #all: Device[];
  readonly #wereTwo: boolean;
  readonly #events: SharingEvents;
  #onAsideEnded: () => void = () => undefined;

  constructor(first: DeviceOptions, beside: DeviceOptions | undefined, events: SharingEvents) {
    this.#events = events;
    this.current = new Device(first, 0);
    this.#all = [this.current];
    this.#wereTwo = beside !== undefined;
    if (beside === undefined) return;
    const second = new Device(beside, 1);
    this.#all.push(second);
    this.current.nodes.pairWith(second.nodes, events);
    second.nodes.pairWith(this.current.nodes, events);
  }

  get count(): number {
    return this.#all.length;
  }

  get fds(): number[] {
    return this.#all.map(({ fd }) => fd);
  }

  /** Serves one more; one at a time. */
  addAside(options: AsideOptions): void {
    const aside = new Device(options, ASIDE);
    this.#onAsideEnded = options.onEnded;
    const events = { ...this.#events, areApart: () => false };
    for (const { nodes } of options.writes ? this.#all : []) {
      nodes.pairWith(aside.nodes, events);
      aside.nodes.pairWith(nodes, events);
    }
    this.#all.push(aside);
  }

  /** The connections by which the kernel may know a node for longer than it was told, and what it may call it there besides its own number. */
  knowing(node: NodeId): Knowing[] {
    const knowing = this.#all.filter(({ nodes, place }) => place !== ASIDE && nodes.knows(node));
    return knowing.map(({ fd, nodes }) => ({ fd, aliases: nodes.aliasesOf(node) }));
  }

  /** Goes on to the next. */
  advance(): void {
    if (this.#all.length > 1) this.current = this.#after(1);
  }

  /** Turns to the one that a request came by; false if it has ended. */
  turnTo(ticket: Ticket): boolean {
    const wanted = ticket >= ASIDE ? ASIDE : this.#wereTwo ? ticket % 2 : 0;
    const found = this.#all.find(({ place }) => place === wanted);
    if (found === undefined) return false;
    this.current = found;
    return true;
  }

  /**
   * Turns to one that has input; `ready` is a bit for each of `fds`. Returns false if none has. Of several that have, it is
   * the turn of the one that was not served last.
   */
  choose(ready: number): boolean {
    for (let i = 1; i <= this.#all.length; i++) {
      const device = this.#after(i);
      if (((ready >> this.#all.indexOf(device)) & 1) === 0) continue;
      this.current = device;
      return true;
    }
    return false;
  }

  /** The current one has ended; false if it is the last but the one aside. What the kernel knew by it alone it has forgotten. */
  retire(): boolean {
    const ended = this.current;
    if (this.#all.every((device) => device === ended || device.place === ASIDE) && ended.place !== ASIDE) return false;
    this.advance();
    this.#all.splice(this.#all.indexOf(ended), 1);
    ended.forgetAll();
    for (const { nodes } of this.#all) nodes.partFrom(ended.nodes);
    if (ended.place === ASIDE) this.#onAsideEnded();
    return true;
  }

  #after(steps: number): Device {
    return this.#all[(this.#all.indexOf(this.current) + steps) % this.#all.length] ?? this.current;
  }
}

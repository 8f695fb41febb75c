/** The connections that one session serves, and whose turn it is. */
import type { NodeId } from '../sys/bytes.ts';
import { Device, type DeviceOptions } from './device.ts';
import type { Ticket } from './filesystem.ts';
import type { SharingEvents } from './nodes.ts';

/** A connection by which the kernel may know a node. */
export interface Knowing {
  readonly fd: number;
  readonly aliases: readonly NodeId[];
}

export class Devices {
  /** The one whose request was read last, or is to be read next. */
  current: Device;
  /** Those that have not ended. */
  readonly #all: Device[];
  readonly #wereTwo: boolean;

  constructor(first: DeviceOptions, beside: DeviceOptions | undefined, events: SharingEvents) {
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

  /** The connections by which the kernel may know a node, and what it may call it there besides its own number. */
  knowing(node: NodeId): Knowing[] {
    const knowing = this.#all.filter(({ nodes }) => nodes.knows(node));
    return knowing.map(({ fd, nodes }) => ({ fd, aliases: nodes.aliasesOf(node) }));
  }

  /** Goes on to the next. */
  advance(): void {
    if (this.#all.length > 1) this.current = this.#after(1);
  }

  /** Turns to the one that a request came by; false if it has ended. */
  turnTo(ticket: Ticket): boolean {
    const wanted = this.#wereTwo ? ticket % 2 : 0;
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

  /** The current one has ended; false if it is the last. What the kernel knew by it alone it has forgotten. */
  retire(): boolean {
    if (this.#all.length === 1) return false;
    const ended = this.current;
    this.advance();
    this.#all.splice(this.#all.indexOf(ended), 1);
    ended.forgetAll();
    return true;
  }

  #after(steps: number): Device {
    return this.#all[(this.#all.indexOf(this.current) + steps) % this.#all.length] ?? this.current;
  }
}

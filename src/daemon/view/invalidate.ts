/** Sends the kernel what it must forget, in order; what it does not remember anyway costs a call and no more. */

import type { Knowing } from '../../fuse/devices.ts';
import { type KernelNotifier, openNotifier, packForgotten } from '../../fuse/notify.ts';
import type { Holder } from '../../sandbox/holder.ts';
import type { Invalidation } from '../../staging/invalidation.ts';
import type { NodeId } from '../../sys/bytes.ts';
import { log } from '../../sys/log.ts';

/** By FUSE device. */
export type Notifiers = ReadonlyMap<number, KernelNotifier>;

/** To the connections of these devices; without them, to all. */
export type Addressed = Invalidation & { readonly devices?: readonly number[] };

/** What the connection `device` is to forget, as `packForgotten` makes it. */
export interface Packed {
  readonly device: number;
  readonly messages: Uint8Array;
}

/**
 * For each connection what it is to forget: thousands of objects take longer to copy than to be carried out. `roots`: the
 * connections by their devices, and what is the root of each; `knowing`: which of them know a node.
 */
export function packFor(
  invalidations: readonly Invalidation[],
  roots: ReadonlyMap<number, NodeId | undefined>,
  knowing: (node: NodeId) => readonly Knowing[],
): Packed[] {
  const lists = new Map<number, Invalidation[]>([...roots.keys()].map((device) => [device, []]));
  let last: NodeId | undefined;
  let known: readonly Knowing[] = [];
  for (const one of invalidations) {
    const node = one.kind === 'entry' ? one.parent : one.nodeId;
    // Names of one directory follow each other.
    if (node !== last) known = knowing(node);
    last = node;
    for (const { fd, aliases } of known) {
      lists.get(fd)?.push(one);
      if (one.kind === 'inode') for (const nodeId of aliases) lists.get(fd)?.push({ ...one, nodeId });
    }
  }
  return [...lists].map(([device, own]) => ({ device, messages: packForgotten(own, roots.get(device)) }));
}

/** Says by which connections the kernel knows what it must forget; `knowing`: undefined before there are any. */
export function addressed(
  invalidations: readonly Invalidation[],
  knowing: (node: NodeId) => readonly Knowing[] | undefined,
): Addressed[] {
  return invalidations.flatMap((one): Addressed[] => {
    const known = knowing(one.kind === 'entry' ? one.parent : one.nodeId);
    if (known === undefined) return [one];
    const devices = known.map(({ fd }) => fd);
    if (one.kind === 'entry') return [{ ...one, devices }];
    const others = known.flatMap(({ fd, aliases }) => aliases.map((nodeId) => ({ ...one, nodeId, devices: [fd] })));
    return [{ ...one, devices }, ...others];
  });
}

/** Resolves when the kernel has forgotten all of it. Rejects with a SystemError. */
export async function invalidate(notifiers: Notifiers, all: readonly Packed[]): Promise<void> {
  for (const { device, messages } of all) if (messages.length > 0) await notifiers.get(device)?.many(messages);
}

/** Whether the kernel is to forget something. */
export function isAnything(all: readonly Packed[]): boolean {
  return all.some(({ messages }) => messages.length > 0);
}

function tell(notifier: KernelNotifier, one: Invalidation): Promise<void> {
  if (one.kind === 'entry') return notifier.invalEntry(one.parent, one.name, one.gone);
  return notifier.invalInode(one.nodeId, 0, 0);
}

/**
 * Invalidations of their own accord, sent one after the other: a file of the base that is written to in small pieces
 * reports thousands of changes a second, more than may be under way at once. One that still waits is not sent twice.
 */
export class Forgetter {
  readonly #notifiers: Notifiers;
  readonly #waiting = new Map<string, Addressed>();
  #isSending = false;
  #sending: Promise<void> = Promise.resolve();

  readonly #sent: () => void;

  /** `sent`: called whenever the kernel has forgotten all. */
  constructor(notifiers: Notifiers, sent: () => void) {
    this.#notifiers = notifiers;
    this.#sent = sent;
  }

  /** Has the kernel forget these, soon; a failure is told to the log. */
  forget(invalidations: readonly Addressed[]): void {
    for (const one of invalidations) {
      this.#waiting.set(one.kind === 'entry' ? `${one.parent}/${one.gone ?? ''}/${one.name}` : String(one.nodeId), one);
    }
    if (!this.#isSending) this.#sending = this.#send();
  }

  /** Resolves when the kernel has forgotten what it was to until now. */
  idle(): Promise<void> {
    return this.#sending;
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    for (const [key, one] of this.#waiting) {
      this.#waiting.delete(key);
      await this.#tell(one).catch((error: Error) => log(error.message));
    }
    this.#isSending = false;
    this.#sent();
  }

  async #tell(one: Addressed): Promise<void> {
    for (const [device, notifier] of this.#notifiers) {
      if (one.devices === undefined || one.devices.includes(device)) await tell(notifier, one);
    }
  }
}

/** The connections of a view, for what the kernel is told; `fastRoot` is what the second mount, if there is one, has as its root. */
export function openNotifiers({ devices: { first, second } }: Holder, fastRoot: NodeId): Notifiers {
  const notifiers = new Map([[first, openNotifier(first)]]);
  if (second !== undefined) notifiers.set(second, openNotifier(second, fastRoot));
  return notifiers;
}

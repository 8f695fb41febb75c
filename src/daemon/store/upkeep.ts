/** The FUSE thread's part of gc and of the quota: what only it knows, and the record that only it may write. */
import type { NamesGone } from '../../history/commit/conflict/names-gone.ts';
import type { Basis } from '../../history/gc/collect.ts';
import type { DropRecord } from '../../history/log/record.ts';
import type { Markers } from '../../history/timeline/markers.ts';
import { currentEpoch } from '../../history/timeline/segments.ts';
import type { SessionHistory } from '../../history/timeline/session-history.ts';
import type { Overlay } from '../../staging/overlay.ts';
import type { Quota } from '../../staging/store/quota.ts';
import type { ObjectId } from '../../sys/bytes.ts';
import { OK, SystemError } from '../../sys/errno.ts';
import type { OrderMessage, Orders } from '../orders/orders.ts';

export interface UpkeepParts {
  readonly history: SessionHistory;
  readonly overlay: Overlay;
  readonly quota: Quota;
  readonly names: NamesGone;
  readonly markers: Markers;
}

type StoreOrder = Extract<OrderMessage, { name: 'basis' | 'limit' | 'drop' }>;
type StoreNotice = Extract<OrderMessage, { name: 'counted' | 'namesGoing' | 'namesGone' }>;

export class Upkeep {
  readonly #history: SessionHistory;
  readonly #overlay: Overlay;
  readonly #quota: Quota;
  readonly #markers: Markers;
  #epochStart: number;
  /** Told of the names that gc takes from files of the base. */
  readonly names: NamesGone;

  constructor({ history, overlay, quota, names, markers }: UpkeepParts) {
    this.#history = history;
    this.#overlay = overlay;
    this.#quota = quota;
    this.names = names;
    this.#markers = markers;
    this.#epochStart = history.journal.size;
  }

  /** Orders that are about the store. Throws as `drop`. */
  carryOut(order: StoreOrder): Orders[StoreOrder['name']]['answer'] {
    switch (order.name) {
      case 'basis':
        return this.basis();
      case 'limit':
        return this.limit(order.ask.bytes);
      case 'drop':
        return this.drop(order.ask);
    }
  }

  /** What the main thread says of the store. */
  handle(notice: StoreNotice): void {
    switch (notice.name) {
      case 'counted':
        this.counted(notice.ask.bytes);
        break;
      case 'namesGoing':
        this.names.begin(notice.ask);
        break;
      case 'namesGone':
        this.names.done(notice.ask);
    }
  }

  /** Where gc starts from: what is in the journal so far, and what only this process knows to be in use. */
  basis(): Basis {
    const held = [...this.#overlay.heldObjects()];
    return { offset: this.#history.journal.size, end: this.#history.nextObject(), held };
  }

  /** Throws a SystemError when the record cannot be written; then gc must not remove anything. */
  drop(record: DropRecord): null {
    const errno = this.#history.recordDrop(record);
    if (errno !== OK) throw new SystemError('cannot write the journal', errno);
    return null;
  }

  /** Where in the journal the records of what is staged begin, as when the quota was last set or counted anew. */
  get epochStart(): number {
    return this.#epochStart;
  }

  /** Sets what the store may occupy, in bytes; the objects before `end` are to be counted. */
  limit(bytes: number | undefined): { end: ObjectId } {
    if (bytes !== undefined) this.#epochStart = currentEpoch(this.#markers.timeline()).start;
    this.#quota.setLimit(bytes);
    this.#quota.beginCount();
    return { end: this.#history.nextObject() };
  }

  /** So much they occupy. */
  counted(bytes: number): void {
    this.#quota.endCount(bytes);
  }
}

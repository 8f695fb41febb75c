/** The FUSE thread's part of gc and of the quota: what only it knows, and the record that only it may write. */
import { NamesGone } from '../../history/commit/conflict/names-gone.ts';
import type { Basis } from '../../history/gc/collect.ts';
import type { DropRecord } from '../../history/log/record.ts';
import { currentEpoch } from '../../history/timeline/segments.ts';
import type { ObjectId } from '../../sys/bytes.ts';
import { OK, SystemError } from '../../sys/errno.ts';
import type { LiveSession } from '../orders/live-session.ts';
import type { OrderMessage, Orders } from '../orders/orders.ts';

type StoreOrder = Extract<OrderMessage, { name: 'basis' | 'limit' | 'drop' }>;
type StoreNotice = Extract<OrderMessage, { name: 'counted' | 'namesGoing' | 'namesGone' }>;

export class Upkeep {
  readonly #session: LiveSession;
  /** Where in the journal the records of what is staged begin, as when the quota was last set or counted anew. */
  #epochStart: number;
  /** Told of the names that gc takes from files of the base. */
  readonly names: NamesGone;

  constructor(session: LiveSession) {
    this.#session = session;
    this.names = new NamesGone(session);
    this.#epochStart = session.history.journal.size;
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
    const { overlay, history } = this.#session;
    return { offset: history.journal.size, end: history.nextObject(), held: [...overlay.heldObjects()] };
  }

  /** Throws a SystemError when the record cannot be written; then gc must not remove anything. */
  drop(record: DropRecord): null {
    const errno = this.#session.history.recordDrop(record);
    if (errno !== OK) throw new SystemError('cannot write the journal', errno);
    return null;
  }

  /** Bytes of the journal that count for the quota: the records of what is staged. */
  get journalBytes(): number {
    return this.#session.history.journal.size - this.#epochStart;
  }

  /** Sets what the store may occupy, in bytes; the objects before `end` are to be counted. */
  limit(bytes: number | undefined): { end: ObjectId } {
    const { quota, markers, history } = this.#session;
    if (bytes !== undefined) this.#epochStart = currentEpoch(markers.timeline()).start;
    quota.setLimit(bytes);
    quota.beginCount();
    return { end: history.nextObject() };
  }

  /** So much they occupy. */
  counted(bytes: number): void {
    this.#session.quota.endCount(bytes);
  }
}

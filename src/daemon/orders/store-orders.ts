/** What the main thread, which looks after the store, asks of the FUSE thread, which alone writes the journal: for gc, and for the quota. */
import type { Touched } from '../../history/commit/conflict/own-changes.ts';
import type { Basis } from '../../history/gc/collect.ts';
import type { DropRecord } from '../../history/log/record.ts';
import type { Fingerprint } from '../../staging/inode.ts';
import type { ObjectId } from '../../sys/bytes.ts';

/** Orders about the store, with what each answers. */
export interface StoreOrders {
  /** What gc starts from. */
  basis: { ask: null; answer: Basis };
  /** Writes down, durably, what gc is about to drop. */
  drop: { ask: DropRecord; answer: null };
  /** These files are about to lose names that commits have put away; these have lost them. */
  namesGoing: { ask: readonly Fingerprint[]; answer: null };
  namesGone: { ask: readonly Touched[]; answer: null };
  /** Sets the store's limit in bytes; objects before `end` are counted then. */
  limit: { ask: { readonly bytes: number | undefined }; answer: { readonly end: ObjectId } };
  /** What they occupy on the disk, in bytes. */
  counted: { ask: { readonly bytes: number }; answer: null };
}

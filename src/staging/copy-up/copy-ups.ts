/**
 * Copies of content that is about to be changed. A large one is made elsewhere, while other requests are served: what wants to
 * change the file is put off meanwhile, and served anew in the order in which it came. One that was made before the kernel sends
 * what is written, at the first write(2), is what everybody reads until then, whatever becomes of the base entry.
 */
import { type Caller, LATER, type Ticket } from '../../fuse/filesystem.ts';
import type { ObjectId } from '../../sys/bytes.ts';
import { EAGAIN, type Errno, ESTALE, OK } from '../../sys/errno.ts';
import * as libc from '../../sys/libc.ts';
import { S_IFREG } from '../../sys/stat.ts';
import type { Core } from '../core.ts';
import type { Fingerprint, Inode } from '../inode.ts';
import { basePath } from '../inode.ts';
import { type Source, Sources } from './sources.ts';

/** Up to this many bytes are copied at once: some milliseconds. */
const SMALL = 4 * 2 ** 20;
const WHOLE = Number.MAX_SAFE_INTEGER;

/** Descriptors that are given away: whoever copies closes them. */
export interface CopyJob {
  readonly from: number;
  readonly to: number;
  readonly size: number;
}

export interface Copier {
  /** Copies while this thread goes on, which then calls `done`. */
  start(job: CopyJob, done: (error: Errno) => void): void;
  /** Serves a request that was put off anew. */
  resume(ticket: Ticket): void;
  /** Closes the last descriptor of something large, which frees its blocks, while this thread goes on. */
  close(fd: number): void;
}

/** An object that nothing stands for yet. */
export interface Copy {
  readonly object: ObjectId;
  readonly fd: number;
  readonly fingerprint: Fingerprint | undefined;
}

interface Making {
  readonly copy: Copy;
  readonly source: Source;
  readonly tickets: Ticket[];
  /** Another tree is shown meanwhile. */
  isVain: boolean;
}

export class CopyUps {
  /** Without one all is copied at once. */
  copier: Copier | undefined;
  readonly #core: Core;
  readonly #sources: Sources;
  readonly #ready = new Map<Inode, Copy>();
  readonly #making = new Map<Inode, Making>();
  /** What became of a copy, for the requests that are being served anew. */
  readonly #failed = new Map<Ticket, Errno>();

  constructor(core: Core) {
    this.#core = core;
    this.#sources = new Sources(core);
  }

  /** A copy of at least the first `keep` bytes, which is the caller's. ESTALE: they are gone. LATER: it is being made. */
  take(inode: Inode, keep: number, caller: Caller): Copy | Errno {
    const copy = this.#ready.get(inode) ?? this.#make(inode, keep, caller.ticket);
    if (typeof copy === 'number' || !this.#ready.delete(inode)) return copy;
    this.#core.layers.files.unpin(inode, copy.fd);
    return copy;
  }

  /** Somebody is about to write to a file of the base: the content that is there now shall be what it is written over. */
  expect(inode: Inode, caller: Caller): Errno {
    const isOriginal = inode.type === S_IFREG && (inode.staged?.object ?? 0) === 0 && basePath(inode) !== undefined;
    if (!isOriginal || this.#ready.has(inode) || !this.#mayWrite(inode, caller)) return OK;
    // Then it is made when something comes.
    if (!this.#core.layers.files.mayPin) return OK;
    const copy = this.#make(inode, WHOLE, caller.ticket);
    if (typeof copy !== 'number') this.#keep(inode, copy);
    return copy === LATER || copy === ESTALE ? copy : OK;
  }

  /** The kernel has forgotten it. */
  forget(inode: Inode): void {
    const copy = this.#ready.get(inode);
    if (copy === undefined) return;
    this.#ready.delete(inode);
    this.#core.layers.files.unpin(inode, copy.fd);
    this.#discard(copy);
  }

  /** Another tree is shown, or the base is another one. */
  forgetAll(): void {
    for (const inode of [...this.#ready.keys()]) this.forget(inode);
    for (const making of this.#making.values()) making.isVain = true;
  }

  /** Objects that nothing stands for yet: not to be swept. */
  *objects(): Generator<ObjectId> {
    for (const { object } of this.#ready.values()) yield object;
    for (const { copy } of this.#making.values()) yield copy.object;
  }

  #make(inode: Inode, keep: number, ticket: Ticket): Copy | Errno {
    const failed = this.#failed.get(ticket);
    if (failed !== undefined) return failed;
    const making = this.#making.get(inode);
    if (making !== undefined) {
      making.tickets.push(ticket);
      return LATER;
    }
    const source = this.#sources.of(inode, keep);
    if (source === EAGAIN) return this.#core.arrivals.content(inode, ticket);
    if (typeof source === 'number') return source;
    const copy = this.#allocate(inode, source);
    if (typeof copy === 'number') return copy;
    if (source.size > SMALL && this.copier !== undefined) return this.#start(inode, { copy, source, ticket });
    return this.#finish(copy, this.#sources.copy(source, copy.fd));
  }

  /** Has a large copy made elsewhere, if the two cannot share their blocks. */
  #start(inode: Inode, { copy, source, ticket }: Pick<Making, 'copy' | 'source'> & { ticket: Ticket }): Copy | Errno {
    const admitted = this.#sources.share(source, copy.fd);
    if (admitted !== LATER) return this.#finish(copy, admitted);
    const making: Making = { copy, source, tickets: [ticket], isVain: false };
    this.#making.set(inode, making);
    const [from, to] = [libc.duplicate(source.fd), libc.duplicate(copy.fd)];
    this.copier?.start({ from, to, size: source.size }, (error) => this.#made(inode, making, error));
    return LATER;
  }

  #made(inode: Inode, { copy, source, tickets, isVain }: Making, error: Errno): void {
    this.#making.delete(inode);
    const result = this.#finish(copy, isVain || inode.nodeId === 0 ? ESTALE : error || this.#sources.check(source));
    if (typeof result !== 'number') this.#keep(inode, result);
    for (const ticket of tickets) {
      if (typeof result === 'number' && !isVain) this.#failed.set(ticket, result);
      this.copier?.resume(ticket);
      this.#failed.delete(ticket);
    }
  }

  #keep(inode: Inode, copy: Copy): void {
    this.#ready.set(inode, copy);
    this.#core.layers.files.pinTo(inode, copy.fd);
  }

  #finish(copy: Copy, error: Errno): Copy | Errno {
    this.#core.layers.quota.changed(copy.object, copy.fd);
    if (error === OK) return copy;
    this.#discard(copy);
    return error;
  }

  #allocate(inode: Inode, { mode, fingerprint }: Source): Copy | Errno {
    const { numbers, store, files, quota } = this.#core.layers;
    const retry = (open: () => number): number => files.retry(open);
    const made = store.createNext(() => numbers.nextObject(), { mode: this.#modeOf(inode, mode), retry });
    if (typeof made === 'number') return made;
    quota.made(made.object);
    return { ...made, fingerprint };
  }

  #discard({ object, fd }: Copy): void {
    libc.close(fd);
    this.#core.layers.quota.remove(object);
  }

  /** The permissions of a copy: what is left of them when the base entry goes. */
  #modeOf(inode: Inode, original: number | undefined): number {
    const mode = inode.staged?.attributes.mode ?? original;
    if (mode !== undefined) return mode;
    const stat = this.#core.statOf(inode);
    return typeof stat === 'number' ? 0 : stat.mode;
  }

  /** That somebody asks for an attribute does not say that it is for a write: only who could write has something copied. */
  #mayWrite(inode: Inode, { uid, gid }: Caller): boolean {
    const stat = this.#core.statOf(inode);
    if (typeof stat === 'number') return false;
    if (uid === 0) return true;
    const bit = stat.uid === uid ? 0o200 : stat.gid === gid ? 0o020 : 0o002;
    return (stat.mode & bit) !== 0;
  }
}

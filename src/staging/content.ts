/**
 * Content of regular files: read, write, truncate, and the copy-up that comes before the first change. The
 * decision to copy is made at write time, never at open time, so a snapshot never has to wait for open files:
 * content of an older generation is copied when it is next written, through whatever descriptor.
 */
import { type Caller, type CopyRequest, LATER } from '../fuse/filesystem.ts';
import type { NodeId, ObjectId } from '../sys/bytes.ts';
import type { Errno } from '../sys/errno.ts';
import { EAGAIN, EINVAL, EISDIR, ESTALE, OK } from '../sys/errno.ts';
import * as libc from '../sys/libc.ts';
import { S_IFDIR, S_IFREG } from '../sys/stat.ts';
import { EMPTY } from './content-files.ts';
import { copySome } from './copy-content.ts';
import { CopyUps } from './copy-up/copy-ups.ts';
import { Returns } from './copy-up/returns.ts';
import type { Core } from './core.ts';
import type { Fingerprint, Inode, Time } from './inode.ts';
import { viewPath } from './inode.ts';
import { Unstored } from './store/unstored.ts';

const S_ISUID = 0o4000;
const S_ISGID = 0o2000;
const WHOLE = Number.MAX_SAFE_INTEGER;
/** FALLOC_FL_PUNCH_HOLE and FALLOC_FL_COLLAPSE_RANGE: these need no room. */
const MAKES_HOLES = 0x02 | 0x08;
const NOWHERE = { offset: 0, length: 0 };
/** To free as many bytes takes milliseconds. */
const LARGE = 16 * 2 ** 20;

interface Open {
  readonly inode: Inode;
  /** Of its object. */
  readonly fd: number;
}

interface Piece {
  readonly offset: number;
  readonly data: Buffer;
  readonly whole: boolean;
}

export class Content {
  readonly returns: Returns;
  readonly copyUps: CopyUps;
  readonly unstored: Unstored;
  readonly #core: Core;
  /** The descriptor of the object `allocate` made last, until `adopt` or `discard`. */
  #allocated = -1;
  /** Objects that more than `LARGE` bytes were written or copied to. */
  readonly #large = new Set<ObjectId>();

  constructor(core: Core) {
    this.#core = core;
    this.returns = new Returns(core);
    this.copyUps = new CopyUps(core);
    this.unstored = new Unstored(core, this.returns);
  }

  read(nodeId: NodeId, offset: number, into: Buffer, caller?: Caller): number {
    const inode = this.#core.node(nodeId);
    if (typeof inode === 'number') return -this.unstored.refusal(nodeId);
    if (inode.type === S_IFDIR) return -EISDIR;
    const fd = this.#core.layers.files.of(inode);
    if (fd === EMPTY) return 0;
    if (fd === -EAGAIN) return -this.#core.arrivals.content(inode, caller?.ticket);
    if (fd < 0) return fd;
    let done = 0;
    while (done < into.length) {
      const n = libc.pread(fd, done === 0 ? into : into.subarray(done), into.length - done, offset + done);
      if (n < 0) return done > 0 ? done : n;
      if (n === 0) break;
      done += n;
    }
    return done;
  }

  write(nodeId: NodeId, offset: number, data: Buffer, caller: Caller): number {
    const inode = this.#core.node(nodeId);
    if (typeof inode === 'number') return -this.unstored.refusal(nodeId);
    // The kernel writes back what it holds, and says to a program what came of it later, if ever.
    const isWriteBack = caller.pid === 0;
    const written = this.#put(inode, { offset, data, whole: isWriteBack }, caller);
    if (isWriteBack && isRefused(written)) this.unstored.lost(inode, -written as Errno);
    return written;
  }

  /** `whole`: less than all of it is a failure. */
  #put(inode: Inode, { offset, data, whole }: Piece, caller: Caller): number {
    const fd = this.writable(inode, WHOLE, caller);
    if (fd < 0) return fd;
    if ((inode.staged?.attributes.mode ?? 0) & (S_ISUID | S_ISGID)) this.dropSetId(inode, this.#core.now(), caller);
    const change = (): number => {
      let done = 0;
      while (done < data.length) {
        const n = libc.pwrite(fd, done === 0 ? data : data.subarray(done), data.length - done, offset + done);
        if (n <= 0) return whole || done === 0 ? n : done;
        done += n;
      }
      return done;
    };
    return this.#within({ inode, fd }, { offset, length: data.length }, change);
  }

  /** Sets the size; shrinking copies no more than what stays. */
  truncate(inode: Inode, size: number, caller: Caller): Errno {
    const fd = this.writable(inode, size, caller);
    if (fd < 0) return -fd as Errno;
    const result = this.#within({ inode, fd }, NOWHERE, () => libc.ftruncate(fd, size));
    return result < 0 ? (-result as Errno) : OK;
  }

  fsync(nodeId: NodeId, dataOnly: boolean): Errno {
    const inode = this.#core.node(nodeId);
    if (typeof inode === 'number') return this.unstored.refusal(nodeId);
    if (inode.type === S_IFREG && inode.staged !== undefined && inode.staged.object !== 0) {
      const fd = this.#core.layers.files.of(inode);
      if (fd < 0) return fd === EMPTY ? OK : (-fd as Errno);
      const result = dataOnly ? libc.fdatasync(fd) : libc.fsync(fd);
      if (result < 0) return -result as Errno;
    }
    return this.#core.recorder.sync();
  }

  fallocate(nodeId: NodeId, mode: number, range: { offset: number; length: number }, caller: Caller): Errno {
    const inode = this.#core.node(nodeId);
    if (typeof inode === 'number') return inode;
    if (inode.type !== S_IFREG) return EINVAL;
    const fd = this.writable(inode, WHOLE, caller);
    if (fd < 0) return -fd as Errno;
    const change = (): number => libc.fallocate(fd, mode, range.offset, range.length);
    const result = this.#within({ inode, fd }, mode & MAKES_HOLES ? NOWHERE : range, change);
    return result < 0 ? (-result as Errno) : OK;
  }

  copyFileRange(request: CopyRequest, caller: Caller): number {
    const from = this.#core.node(request.from);
    const to = this.#core.node(request.to);
    if (typeof from === 'number') return -from;
    if (typeof to === 'number') return -to;
    const out = this.writable(to, WHOLE, caller);
    if (out < 0) return out;
    const source = this.#core.layers.files.beside(to, from);
    if (source === EMPTY) return 0;
    if (source === -EAGAIN) return -this.#core.arrivals.content(from, caller.ticket);
    if (source < 0) return source;
    const [start, end] = [request.fromOffset, request.toOffset];
    const change = (): number => copySome({ fd: source, offset: start }, { fd: out, offset: end }, request.length);
    return this.#within({ inode: to, fd: out }, { offset: end, length: request.length }, change);
  }

  /**
   * A descriptor through which the inode's content may be changed in the current generation, copying at most
   * the first `keep` bytes of what was there before; or a negative errno.
   */
  writable(inode: Inode, keep: number, caller: Caller): number {
    if (inode.type !== S_IFREG) return -EINVAL;
    const { files, recorder } = this.#core.layers;
    const staged = inode.staged;
    // What no generation needs need not be copied either: the file has no name any more.
    const isOwn = staged?.objectGen === recorder.generation || this.#core.doomed.has(inode);
    if (staged !== undefined && staged.object !== 0 && isOwn) return files.of(inode);
    const copy = this.copyUps.take(inode, keep, caller);
    if (typeof copy === 'number') {
      if (copy === ESTALE) this.unstored.lost(inode, ESTALE);
      return -copy;
    }
    const error = this.returns.comeBack(inode, caller) || this.#stageContent(inode, copy, caller);
    this.#allocated = copy.fd;
    if (error !== OK) {
      this.discard(copy.object);
      return -error;
    }
    this.adopt(inode);
    if (inode.seenSize > LARGE) this.#large.add(copy.object);
    return copy.fd;
  }

  /** Before the first write(2) to a file, on behalf of who writes. LATER: what it is written over is being copied. */
  expect(nodeId: NodeId, caller: Caller): Errno {
    const inode = this.#core.node(nodeId);
    if (typeof inode === 'number') return OK;
    const error = this.copyUps.expect(inode, caller);
    if (error === ESTALE) this.unstored.lost(inode, ESTALE);
    return error === LATER ? LATER : OK;
  }

  /**
   * Makes an empty object in the store, for a file with these permissions; its descriptor waits for `adopt`. Returns
   * its id or a negative errno.
   */
  allocate(mode = 0): number {
    const { numbers, store, files, quota } = this.#core.layers;
    const retry = (open: () => number): number => files.retry(open);
    const made = store.createNext(() => numbers.nextObject(), { mode, retry });
    if (typeof made === 'number') return -made;
    this.#allocated = made.fd;
    quota.made(made.object);
    return made.object;
  }

  /** The object made last belongs to this inode now: keeps its descriptor for the writes to come. */
  adopt(inode: Inode): void {
    this.#core.layers.files.keep(inode, this.#allocated);
    this.#allocated = -1;
  }

  /** Takes the object made last back. */
  discard(object: ObjectId): void {
    libc.close(this.#allocated);
    this.#allocated = -1;
    this.#core.layers.quota.remove(object);
  }

  /** The kernel has forgotten it: content that nothing names goes, of a large one the blocks while others are served. */
  release(inode: Inode): void {
    const { files, quota } = this.#core.layers;
    this.copyUps.forget(inode);
    const object = this.#core.doomed.delete(inode) ? (inode.staged?.object ?? 0) : 0;
    const last = this.#large.delete(object as ObjectId) ? files.detach(inode) : -1;
    files.drop(inode);
    if (object !== 0) quota.remove(object);
    if (last >= 0) (this.copyUps.copier ?? libc).close(last);
  }

  /** Changes an object if the quota has room for what it writes in `range`; a negative result is an errno. */
  #within({ inode, fd }: Open, range: { offset: number; length: number }, change: () => number): number {
    const { quota, files } = this.#core.layers;
    const object = inode.staged?.object ?? (0 as ObjectId);
    const refused = quota.admitWrite(object, fd, range);
    if (refused !== OK) return -refused;
    files.look.forget();
    if (range.offset + range.length > LARGE) this.#large.add(object);
    const result = change();
    quota.changed(object, fd);
    return result;
  }

  #stageContent(
    inode: Inode,
    content: { object: ObjectId; fingerprint: Fingerprint | undefined },
    caller: Caller,
  ): Errno {
    const { object } = content;
    const core = this.#core;
    const time = core.now();
    const path = viewPath(inode);
    // Without a name it is nobody's: not what the names left in the base must show from now on.
    const first = inode.staged?.fingerprint === undefined ? content.fingerprint : undefined;
    const fingerprint = path === undefined ? undefined : first;
    if (path !== undefined) {
      const pre = core.backing(inode);
      const error = core.record(
        { tag: 'S', how: 'content', path, object, ino: inode.ino, fingerprint, pre },
        time,
        caller,
      );
      if (error !== OK) return error;
    }
    core.tree.setContent(inode, { object, gen: core.recorder.generation, fingerprint });
    if (path === undefined) this.#unnamed(inode);
    this.dropSetId(inode, time, caller);
    return OK;
  }

  /** Content of a file without a name dies with its last reference. */
  #unnamed(inode: Inode): void {
    this.#core.doomed.add(inode);
    this.#core.tree.dirtyInodes.delete(inode);
    if (inode.staged !== undefined) inode.staged.nlink = 0;
  }

  /** A write by anybody but root takes the set-id bits away (write(2)); the kernel leaves that to us. */
  dropSetId(inode: Inode, time: Time, caller: Caller): void {
    if (caller.uid === 0) return;
    const known = inode.staged?.attributes.mode;
    if (known !== undefined && (known & (S_ISUID | S_ISGID)) === 0) return;
    const stat = this.#core.statOf(inode);
    if (typeof stat === 'number' || (stat.mode & (S_ISUID | S_ISGID)) === 0) return;
    const groupExecutable = (stat.mode & 0o010) !== 0;
    const mode = stat.mode & 0o7777 & ~S_ISUID & (groupExecutable ? ~S_ISGID : ~0);
    const path = viewPath(inode);
    const change = { attributes: { mode }, changed: 0, xattr: undefined, fingerprint: undefined };
    const pre = this.#core.backing(inode);
    const lost =
      path !== undefined && this.#core.record({ tag: 'M', path, ino: inode.ino, pre, ...change }, time, caller) !== OK;
    if (!lost) this.#core.tree.change(inode, change);
  }
}

/** Whether data was lost. LATER: it is asked again. ESTALE: what it was written over is gone, and the kernel told (returns.ts). */
function isRefused(written: number): boolean {
  return written < 0 && written !== -LATER && written !== -ESTALE;
}

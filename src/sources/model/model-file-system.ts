/**
 * A FileSystem that asks a model before it delegates what happens below its source, and stages what the model makes:
 *
 *     lookup of what is not there, to read it   find      makes the file or the directory, or refuses
 *     the first listing of a directory          list      names what belongs there, of which nothing is made
 *     mknod, symlink, link, open to write,      write     may be refused; afterwards
 *       truncate                                written   what follows from it for other files
 *     mkdir, unlink, rmdir, rename                        may be refused; what follows is staged with it
 *
 * Who asks waits (LATER), and so does whoever opens a file below the source while it is not known what a write to another
 * means for it. What is there is read without the model.
 */
import type {
  AttrChange,
  AttrReply,
  Caller,
  CopyRequest,
  DirectorySink,
  Entry,
  FileSystem,
  NegativeEntry,
  NewNode,
  RenameRequest,
  StatFs,
  Ticket,
} from '../../fuse/filesystem.ts';
import type { NodePaths } from '../../staging/names/node-paths.ts';
import { type BytePath, isWithin, join, type Name, type NodeId } from '../../sys/bytes.ts';
import { type Errno, OK } from '../../sys/errno.ts';
import { O_ACCMODE, O_RDONLY } from '../../sys/libc.ts';
import type { Consulting } from './consulting.ts';
import { wouldRead } from './intent.ts';
import type { Operation } from './model.ts';
import { Passing, Planned } from './planned.ts';

/** A place below a source, and who answers for it. */
interface Place {
  readonly source: Consulting;
  /** As in `Entry`, '' for the source's root. */
  readonly path: string;
}

export class ModelFileSystem implements FileSystem {
  readonly #inner: FileSystem;
  readonly #nodePaths: NodePaths;
  readonly #sources: readonly Consulting[];

  constructor(inner: FileSystem, nodePaths: NodePaths, sources: readonly Consulting[]) {
    this.#inner = inner;
    this.#nodePaths = nodePaths;
    this.#sources = sources;
  }

  lookup(parent: NodeId, name: Name, caller?: Caller): Entry | NegativeEntry | Errno {
    const found = this.#inner.lookup(parent, name, caller);
    if (typeof found === 'number' || found.nodeId !== 0) {
      // It may be there because this request has waited for it.
      if (caller !== undefined) this.#served(caller);
      return found;
    }
    const place = this.#below(parent, name);
    if (place === undefined || place.path === '') return found;
    // Programs look for many hidden names in each directory (.git, .gitignore); none of them is made by looking.
    if (caller === undefined || name.startsWith('.') || !wouldRead(caller.pid)) return { nodeId: 0, entryValid: 0 };
    const { source, path } = place;
    return source.before({ kind: 'find', path }, caller, () => this.#inner.lookup(parent, name, caller));
  }

  readdir(nodeId: NodeId, cookie: number, sink: DirectorySink, plus: boolean, caller?: Caller): Errno {
    const place = this.#at(nodeId);
    if (place === undefined) return this.#inner.readdir(nodeId, cookie, sink, plus, caller);
    const { source, path } = place;
    if (source.planned.has(path)) {
      if (caller !== undefined) source.served(caller.ticket);
    } else if (cookie === 0 && caller !== undefined) {
      const listed = source.before({ kind: 'list', path }, caller, () => OK);
      if (listed !== OK) return listed;
    }
    const passing = new Passing(sink);
    const errno = Planned.isCookie(cookie) ? OK : this.#inner.readdir(nodeId, cookie, passing, plus, caller);
    if (errno !== OK || passing.isFull) return errno;
    source.planned.emit(path, cookie, sink, (name) => this.#isThere(nodeId, name));
    return OK;
  }

  open(nodeId: NodeId, flags: number, caller: Caller): Errno {
    const place = this.#at(nodeId);
    if (place === undefined) return this.#inner.open(nodeId, flags, caller);
    const { source, path } = place;
    const open = (): Errno => this.#inner.open(nodeId, flags, caller);
    if ((flags & O_ACCMODE) !== O_RDONLY) return source.before({ kind: 'write', path }, caller, open);
    return source.settled(path, caller) || open();
  }

  mknod(parent: NodeId, name: Name, node: NewNode, caller: Caller): Entry | Errno {
    return this.#ask(this.#below(parent, name), 'write', caller, () => this.#inner.mknod(parent, name, node, caller));
  }

  symlink(parent: NodeId, name: Name, target: string, caller: Caller): Entry | Errno {
    return this.#ask(this.#below(parent, name), 'write', caller, () =>
      this.#inner.symlink(parent, name, target, caller),
    );
  }

  link(nodeId: NodeId, parent: NodeId, name: Name, caller: Caller): Entry | Errno {
    return this.#ask(this.#below(parent, name), 'write', caller, () => this.#inner.link(nodeId, parent, name, caller));
  }

  mkdir(parent: NodeId, name: Name, node: NewNode, caller: Caller): Entry | Errno {
    return this.#ask(this.#below(parent, name), 'mkdir', caller, () => this.#inner.mkdir(parent, name, node, caller));
  }

  unlink(parent: NodeId, name: Name, caller: Caller): Errno {
    return this.#ask(this.#below(parent, name), 'remove', caller, () => this.#inner.unlink(parent, name, caller));
  }

  rmdir(parent: NodeId, name: Name, caller: Caller): Errno {
    return this.#ask(this.#below(parent, name), 'remove', caller, () => this.#inner.rmdir(parent, name, caller));
  }

  /** Into the source it is a write, out of it a removal. */
  rename(request: RenameRequest, caller: Caller): Errno {
    const [from, to] = [this.#below(request.fromParent, request.from), this.#below(request.toParent, request.to)];
    const rename = (): Errno => this.#inner.rename(request, caller);
    if (from === undefined || to === undefined || from.source !== to.source)
      return this.#ask(to, 'write', caller, () => this.#ask(from, 'remove', caller, rename));
    const operation: Operation = { kind: 'rename', path: from.path, to: to.path };
    return from.source.before(operation, caller, rename);
  }

  setattr(nodeId: NodeId, change: AttrChange, caller: Caller): AttrReply | Errno {
    const set = (): AttrReply | Errno => this.#inner.setattr(nodeId, change, caller);
    const place = change.size === undefined ? undefined : this.#at(nodeId);
    if (place === undefined) return set();
    const done = change.opened === true ? set() : this.#ask(place, 'write', caller, set);
    if (typeof done !== 'number') place.source.wrote(place.path);
    return done;
  }

  write(nodeId: NodeId, offset: number, data: Buffer, caller: Caller): number {
    const written = this.#inner.write(nodeId, offset, data, caller);
    const place = written < 0 ? undefined : this.#at(nodeId);
    place?.source.wrote(place.path);
    return written;
  }

  copyFileRange(request: CopyRequest, caller: Caller): number {
    const copied = this.#inner.copyFileRange(request, caller);
    const place = copied < 0 ? undefined : this.#at(request.to);
    place?.source.wrote(place.path);
    return copied;
  }

  forget(nodeId: NodeId, lookups: number): void {
    this.#inner.forget(nodeId, lookups);
  }

  getattr(nodeId: NodeId, caller?: Caller, opened?: boolean): AttrReply | Errno {
    return this.#inner.getattr(nodeId, caller, opened);
  }

  readlink(nodeId: NodeId): string | Errno {
    return this.#inner.readlink(nodeId);
  }

  tmpfile(parent: NodeId, node: NewNode, caller: Caller): Entry | Errno {
    return this.#inner.tmpfile(parent, node, caller);
  }

  read(nodeId: NodeId, offset: number, into: Buffer): number {
    return this.#inner.read(nodeId, offset, into);
  }

  expectWrite(nodeId: NodeId, caller: Caller): Errno {
    return this.#inner.expectWrite(nodeId, caller);
  }

  fsync(nodeId: NodeId, dataOnly: boolean): Errno {
    return this.#inner.fsync(nodeId, dataOnly);
  }

  fallocate(nodeId: NodeId, mode: number, range: { offset: number; length: number }, caller: Caller): Errno {
    return this.#inner.fallocate(nodeId, mode, range, caller);
  }

  statfs(): StatFs | Errno {
    return this.#inner.statfs();
  }

  getxattr(nodeId: NodeId, name: string, caller: Caller): Buffer | Errno {
    return this.#inner.getxattr(nodeId, name, caller);
  }

  listxattr(nodeId: NodeId): Buffer | Errno {
    return this.#inner.listxattr(nodeId);
  }

  setxattr(nodeId: NodeId, name: string, value: Buffer, flags: number, caller: Caller): Errno {
    return this.#inner.setxattr(nodeId, name, value, flags, caller);
  }

  removexattr(nodeId: NodeId, name: string, caller: Caller): Errno {
    return this.#inner.removexattr(nodeId, name, caller);
  }

  /** Whoever waited was interrupted. */
  withdraw(ticket: Ticket): void {
    for (const source of this.#sources) source.withdraw(ticket);
  }

  #served({ ticket }: Caller): void {
    for (const source of this.#sources) source.served(ticket);
  }

  #ask<T extends object | Errno>(
    place: Place | undefined,
    kind: 'write' | 'mkdir' | 'remove',
    caller: Caller,
    act: () => T | Errno,
  ): T | Errno {
    return place === undefined ? act() : place.source.before({ kind, path: place.path }, caller, act);
  }

  #isThere(dir: NodeId, name: Name): boolean {
    const found = this.#inner.lookup(dir, name);
    if (typeof found === 'number' || found.nodeId === 0) return false;
    this.#inner.forget(found.nodeId, 1);
    return true;
  }

  #at(nodeId: NodeId): Place | undefined {
    const path = this.#nodePaths.pathOf(nodeId);
    return path === undefined ? undefined : this.#placeOf(path);
  }

  #below(parent: NodeId, name: Name): Place | undefined {
    const dir = this.#nodePaths.pathOf(parent);
    return dir === undefined ? undefined : this.#placeOf(join(dir, name));
  }

  #placeOf(path: BytePath): Place | undefined {
    const source = this.#sources.find(({ at }) => isWithin(path, at));
    if (source === undefined) return undefined;
    const below = path.slice(source.at.length + 1);
    return { source, path: Buffer.from(below, 'latin1').toString('utf8') };
  }
}

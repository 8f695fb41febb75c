/**
 * inotify(7) on the base directories the view has looked into, so that the kernel may keep base facts for long
 * and still learn of outside changes at once. A directory that cannot be watched (limit reached), or that is changed by others
 * than this kernel, too (a network file system), falls back to short lifetimes.
 */
import type { BytePath, Name } from '../../sys/bytes.ts';
import { isWithin, join } from '../../sys/bytes.ts';
import { ENOSPC } from '../../sys/errno.ts';
import { isShared } from '../../sys/host/file-systems.ts';
import * as libc from '../../sys/libc.ts';
import { hostPath } from '../../sys/mounts.ts';
import { decodeStatx, STATX_SIZE } from '../../sys/stat.ts';
import { Below } from './below.ts';

const IN_MODIFY = 0x2;
const IN_ATTRIB = 0x4;
const IN_MOVED_FROM = 0x40;
const IN_MOVED_TO = 0x80;
const IN_CREATE = 0x100;
const IN_DELETE = 0x200;
const IN_DELETE_SELF = 0x400;
const IN_MOVE_SELF = 0x800;
const IN_Q_OVERFLOW = 0x4000;
const IN_IGNORED = 0x8000;
const IN_ONLYDIR = 0x1000000;
const IN_ISDIR = 0x40000000;
const IN_DONT_FOLLOW = 0x2000000;

const MASK =
  IN_MODIFY |
  IN_ATTRIB |
  IN_MOVED_FROM |
  IN_MOVED_TO |
  IN_CREATE |
  IN_DELETE |
  IN_DELETE_SELF |
  IN_MOVE_SELF |
  IN_ONLYDIR |
  IN_DONT_FOLLOW;

const HEADER = 16;
/** For how long it is kept at hand which directories lie where, after one of them has moved: others follow. */
const KEPT_MS = 10_000;

/** What happened to a name: it is there, or there again; its content or its attributes changed; it is gone. */
export type Happened = 'born' | 'written' | 'touched' | 'gone';

export interface WatchEvents {
  /** Something about `name` in `dir` changed; no name: the directory itself went away or moved. */
  changed(dir: BytePath, name: Name | undefined, what: Happened): void;
  /** Events were lost: everything may have changed. */
  overflow(): void;
}

export class BaseWatch {
  /** Readable when `drain` has something to do; -1 when the host has no inotify to spare. */
  readonly fd: number;
  readonly #paths = new Map<number, BytePath>();
  readonly #watches = new Map<BytePath, number>();
  /** Directories of which events tell what this kernel has done, and nothing more. */
  readonly #shared = new Set<BytePath>();
  /** Directories that gave an error; not tried again. */
  readonly #refused = new Set<BytePath>();
  #isShort = false;
  /** Paths of directories that were found elsewhere, before the event came that they have moved. */
  readonly #left: BytePath[] = [];
  /** Made when it is needed: it takes 44 bytes a watch. */
  #below: Below | undefined;
  #usedAt = 0;
  readonly #excluded: readonly BytePath[];
  readonly #isShared: (dir: BytePath) => boolean;
  readonly #buffer = Buffer.alloc(64 * 1024);

  /** `excluded` directories (kernel interfaces, the session's own) are never watched. */
  constructor(excluded: readonly BytePath[], isSharedAt = isOnShared) {
    this.fd = libc.inotifyInit();
    this.#excluded = excluded;
    this.#isShared = isSharedAt;
  }

  /** Whether the host has given fewer watches than were wanted: what changes where there is none, no event tells. */
  get isShort(): boolean {
    return this.fd < 0 || this.#isShort;
  }

  /** Starts watching; false when what changes there may go unheard. */
  add(dir: BytePath): boolean {
    if (this.#watches.has(dir)) return !this.#shared.has(dir);
    if (this.fd < 0 || this.#refused.has(dir)) return false;
    const watch = this.#excluded.some((path) => isWithin(dir, path))
      ? -1
      : libc.inotifyAddWatch(this.fd, hostPath(dir), MASK);
    if (watch < 0) {
      this.#refused.add(dir);
      this.#isShort ||= watch === -ENOSPC;
      return false;
    }
    const before = this.#paths.get(watch);
    if (before !== undefined) this.#left.push(before);
    this.#paths.set(watch, dir);
    this.#watches.set(dir, watch);
    this.#below?.add(dir);
    if (!this.#isShared(dir)) return true;
    this.#shared.add(dir);
    return false;
  }

  /** Stops watching everything below a mount point: the watches are of what it hides or of what is gone. */
  remounted(point: BytePath): void {
    for (const [dir, watch] of this.#watchesBelow(point)) this.#remove(watch, dir, true);
    for (const dir of this.#refused) if (isWithin(dir, point)) this.#refused.delete(dir);
  }

  /** Reads and reports all pending events. */
  drain(events: WatchEvents): void {
    if (performance.now() - this.#usedAt > KEPT_MS) this.#below = undefined;
    for (const dir of this.#left.splice(0)) this.#end(dir, events);
    for (;;) {
      const length = libc.read(this.fd, this.#buffer);
      if (length <= 0) return;
      for (let at = 0; at < length; ) at += this.#report(at, events);
    }
  }

  /** Gives the descriptor, and with it all watches, back. */
  close(): void {
    if (this.fd >= 0) libc.close(this.fd);
  }

  #report(at: number, events: WatchEvents): number {
    const watch = this.#buffer.readInt32LE(at);
    const mask = this.#buffer.readUInt32LE(at + 4);
    const size = HEADER + this.#buffer.readUInt32LE(at + 12);
    if (mask & IN_Q_OVERFLOW) events.overflow();
    const dir = this.#paths.get(watch);
    if (dir === undefined) return size;
    if (mask & IN_MOVE_SELF) this.#end(dir, events);
    else if (mask & (IN_DELETE_SELF | IN_IGNORED)) {
      this.#remove(watch, dir, (mask & IN_IGNORED) === 0);
      events.changed(dir, undefined, 'gone');
    } else if (size > HEADER) {
      const end = this.#buffer.indexOf(0, at + HEADER);
      const name = this.#buffer.toString('latin1', at + HEADER, end) as Name;
      // Of itself it tells only when nobody has it open any more, and we may.
      if (mask & IN_DELETE && mask & IN_ISDIR) this.#gone(join(dir, name), events);
      events.changed(dir, name, happened(mask));
    }
    return size;
  }

  /** An empty directory was removed. */
  #gone(dir: BytePath, events: WatchEvents): void {
    const watch = this.#watches.get(dir);
    if (watch === undefined) return;
    this.#remove(watch, dir, true);
    events.changed(dir, undefined, 'gone');
  }

  /** A directory has left its path, and all that is below it with it, of which no event tells. */
  #end(point: BytePath, events: WatchEvents): void {
    for (const [dir, watch] of this.#watchesBelow(point)) {
      this.#remove(watch, dir, true);
      events.changed(dir, undefined, 'gone');
    }
  }

  /** Those of a directory and of all below it, which are about to be removed. */
  #watchesBelow(point: BytePath): (readonly [BytePath, number])[] {
    this.#below ??= new Below(this.#watches.keys());
    this.#usedAt = performance.now();
    return this.#below.take(point).flatMap((dir) => {
      const watch = this.#watches.get(dir);
      return watch === undefined ? [] : [[dir, watch] as const];
    });
  }

  #remove(watch: number, dir: BytePath, alive: boolean): void {
    this.#watches.delete(dir);
    this.#shared.delete(dir);
    // It may be of the same directory by the path that it has now.
    if (this.#paths.get(watch) !== dir) return;
    this.#paths.delete(watch);
    if (alive) libc.inotifyRemoveWatch(this.fd, watch);
  }
}

function isOnShared(dir: BytePath): boolean {
  const statx = Buffer.alloc(STATX_SIZE);
  return libc.statxInto(libc.AT_FDCWD, hostPath(dir), statx) >= 0 && isShared(decodeStatx(statx).dev);
}

function happened(mask: number): Happened {
  if (mask & (IN_CREATE | IN_MOVED_TO)) return 'born';
  if (mask & (IN_DELETE | IN_MOVED_FROM)) return 'gone';
  return mask & IN_MODIFY ? 'written' : 'touched';
}

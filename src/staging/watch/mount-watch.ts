/**
 * What is mounted and unmounted on the host while the view is served. A file system that appears over a base
 * directory raises no event in it: the kernel says so only to who polls /proc/self/mountinfo (proc(5)), for
 * priority events, which an epoll descriptor turns into plain readability.
 */
import type { BytePath } from '../../sys/bytes.ts';
import { fromMountText } from '../../sys/files/mount-text.ts';
import { epollPriority, epollTake } from '../../sys/kernel/epoll.ts';
import { AT_FDCWD, close, O_RDONLY, openAt, pread } from '../../sys/libc.ts';
import { VIEW_TYPE } from '../../sys/mounts.ts';

/** Fields of a line: id, parent, device, root in the file system, mount point, ... */
const MOUNT_POINT = 4;

export class MountWatch {
  /** Readable when `drain` has something to do; negative when the host has no such thing to offer. */
  readonly fd: number;
  readonly #table: number;
  readonly #chunk = Buffer.alloc(64 * 1024);
  #mounts: Map<BytePath, string>;
  #views = new Set<BytePath>();

  constructor() {
    this.#table = openAt(AT_FDCWD, '/proc/self/mountinfo', O_RDONLY);
    this.fd = this.#table < 0 ? -1 : epollPriority(this.#table);
    this.#mounts = this.#read();
  }

  /** Where views are mounted, this session's or another's. */
  get views(): ReadonlySet<BytePath> {
    return this.#views;
  }

  /** The mount points at which something else is mounted than at the last call. */
  drain(): BytePath[] {
    epollTake(this.fd);
    const before = this.#mounts;
    this.#mounts = this.#read();
    const points = new Set([...before.keys(), ...this.#mounts.keys()]);
    return [...points].filter((point) => before.get(point) !== this.#mounts.get(point));
  }

  /** Gives the descriptors back. */
  close(): void {
    for (const fd of [this.fd, this.#table]) if (fd >= 0) close(fd);
  }

  #read(): Map<BytePath, string> {
    const mounts = new Map<BytePath, string>();
    this.#views = new Set();
    for (const line of this.#text().split('\n')) {
      const fields = line.split(' ');
      const point = fields[MOUNT_POINT];
      if (point === undefined) continue;
      const path = fromMountText(point) as BytePath;
      mounts.set(path, `${mounts.get(path) ?? ''} ${fields[0]}`);
      if (line.includes(` - ${VIEW_TYPE} `)) this.#views.add(path);
    }
    return mounts;
  }

  #text(): string {
    let text = '';
    for (;;) {
      const length = this.#table < 0 ? 0 : pread(this.#table, this.#chunk, this.#chunk.length, text.length);
      if (length <= 0) return text;
      text += this.#chunk.toString('latin1', 0, length);
    }
  }
}

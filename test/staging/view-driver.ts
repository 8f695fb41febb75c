/**
 * Drives a FileSystem the way the kernel would (lookups, then one operation), by path, in one process and
 * without a mount. Every result is an errno (0 = success), so that it can be compared with the host's.
 */
import type { DirectorySink, Entry, FileSystem, Ticket } from '../../src/fuse/filesystem.ts';
import type { BytePath, Name, NodeId } from '../../src/sys/bytes.ts';
import { components, splitPath } from '../../src/sys/bytes.ts';
import { S_IFDIR, S_IFLNK, S_IFMT, S_IFREG } from '../../src/sys/stat.ts';

/** Who works in the view is who runs the test. */
export const CALLER = {
  uid: process.getuid?.() ?? 0,
  gid: process.getgid?.() ?? 0,
  pid: process.pid,
  ticket: 0 as Ticket,
};
const ENOENT = 2;
const EEXIST = 17;

export interface NodeImage {
  readonly type: number;
  readonly mode: number;
  readonly nlink: number;
  readonly content: string;
}

export class ViewDriver {
  readonly fs: FileSystem;

  constructor(fs: FileSystem) {
    this.fs = fs;
  }

  /** Node id of a path, or a negative errno. */
  resolve(path: BytePath): number {
    let at = 1;
    for (const name of components(path)) {
      const entry = this.fs.lookup(at as NodeId, name);
      if (typeof entry === 'number') return -entry;
      if (entry.nodeId === 0) return -ENOENT;
      at = entry.nodeId;
    }
    return at;
  }

  #parent(path: BytePath): { dir: number; name: Name } {
    const split = splitPath(path);
    if (split === undefined) throw new RangeError('no parent');
    return { dir: this.resolve(split.dir), name: split.name };
  }

  #inParent(path: BytePath, make: (dir: NodeId, name: Name) => Entry | number): number {
    const { dir, name } = this.#parent(path);
    if (dir < 0) return -dir;
    if (this.#typeOf(dir) !== S_IFDIR) return 20;
    const known = this.fs.lookup(dir as NodeId, name);
    const made = make(dir as NodeId, name);
    if (typeof known !== 'number' && known.nodeId !== 0 && made === 0) return EEXIST;
    return typeof made === 'number' ? made : 0;
  }

  #typeOf(nodeId: number): number {
    const attr = this.fs.getattr(nodeId as NodeId);
    return typeof attr === 'number' ? 0 : attr.stat.mode & S_IFMT;
  }

  create(path: BytePath, mode: number): number {
    return this.#inParent(path, (dir, name) =>
      this.fs.mknod(dir, name, { mode: S_IFREG | mode, rdev: 0, umask: 0 }, CALLER),
    );
  }

  mkdir(path: BytePath, mode: number): number {
    return this.#inParent(path, (dir, name) => this.fs.mkdir(dir, name, { mode, rdev: 0, umask: 0 }, CALLER));
  }

  symlink(target: string, path: BytePath): number {
    return this.#inParent(path, (dir, name) => this.fs.symlink(dir, name, target, CALLER));
  }

  link(existing: BytePath, path: BytePath): number {
    const node = this.resolve(existing);
    if (node < 0) return -node;
    return this.#inParent(path, (dir, name) => this.fs.link(node as NodeId, dir, name, CALLER));
  }

  unlink(path: BytePath): number {
    return this.#gone(path, (dir, name) => this.fs.unlink(dir, name, CALLER));
  }

  rmdir(path: BytePath): number {
    return this.#gone(path, (dir, name) => this.fs.rmdir(dir, name, CALLER));
  }

  #gone(path: BytePath, remove: (dir: NodeId, name: Name) => number): number {
    const { dir, name } = this.#parent(path);
    if (dir < 0) return -dir;
    return remove(dir as NodeId, name);
  }

  rename(from: BytePath, to: BytePath, flags = 0): number {
    const source = this.#parent(from);
    const target = this.#parent(to);
    if (source.dir < 0) return -source.dir;
    if (target.dir < 0) return -target.dir;
    const request = {
      fromParent: source.dir as NodeId,
      from: source.name,
      toParent: target.dir as NodeId,
      to: target.name,
      flags,
    };
    return this.fs.rename(request, CALLER);
  }

  write(path: BytePath, offset: number, text: string): number {
    const node = this.resolve(path);
    if (node < 0) return -node;
    const result = this.fs.write(node as NodeId, offset, Buffer.from(text, 'latin1'), CALLER);
    return result < 0 ? -result : 0;
  }

  truncate(path: BytePath, size: number): number {
    return this.#setattr(path, { size });
  }

  chmod(path: BytePath, mode: number): number {
    return this.#setattr(path, { mode });
  }

  #setattr(path: BytePath, change: { size?: number; mode?: number }): number {
    const node = this.resolve(path);
    if (node < 0) return -node;
    const result = this.fs.setattr(node as NodeId, change, CALLER);
    return typeof result === 'number' ? result : 0;
  }

  list(path: BytePath): Name[] {
    return this.namesIn(this.resolve(path) as NodeId);
  }

  namesIn(node: NodeId): Name[] {
    const names: Name[] = [];
    let cookie = 0;
    for (;;) {
      let room = 3;
      const before = cookie;
      const sink: DirectorySink = {
        fits: () => room > 0,
        add: (name, _ino, _type, next) => {
          room -= 1;
          cookie = next;
          if (name !== '.' && name !== '..') names.push(name);
        },
      };
      this.fs.readdir(node, cookie, sink, false);
      if (cookie === before) return names.sort();
    }
  }

  /** Everything below a path: relative path -> type, mode, link count, content. */
  image(root: BytePath): Map<string, NodeImage> {
    const found = new Map<string, NodeImage>();
    const walk = (path: BytePath, relative: string): void => {
      for (const name of this.list(path)) {
        const child = `${path}/${name}` as BytePath;
        const image = this.#imageOf(child);
        found.set(`${relative}${name}`, image);
        if (image.type === S_IFDIR) walk(child, `${relative}${name}/`);
      }
    };
    walk(root, '');
    return found;
  }

  #imageOf(path: BytePath): NodeImage {
    const node = this.resolve(path) as NodeId;
    const attr = this.fs.getattr(node);
    if (typeof attr === 'number') throw new Error(`getattr ${path}: ${attr}`);
    const type = attr.stat.mode & S_IFMT;
    let content = '';
    if (type === S_IFREG) {
      const buffer = Buffer.alloc(attr.stat.size);
      const n = this.fs.read(node, 0, buffer);
      if (n !== attr.stat.size) throw new Error(`read ${path}: ${n} of ${attr.stat.size}`);
      content = buffer.toString('latin1');
    } else if (type === S_IFLNK) {
      content = String(this.fs.readlink(node));
    }
    const nlink = type === S_IFDIR ? 0 : attr.stat.nlink;
    return { type, mode: attr.stat.mode & 0o7777, nlink, content };
  }
}

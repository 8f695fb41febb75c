/**
 * Files below a directory of the view by their path, for the host side: each call looks its path up, as the kernel would,
 * and gives the references back. Nobody is asked and no rule counts: what is done here somebody has leave for already.
 */
import type { Caller, DirectorySink, Entry, FileSystem, NegativeEntry } from '../../fuse/filesystem.ts';
import { type BytePath, components, type Ino, type Name, type NodeId, toBytes } from '../../sys/bytes.ts';
import { EEXIST, EIO, EISDIR, ENOENT, ENOTDIR, type Errno, OK } from '../../sys/errno.ts';
import { S_IFDIR, S_IFMT, S_IFREG } from '../../sys/stat.ts';

const ROOT_NODE = 1 as NodeId;
const CHUNK = 1 << 20;

export interface Named {
  readonly name: Name;
  readonly type: number;
}

/** A name that stands for something else now, or whose content changed. */
export interface Touched {
  readonly parent: NodeId;
  readonly name: Name;
  /** The file or directory that was there before. */
  readonly nodeId: NodeId | undefined;
}

export class Files {
  readonly #fs: FileSystem;
  readonly #at: readonly Name[];

  constructor(fs: FileSystem, at: BytePath) {
    this.#fs = fs;
    this.#at = components(at);
  }

  /** Calls `use` with what a path stands for, '' being the directory itself; an errno if it is not there. */
  with<T>(path: string, use: (entry: Entry) => T): T | Errno {
    return this.#from(ROOT_NODE, [...this.#at, ...namesIn(path)], use);
  }

  list(path: string): Named[] | Errno {
    return this.with(path, ({ nodeId }) => {
      const sink = new Listing();
      let errno: Errno;
      do {
        sink.room = Listing.ROOM;
        errno = this.#fs.readdir(nodeId, sink.last, sink, false);
      } while (errno === OK && sink.room <= 0);
      return errno === OK ? sink.names : errno;
    });
  }

  read(path: string): Uint8Array | Errno {
    return this.with(path, ({ nodeId, stat }) => {
      if ((stat.mode & S_IFMT) !== S_IFREG) return EISDIR;
      const content = Buffer.alloc(stat.size);
      for (let at = 0; at < stat.size; ) {
        const read = this.#fs.read(nodeId, at, content.subarray(at, at + CHUNK));
        if (read < 0) return -read as Errno;
        if (read === 0) return content.subarray(0, at);
        at += read;
      }
      return content;
    });
  }

  /** Makes a directory and those above it; one that is there stays as it is. */
  mkdir(path: string, caller: Caller): Touched[] | Errno {
    const touched: Touched[] = [];
    const names = namesIn(path);
    for (let i = 1; i <= names.length; i++) {
      const made = this.#in(names.slice(0, i), (parent, name) =>
        this.#made(parent, name, this.#fs.mkdir(parent, name, { mode: S_IFDIR | 0o755, rdev: 0, umask: 0 }, caller)),
      );
      if (typeof made !== 'number') touched.push(made);
      else if (made !== EEXIST) return made;
    }
    return touched;
  }

  /** Makes `content` all that a file has; the file and the directories above it are made if need be. */
  write(path: string, content: Uint8Array, caller: Caller): Touched[] | Errno {
    const touched = this.mkdir(path.split('/').slice(0, -1).join('/'), caller);
    if (typeof touched === 'number') return touched;
    const file = this.#in(namesIn(path), (parent, name) => this.#fileAt(parent, name, caller));
    if (typeof file === 'number') return file;
    const errno = this.with(path, ({ nodeId, stat }) => {
      return (stat.mode & S_IFMT) === S_IFREG ? this.#fill(nodeId, content, caller) : EISDIR;
    });
    return errno === OK ? [...touched, file] : errno;
  }

  /** Removes a file or an empty directory. */
  remove(path: string, caller: Caller): Touched[] | Errno {
    return this.#in(namesIn(path), (parent, name) => {
      const entry = this.#fs.lookup(parent, name);
      if (typeof entry === 'number') return entry;
      if (!isThere(entry)) return ENOENT;
      this.#fs.forget(entry.nodeId, 1);
      const isDirectory = (entry.stat.mode & S_IFMT) === S_IFDIR;
      const errno = isDirectory ? this.#fs.rmdir(parent, name, caller) : this.#fs.unlink(parent, name, caller);
      return errno === OK ? [{ parent, name, nodeId: entry.nodeId }] : errno;
    });
  }

  #fill(nodeId: NodeId, content: Uint8Array, caller: Caller): Errno {
    const emptied = this.#fs.setattr(nodeId, { size: 0 }, caller);
    if (typeof emptied === 'number') return emptied;
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    for (let at = 0; at < bytes.length; ) {
      const written = this.#fs.write(nodeId, at, bytes.subarray(at, at + CHUNK), caller);
      if (written <= 0) return written === 0 ? EIO : (-written as Errno);
      at += written;
    }
    return OK;
  }

  #fileAt(parent: NodeId, name: Name, caller: Caller): Touched | Errno {
    const known = this.#fs.lookup(parent, name);
    if (typeof known !== 'number' && known.nodeId !== 0) {
      this.#fs.forget(known.nodeId, 1);
      return { parent, name, nodeId: known.nodeId };
    }
    const node = { mode: S_IFREG | 0o644, rdev: 0, umask: 0 };
    return this.#made(parent, name, this.#fs.mknod(parent, name, node, caller));
  }

  #made(parent: NodeId, name: Name, made: Entry | Errno): Touched | Errno {
    if (typeof made === 'number') return made;
    this.#fs.forget(made.nodeId, 1);
    return { parent, name, nodeId: undefined };
  }

  /** Calls `use` with the directory of a path, which stays known until it returns, and the last name. */
  #in<T>(names: readonly Name[], use: (parent: NodeId, name: Name) => T | Errno): T | Errno {
    const name = names.at(-1);
    if (name === undefined) return EISDIR;
    return this.#from(ROOT_NODE, [...this.#at, ...names.slice(0, -1)], ({ nodeId }) => use(nodeId, name)) as T | Errno;
  }

  #from<T>(dir: NodeId, names: readonly Name[], use: (entry: Entry) => T): T | Errno {
    const [name, ...rest] = names;
    if (name === undefined) return ENOENT;
    const entry = this.#fs.lookup(dir, name);
    if (typeof entry === 'number') return entry;
    if (!isThere(entry)) return ENOENT;
    try {
      if (rest.length > 0 && (entry.stat.mode & S_IFMT) !== S_IFDIR) return ENOTDIR;
      return rest.length === 0 ? use(entry) : this.#from(entry.nodeId, rest, use);
    } finally {
      this.#fs.forget(entry.nodeId, 1);
    }
  }
}

class Listing implements DirectorySink {
  static readonly ROOM = 1000;
  room = 0;
  last = 0;
  readonly names: Named[] = [];

  fits(): boolean {
    return this.room > 0;
  }

  add(name: Name, _ino: Ino, type: number, nextCookie: number): void {
    this.room--;
    this.last = nextCookie;
    if (name !== '.' && name !== '..') this.names.push({ name, type: type & S_IFMT });
  }
}

/** The names in a path of a source, as bytes. */
export function namesIn(path: string): Name[] {
  return path === '' ? [] : (toBytes(path).split('/') as Name[]);
}

function isThere(entry: Entry | NegativeEntry): entry is Entry {
  return entry.nodeId !== 0;
}

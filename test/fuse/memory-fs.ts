/** A complete FileSystem in memory: the second implementation, which shows what the kernel protocol alone does. */
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
} from '../../src/fuse/filesystem.ts';
import type { Ino, Name, NodeId } from '../../src/sys/bytes.ts';
import {
  EACCES,
  EEXIST,
  EINVAL,
  EISDIR,
  ENAMETOOLONG,
  ENODATA,
  ENOENT,
  ENOTDIR,
  ENOTEMPTY,
  EOPNOTSUPP,
  type Errno,
  OK,
} from '../../src/sys/errno.ts';
import { isDirectory, S_IFDIR, S_IFLNK, S_IFMT, S_IFREG } from '../../src/sys/stat.ts';
import { clock, listing, type Node, newNode, resize, touch } from './memory-node.ts';

const ROOT_ID = 1 as NodeId;
const NAME_MAX = 255;
const ANYBODY: Caller = { uid: 0, gid: 0, pid: 0, ticket: 0 as Caller['ticket'] };

/** Everything in maps; attributes and names are valid for `valid` seconds in the kernel. */
export class MemoryFs implements FileSystem {
  readonly expectWrite = (): Errno => OK;
  readonly #nodes = new Map<NodeId, Node>();
  readonly #valid: number;
  #lastId = 0;
  #lastCookie = 2;

  constructor(options: { valid: number; uid?: number; gid?: number }) {
    this.#valid = options.valid;
    const caller = { ...ANYBODY, uid: options.uid ?? 0, gid: options.gid ?? 0 };
    this.#make({ mode: S_IFDIR | 0o755, rdev: 0, umask: 0 }, caller, undefined);
  }

  /** Nodes the kernel still knows or names still reach; for leak checks. */
  get size(): number {
    return this.#nodes.size;
  }

  /** Gives the root a file with this content behind the kernel's back; one that is there keeps its node. */
  put(name: Name, content: string): NodeId {
    const root = this.#get(ROOT_ID);
    const fresh = { mode: S_IFREG | 0o644, rdev: 0, umask: 0 };
    const node = root.entries.get(name)?.node ?? this.#make(fresh, ANYBODY, root);
    if (!root.entries.has(name)) this.#attach(root, name, node);
    resize(node, content.length);
    node.content.write(content, 'latin1');
    return node.id;
  }

  /** Takes a name from the root behind the kernel's back. */
  drop(name: Name): NodeId {
    const root = this.#get(ROOT_ID);
    const id = root.entries.get(name)?.node.id ?? ROOT_ID;
    this.#detach(root, name);
    return id;
  }

  lookup(parent: NodeId, name: Name): Entry | NegativeEntry | Errno {
    if (name.length > NAME_MAX) return ENAMETOOLONG;
    const found = this.#get(parent).entries.get(name);
    return found === undefined ? { nodeId: 0, entryValid: this.#valid } : this.#entry(found.node);
  }

  forget(nodeId: NodeId, lookups: number): void {
    const node = this.#get(nodeId);
    node.lookups -= lookups;
    this.#drop(node);
  }

  getattr(nodeId: NodeId): AttrReply {
    return this.#attr(this.#get(nodeId));
  }

  setattr(nodeId: NodeId, change: AttrChange): AttrReply {
    const node = this.#get(nodeId);
    const { stat } = node;
    if (change.mode !== undefined) stat.mode = (stat.mode & S_IFMT) | (change.mode & 0o7777);
    if (change.uid !== undefined) stat.uid = change.uid;
    if (change.gid !== undefined) stat.gid = change.gid;
    if (change.size !== undefined) resize(node, change.size);
    if (change.killSuidgid === true) stat.mode &= ~0o6000;
    const now = clock();
    stat.ctimeSec = change.ctime?.sec ?? now.sec;
    stat.ctimeNsec = change.ctime?.nsec ?? now.nsec;
    const atime = change.atime === 'now' ? now : change.atime;
    const mtime = change.mtime === 'now' ? now : change.mtime;
    if (atime !== undefined) [stat.atimeSec, stat.atimeNsec] = [atime.sec, atime.nsec];
    if (mtime !== undefined) [stat.mtimeSec, stat.mtimeNsec] = [mtime.sec, mtime.nsec];
    return this.#attr(node);
  }

  readlink(nodeId: NodeId): string {
    return this.#get(nodeId).target;
  }

  symlink(parent: NodeId, name: Name, target: string, caller: Caller): Entry | Errno {
    const made = this.#create(parent, name, { mode: S_IFLNK | 0o777, rdev: 0, umask: 0 }, caller);
    if (typeof made === 'number') return made;
    made.target = target;
    made.stat.size = target.length;
    return this.#entry(made);
  }

  mknod(parent: NodeId, name: Name, node: NewNode, caller: Caller): Entry | Errno {
    const made = this.#create(parent, name, node, caller);
    return typeof made === 'number' ? made : this.#entry(made);
  }

  mkdir(parent: NodeId, name: Name, node: NewNode, caller: Caller): Entry | Errno {
    return this.mknod(parent, name, { ...node, mode: S_IFDIR | node.mode }, caller);
  }

  unlink(parent: NodeId, name: Name): Errno {
    const found = this.#get(parent).entries.get(name);
    if (found === undefined) return ENOENT;
    if (isDirectory(found.node.stat.mode)) return EISDIR;
    this.#detach(this.#get(parent), name);
    return OK;
  }

  rmdir(parent: NodeId, name: Name): Errno {
    const found = this.#get(parent).entries.get(name);
    if (found === undefined) return ENOENT;
    if (!isDirectory(found.node.stat.mode)) return ENOTDIR;
    if (found.node.entries.size > 0) return ENOTEMPTY;
    this.#detach(this.#get(parent), name);
    return OK;
  }

  rename(request: RenameRequest): Errno {
    const fromDir = this.#get(request.fromParent);
    const toDir = this.#get(request.toParent);
    const moved = fromDir.entries.get(request.from)?.node;
    const replaced = toDir.entries.get(request.to)?.node;
    if (moved === undefined) return ENOENT;
    if (request.flags === 1 && replaced !== undefined) return EEXIST;
    if (request.flags > 2) return EINVAL;
    if (request.flags === 2) return this.#exchange(request);
    if (replaced === moved) return OK;
    if (replaced !== undefined && replaced.entries.size > 0) return ENOTEMPTY;
    if (replaced !== undefined) this.#detach(toDir, request.to);
    this.#attach(toDir, request.to, moved);
    this.#detach(fromDir, request.from);
    moved.parent = toDir;
    return OK;
  }

  link(nodeId: NodeId, parent: NodeId, name: Name): Entry | Errno {
    const node = this.#get(nodeId);
    if (this.#get(parent).entries.has(name)) return EEXIST;
    this.#attach(this.#get(parent), name, node);
    return this.#entry(node);
  }

  tmpfile(parent: NodeId, node: NewNode, caller: Caller): Entry | Errno {
    const made = this.#make(node, caller, this.#get(parent));
    made.stat.nlink = 0;
    return this.#entry(made);
  }

  open(nodeId: NodeId): Errno {
    return this.#get(nodeId).stat.mode & 0o444 ? OK : EACCES;
  }

  read(nodeId: NodeId, offset: number, into: Buffer): number {
    const { content } = this.#get(nodeId);
    return offset >= content.length ? 0 : content.copy(into, 0, offset);
  }

  write(nodeId: NodeId, offset: number, data: Buffer): number {
    const node = this.#get(nodeId);
    if (node.content.length < offset + data.length) resize(node, offset + data.length);
    return data.copy(node.content, offset);
  }

  fsync(): Errno {
    return OK;
  }

  fallocate(nodeId: NodeId, mode: number, range: { offset: number; length: number }): Errno {
    if (mode !== 0) return EOPNOTSUPP;
    const node = this.#get(nodeId);
    if (node.content.length < range.offset + range.length) resize(node, range.offset + range.length);
    return OK;
  }

  copyFileRange(request: CopyRequest): number {
    const from = request.fromOffset;
    const data = this.#get(request.from).content.subarray(from, from + request.length);
    return this.write(request.to, request.toOffset, Buffer.from(data));
  }

  readdir(nodeId: NodeId, cookie: number, sink: DirectorySink, plus: boolean): Errno {
    for (const { name, node, cookie: next } of listing(this.#get(nodeId))) {
      if (next <= cookie) continue;
      if (!sink.fits(name)) return OK;
      const entry = plus && next > 2 ? this.#entry(node) : undefined;
      sink.add(name, node.stat.ino as Ino, node.stat.mode & S_IFMT, next, entry);
    }
    return OK;
  }

  statfs(): StatFs {
    return { blocks: 1000, bfree: 500, bavail: 400, files: 100, ffree: 50, bsize: 4096, namelen: 255, frsize: 4096 };
  }

  getxattr(nodeId: NodeId, name: string): Buffer | Errno {
    return this.#get(nodeId).xattrs.get(name) ?? ENODATA;
  }

  listxattr(nodeId: NodeId): Buffer {
    const names = [...this.#get(nodeId).xattrs.keys()];
    return Buffer.from(names.map((name) => `${name}\0`).join(''), 'latin1');
  }

  setxattr(nodeId: NodeId, name: string, value: Buffer): Errno {
    // Without FUSE_POSIX_ACL the kernel would not follow it: tools must fall back to the mode.
    if (name.startsWith('system.')) return EOPNOTSUPP;
    this.#get(nodeId).xattrs.set(name, Buffer.from(value));
    return OK;
  }

  removexattr(nodeId: NodeId, name: string): Errno {
    return this.#get(nodeId).xattrs.delete(name) ? OK : ENODATA;
  }

  #get(id: NodeId): Node {
    const node = this.#nodes.get(id);
    if (node === undefined) throw new Error(`the kernel asked for node ${id}, which it does not hold`);
    return node;
  }

  #attr(node: Node): AttrReply {
    return { stat: node.stat, attrValid: this.#valid };
  }

  #entry(node: Node): Entry {
    node.lookups++;
    return { nodeId: node.id, inodeGeneration: 0, entryValid: this.#valid, attrValid: this.#valid, stat: node.stat };
  }

  #create(parent: NodeId, name: Name, node: NewNode, caller: Caller): Node | Errno {
    const dir = this.#get(parent);
    if (dir.entries.has(name)) return EEXIST;
    const made = this.#make(node, caller, dir);
    made.stat.nlink = 0;
    this.#attach(dir, name, made);
    return made;
  }

  #make(node: NewNode, caller: Caller, parent: Node | undefined): Node {
    const made = newNode(++this.#lastId as NodeId, node, caller, parent);
    this.#nodes.set(made.id, made);
    return made;
  }

  #attach(dir: Node, name: Name, node: Node): void {
    dir.entries.set(name, { node, cookie: ++this.#lastCookie });
    node.stat.nlink++;
    touch(dir);
  }

  #detach(dir: Node, name: Name): void {
    const node = dir.entries.get(name)?.node;
    dir.entries.delete(name);
    touch(dir);
    if (node === undefined) return;
    node.stat.nlink--;
    this.#drop(node);
  }

  #exchange(request: RenameRequest): Errno {
    const from = this.#get(request.fromParent).entries.get(request.from);
    const to = this.#get(request.toParent).entries.get(request.to);
    if (from === undefined || to === undefined) return ENOENT;
    [from.node, to.node] = [to.node, from.node];
    return OK;
  }

  #drop(node: Node): void {
    if (node.lookups === 0 && node.stat.nlink === 0) this.#nodes.delete(node.id);
  }
}

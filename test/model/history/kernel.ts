/**
 * What the kernel does between a process and the view, in this process and without a mount: it walks paths by LOOKUP,
 * keeps names, listings and attributes for as long as it was told it may, trusts its own pages of a file, and forgets
 * when it is told to. What the view fails to invalidate shows here as a stale answer.
 */
import assert from 'node:assert/strict';
import type {
  AttrChange,
  AttrReply,
  CopyRequest,
  DirectorySink,
  Entry,
  FileSystem,
  Ticket,
} from '../../../src/fuse/filesystem.ts';
import type { Invalidation } from '../../../src/staging/invalidation.ts';
import type { Name, NodeId } from '../../../src/sys/bytes.ts';
import { ENOENT } from '../../../src/sys/errno.ts';
import type { Stat } from '../../../src/sys/stat.ts';
import { bytes, type Image, ownerOf, type Seen, setMtime, toImage, typeOf, XATTRS } from './image.ts';

export const CALLER = { uid: 0, gid: 0, pid: process.pid, ticket: 0 as Ticket };
const ROOT = 1 as NodeId;
/** Answers that hold shorter are asked for again: a test does not wait. */
const WORTH_KEEPING = 60;

/** A directory's node and a name in it. */
export interface Spot {
  readonly dir: NodeId;
  readonly name: Name;
}

export class FakeKernel {
  readonly fs: FileSystem;
  readonly #top: readonly Name[];
  /** `dir/name` to node; 0: known to be absent. */
  readonly #names = new Map<string, NodeId>();
  readonly #listings = new Map<NodeId, Name[]>();
  readonly #attributes = new Map<NodeId, Stat>();
  /** What the pages of a file hold: only writes through this kernel may change it. */
  readonly #pages = new Map<NodeId, string>();
  readonly #lookups = new Map<NodeId, number>();

  /** `top`: the absolute path that all others are relative to. */
  constructor(fs: FileSystem, top: string) {
    this.fs = fs;
    this.#top = top.slice(1).split('/') as Name[];
  }

  /** The node of a relative path; throws when it is not there. */
  node(path: string): NodeId {
    const node = this.find(path);
    assert.ok(node !== 0, `${JSON.stringify(path)} is not in the view`);
    return node;
  }

  /** The node of a relative path, 0 when there is none. */
  find(path: string): NodeId | 0 {
    let at: NodeId | 0 = ROOT;
    for (const name of [...this.#top, ...(path === '' ? [] : (path.split('/') as Name[]))]) {
      if (at === 0) return 0;
      at = this.#lookup({ dir: at, name });
    }
    return at;
  }

  spot(path: string): Spot {
    const slash = path.lastIndexOf('/');
    return { dir: this.node(slash < 0 ? '' : path.slice(0, slash)), name: path.slice(slash + 1) as Name };
  }

  #lookup({ dir, name }: Spot): NodeId | 0 {
    const known = this.#names.get(`${dir}/${name}`);
    if (known !== undefined) return known;
    const entry = this.fs.lookup(dir, name);
    if (entry === ENOENT) return 0;
    assert.ok(typeof entry === 'object', `lookup of ${JSON.stringify(name)}: errno ${entry}`);
    if (entry.nodeId === 0) {
      if (entry.entryValid > WORTH_KEEPING) this.#names.set(`${dir}/${name}`, 0 as NodeId);
      return 0;
    }
    this.#took({ dir, name }, entry as Entry);
    return entry.nodeId;
  }

  /** An answer that names a file: it holds one more reference. */
  #took(spot: Spot, entry: Entry): void {
    this.#lookups.set(entry.nodeId, (this.#lookups.get(entry.nodeId) ?? 0) + 1);
    if (entry.entryValid > WORTH_KEEPING) this.#names.set(`${spot.dir}/${spot.name}`, entry.nodeId);
    this.#keep(entry.nodeId, entry);
  }

  #keep(node: NodeId, { stat, attrValid }: AttrReply): void {
    if (attrValid > WORTH_KEEPING) this.#attributes.set(node, { ...stat });
    else this.#attributes.delete(node);
  }

  /** A call that makes a name. */
  make(path: string, call: (spot: Spot) => Entry | number): NodeId {
    const spot = this.spot(path);
    const entry = call(spot);
    assert.ok(typeof entry === 'object', `making ${JSON.stringify(path)}: errno ${entry}`);
    this.#changed(spot);
    this.#took(spot, entry);
    return entry.nodeId;
  }

  /** A node without a name (O_TMPFILE). */
  unnamed(dir: string): NodeId {
    const entry = this.fs.tmpfile(this.node(dir), { mode: 0o100600, rdev: 0, umask: 0 }, CALLER);
    assert.ok(typeof entry === 'object', `tmpfile: errno ${entry}`);
    this.#lookups.set(entry.nodeId, 1);
    return entry.nodeId;
  }

  /** A call that takes a name away. */
  remove(path: string, call: (spot: Spot) => number): void {
    const spot = this.spot(path);
    const node = this.#lookup(spot);
    assert.equal(call(spot), 0, `removing ${JSON.stringify(path)}`);
    this.#changed(spot);
    this.#attributes.delete(node as NodeId);
  }

  rename(from: string, to: string, flags: number): void {
    const [a, b] = [this.spot(from), this.spot(to)];
    const nodes = [this.#lookup(a), this.#lookup(b)] as NodeId[];
    const request = { fromParent: a.dir, from: a.name, toParent: b.dir, to: b.name, flags };
    assert.equal(this.fs.rename(request, CALLER), 0, `rename ${JSON.stringify([from, to])}`);
    this.#changed(a);
    this.#changed(b);
    for (const node of nodes) this.#attributes.delete(node);
  }

  #changed({ dir, name }: Spot): void {
    this.#names.delete(`${dir}/${name}`);
    this.#listings.delete(dir);
    this.#attributes.delete(dir);
  }

  /** One more name exists for this node. */
  touched(node: NodeId): void {
    this.#attributes.delete(node);
  }

  write(node: NodeId, offset: number, text: string): void {
    assert.equal(this.fs.write(node, offset, bytes(text), CALLER), text.length, 'write');
    this.#written(node);
  }

  fallocate(node: NodeId, mode: number, range: { offset: number; length: number }): void {
    assert.equal(this.fs.fallocate(node, mode, range, CALLER), 0, 'fallocate');
    this.#written(node);
  }

  copy(request: CopyRequest): void {
    assert.equal(this.fs.copyFileRange(request, CALLER), request.length, 'copy_file_range');
    this.#written(request.to);
  }

  #written(node: NodeId): void {
    this.#pages.delete(node);
    // Under write-back the time of a write is the kernel's: it comes afterwards, from nobody.
    const now = { sec: Math.floor(Date.now() / 1000), nsec: 0 };
    const reply = this.fs.setattr(node, { mtime: now, ctime: now }, { ...CALLER, pid: 0 });
    assert.ok(typeof reply === 'object', `setattr after a write: errno ${reply}`);
    this.#attributes.delete(node);
  }

  setattr(node: NodeId, change: AttrChange): void {
    const now = { sec: Math.floor(Date.now() / 1000), nsec: 0 };
    const reply = this.fs.setattr(node, change.size === undefined ? change : { ...change, mtime: now }, CALLER);
    assert.ok(typeof reply === 'object', `setattr: errno ${reply}`);
    if (change.size !== undefined) this.#pages.delete(node);
    this.#keep(node, reply);
  }

  stat(node: NodeId): Stat {
    const kept = this.#attributes.get(node);
    if (kept !== undefined) return kept;
    const reply = this.fs.getattr(node);
    assert.ok(typeof reply === 'object', `getattr of node ${node}: errno ${reply}`);
    this.#keep(node, reply);
    return { ...reply.stat };
  }

  /** The whole content; fails when the view serves other bytes for a node than before without anybody writing. */
  read(node: NodeId): string {
    const reply = this.fs.getattr(node);
    assert.ok(typeof reply === 'object', `getattr of node ${node}: errno ${reply}`);
    const into = Buffer.alloc(reply.stat.size);
    assert.equal(this.fs.read(node, 0, into), into.length, `read of node ${node}`);
    const text = into.toString('latin1');
    const kept = this.#pages.get(node);
    if (kept !== undefined) assert.equal(text, kept, `the content of node ${node} changed under the kernel's pages`);
    this.#pages.set(node, text);
    return text;
  }

  list(dir: NodeId): readonly Name[] {
    const kept = this.#listings.get(dir);
    if (kept !== undefined) return kept;
    const names: Name[] = [];
    for (let cookie = 0, before = -1; cookie !== before; ) {
      before = cookie;
      let room = 5;
      const sink: DirectorySink = {
        fits: () => room > 0,
        add: (name, _ino, _type, next) => {
          room -= 1;
          cookie = next;
          if (name !== '.' && name !== '..') names.push(name);
        },
      };
      assert.equal(this.fs.readdir(dir, cookie, sink, false), 0, 'readdir');
    }
    this.#listings.set(dir, names.sort());
    return names;
  }

  /** The same while nobody has anything open: what has no name any more goes, with its pages. */
  forgetUnused(invalidations: readonly Invalidation[]): void {
    for (const found of invalidations) {
      const node = found.kind === 'entry' ? this.#names.get(`${found.parent}/${found.name}`) : undefined;
      if (node !== undefined) this.#pages.delete(node);
    }
    this.forget(invalidations);
  }

  /** What the daemon's main thread sends after the fact. */
  forget(invalidations: readonly Invalidation[]): void {
    for (const found of invalidations) {
      const node = found.kind === 'entry' ? found.parent : found.nodeId;
      if (found.kind === 'entry') this.#names.delete(`${found.parent}/${found.name}`);
      else if (typeOf(this.#attributes.get(node)?.mode ?? 0) !== 'file') this.#pages.delete(node);
      this.#listings.delete(node);
      this.#attributes.delete(node);
    }
  }

  /** As time goes by. */
  forgetAttributes(): void {
    this.#attributes.clear();
  }

  /** Memory runs short: everything goes that nobody holds. */
  shrink(held: ReadonlySet<NodeId>): void {
    this.#names.clear();
    this.#listings.clear();
    for (const [node, count] of [...this.#lookups]) {
      if (held.has(node)) continue;
      this.fs.forget(node, count);
      this.#lookups.delete(node);
      this.#attributes.delete(node);
      this.#pages.delete(node);
    }
  }

  /** Everything below the top. */
  image(): Image {
    const seen: Seen[] = [];
    const walk = (dir: NodeId, prefix: string): void => {
      for (const name of this.list(dir)) {
        const node = this.#lookup({ dir, name });
        assert.ok(node !== 0, `${JSON.stringify(prefix + name)} is listed but not there`);
        seen.push(this.#see(node, prefix + name));
        if (seen.at(-1)?.type === 'directory') walk(node, `${prefix}${name}/`);
      }
    };
    walk(this.node(''), '');
    return toImage(seen);
  }

  #see(node: NodeId, path: string): Seen {
    const stat = this.stat(node);
    const type = typeOf(stat.mode);
    let content = '';
    if (type === 'file') content = this.read(node);
    if (type === 'symlink') content = String(this.fs.readlink(node));
    const xattrs: Record<string, string> = {};
    for (const name of type === 'file' || type === 'directory' ? XATTRS : []) {
      const value = this.fs.getxattr(node, name, CALLER);
      if (typeof value !== 'number') xattrs[name] = value.toString('latin1');
    }
    return {
      path,
      type,
      mode: stat.mode & 0o7777,
      owner: ownerOf(stat.uid, stat.gid),
      content,
      mtime: setMtime(stat.mtimeSec),
      xattrs,
      identity: stat.ino,
    };
  }
}

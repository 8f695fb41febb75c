/**
 * The staged view as a FileSystem: composes names, content, attributes and directories over one override tree.
 * Knows nothing of /dev/fuse, of the journal's bytes or of rules; runs in tests without a mount.
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
} from '../fuse/filesystem.ts';
import type { BytePath, Name, NodeId, ObjectId } from '../sys/bytes.ts';
import type { Errno } from '../sys/errno.ts';
import { OK } from '../sys/errno.ts';
import { O_ACCMODE, O_RDONLY, O_WRONLY } from '../sys/libc.ts';
import { Attributes } from './attributes.ts';
import type { Arrivals } from './awaited/arrivals.ts';
import { type Untouched, untouchedIn } from './awaited/untouched.ts';
import { Content } from './content.ts';
import { Core } from './core.ts';
import { Creation } from './creation.ts';
import { Directories } from './directories.ts';
import type { Inode } from './inode.ts';
import type { InodeTable } from './inode-table.ts';
import { layersOf, type OverlayOptions } from './layers.ts';
import { Names } from './names/names.ts';
import { NodePaths } from './names/node-paths.ts';
import { spaceFor } from './store/space.ts';
import { TreeSwitch } from './switch/tree-switch.ts';
import { BaseChanges } from './watch/base-changes.ts';
import { Echoes } from './watch/echoes.ts';

export class Overlay implements FileSystem {
  /** For those who judge by path. */
  readonly nodePaths: NodePaths;
  /** What somebody changes outside. */
  readonly outside: BaseChanges;
  /** Another tree, or another base, takes the place of what is there. */
  readonly treeSwitch: TreeSwitch;
  readonly #core: Core;
  readonly #table: InodeTable;
  readonly content: Content;
  readonly #names: Names;
  readonly #creation: Creation;
  readonly #attributes: Attributes;
  readonly #directories: Directories;

  constructor(options: OverlayOptions) {
    this.#core = new Core(layersOf(options));
    const { tree, resolver, layers } = this.#core;
    this.#table = layers.table;
    this.nodePaths = new NodePaths(this.#table, tree, resolver);
    this.content = new Content(this.#core);
    this.#directories = new Directories(this.#core);
    const echoes = new Echoes(this.#core);
    const readers = { content: this.content, directories: this.#directories, echoes };
    this.treeSwitch = new TreeSwitch(this.#core, readers);
    this.outside = new BaseChanges(this.#core, { ...readers, lateLook: this.treeSwitch.lateLook });
    this.#creation = new Creation(this.#core, this.content);
    this.#names = new Names(this.#core, this.#creation, this.#directories);
    this.#attributes = new Attributes(this.#core, this.content);
  }

  /** What has to be fetched before it can be shown. */
  get arrivals(): Arrivals {
    return this.#core.arrivals;
  }

  /** See `untouchedIn` of awaited/untouched.ts. */
  untouchedIn(dir: BytePath): Untouched {
    return untouchedIn(this.#core, dir);
  }

  /** How many inodes the kernel knows. */
  get liveInodes(): number {
    return this.#table.size;
  }

  lookup(parent: NodeId, name: Name, caller?: Caller): Entry | NegativeEntry | Errno {
    return (caller && this.#core.arrivals.name(parent, name, caller)) || this.#names.lookup(parent, name);
  }

  forget(nodeId: NodeId, lookups: number): void {
    const inode = this.#table.forget(nodeId, lookups);
    if (inode !== undefined) this.#release(inode);
  }

  getattr(nodeId: NodeId, _caller?: Caller, opened = false): AttrReply | Errno {
    return this.#attributes.getattr(nodeId, opened);
  }

  setattr(nodeId: NodeId, change: AttrChange, caller: Caller): AttrReply | Errno {
    return this.#attributes.setattr(nodeId, change, caller);
  }

  readlink(nodeId: NodeId): string | Errno {
    return this.#attributes.readlink(nodeId);
  }

  symlink(parent: NodeId, name: Name, target: string, caller: Caller): Entry | Errno {
    return this.#creation.symlink(parent, name, target, caller);
  }

  mknod(parent: NodeId, name: Name, node: NewNode, caller: Caller): Entry | Errno {
    return this.#creation.mknod(parent, name, node, caller);
  }

  mkdir(parent: NodeId, name: Name, node: NewNode, caller: Caller): Entry | Errno {
    return this.#creation.mkdir(parent, name, node, caller);
  }

  unlink(parent: NodeId, name: Name, caller: Caller): Errno {
    return this.#names.unlink(parent, name, caller);
  }

  rmdir(parent: NodeId, name: Name, caller: Caller): Errno {
    return this.#names.rmdir(parent, name, caller);
  }

  rename(request: RenameRequest, caller: Caller): Errno {
    const { fromParent, from, toParent, to } = request;
    const refused = this.#core.arrivals.moved({ parent: fromParent, name: from }, { parent: toParent, name: to });
    return refused || this.#names.rename(request, caller);
  }

  link(nodeId: NodeId, parent: NodeId, name: Name, caller: Caller): Entry | Errno {
    return this.#names.link(nodeId, parent, name, caller);
  }

  tmpfile(parent: NodeId, node: NewNode, caller: Caller): Entry | Errno {
    return this.#creation.tmpfile(parent, node, caller);
  }

  /** Whoever may open what is for rules to say; content is copied when it is written, not here. What is to be read has to be here. */
  open(nodeId: NodeId, flags: number, caller: Caller): Errno {
    const access = flags & O_ACCMODE;
    const { arrivals } = this.#core;
    if (access !== O_RDONLY) arrivals.openedToWrite(nodeId);
    return access === O_WRONLY ? OK : arrivals.opened(nodeId, caller);
  }

  read(nodeId: NodeId, offset: number, into: Buffer, caller?: Caller): number {
    return this.content.read(nodeId, offset, into, caller);
  }

  expectWrite(nodeId: NodeId, caller: Caller): Errno {
    return this.content.expect(nodeId, caller);
  }

  write(nodeId: NodeId, offset: number, data: Buffer, caller: Caller): number {
    return this.content.write(nodeId, offset, data, caller);
  }

  fsync(nodeId: NodeId, dataOnly: boolean): Errno {
    return this.content.fsync(nodeId, dataOnly);
  }

  fallocate(nodeId: NodeId, mode: number, range: { offset: number; length: number }, caller: Caller): Errno {
    return this.content.fallocate(nodeId, mode, range, caller);
  }

  copyFileRange(request: CopyRequest, caller: Caller): number {
    return this.content.copyFileRange(request, caller);
  }

  readdir(nodeId: NodeId, cookie: number, sink: DirectorySink, plus: boolean, caller?: Caller): Errno {
    const awaited = caller && this.#core.arrivals.listed(nodeId, caller);
    return awaited || this.#directories.readdir(nodeId, cookie, sink, plus);
  }

  statfs(): StatFs | Errno {
    return spaceFor(this.#core.layers.store, this.#core.layers.quota);
  }

  getxattr(nodeId: NodeId, name: string, caller: Caller): Buffer | Errno {
    return this.#attributes.getxattr(nodeId, name, caller);
  }

  listxattr(nodeId: NodeId): Buffer | Errno {
    return this.#attributes.listxattr(nodeId);
  }

  setxattr(nodeId: NodeId, name: string, value: Buffer, flags: number, caller: Caller): Errno {
    return this.#attributes.setxattr(nodeId, name, value, flags, caller);
  }

  removexattr(nodeId: NodeId, name: string, caller: Caller): Errno {
    return this.#attributes.removexattr(nodeId, name, caller);
  }

  /** Nothing is served any more: gives the descriptors of contents back. */
  close(): void {
    this.#core.layers.files.close();
  }

  /** Objects of files without a name that a process may still have open: not to be swept. */
  heldObjects(): Set<ObjectId> {
    const objects = [...this.#table.live()].map(({ staged }) => staged?.object ?? (0 as ObjectId));
    return new Set([...objects.filter((object) => object !== 0), ...this.content.copyUps.objects()]);
  }

  #release(inode: Inode): void {
    this.content.release(inode);
    this.#directories.forget(inode);
    // Staged inodes stay in the tree; what is merely the base's is found there again.
    if (inode.staged !== undefined || inode.parent === undefined) return;
    if (inode.children !== undefined && inode.children.size > 0) return;
    this.#core.release(inode);
  }
}

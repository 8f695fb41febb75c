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
import type { BaseTree } from './base-tree.ts';
import { Content } from './content.ts';
import { ContentFiles } from './content-files.ts';
import type { Numbers } from './core.ts';
import { Core } from './core.ts';
import { Creation } from './creation.ts';
import { Directories } from './directories.ts';
import type { Inode } from './inode.ts';
import { InodeTable } from './inode-table.ts';
import type { Invalidation } from './invalidation.ts';
import { Names } from './names.ts';
import { NodePaths } from './node-paths.ts';
import type { ObjectStore } from './object-store.ts';
import { OverrideTree } from './override-tree.ts';
import type { Owner } from './owner.ts';
import type { PlacedObjects } from './rebase.ts';
import { type Committed, movedPath, type Prints } from './rebase-part.ts';
import type { Recorder } from './recorder.ts';
import { Quota } from './store/quota.ts';
import { spaceFor } from './store/space.ts';
import type { Shown } from './switch/switch-tree.ts';
import { TreeSwitch } from './tree-switch.ts';
import { BaseChanges } from './watch/base-changes.ts';
import { Echoes } from './watch/echoes.ts';

export interface OverlayOptions {
  readonly tree: OverrideTree;
  readonly base: BaseTree;
  readonly store: ObjectStore;
  readonly recorder: Recorder;
  readonly numbers: Numbers;
  readonly owner: Owner;
  /** Most content descriptors kept open at once. */
  readonly maxFiles: number;
  /** What the store may occupy; without one there is no limit. */
  readonly quota?: Quota;
}

export class Overlay implements FileSystem {
  /** For those who judge by path. */
  readonly nodePaths: NodePaths;
  /** What somebody changes outside. */
  readonly outside: BaseChanges;
  readonly #core: Core;
  readonly #table: InodeTable;
  readonly content: Content;
  readonly #names: Names;
  readonly #creation: Creation;
  readonly #attributes: Attributes;
  readonly #directories: Directories;
  readonly #treeSwitch: TreeSwitch;

  constructor(options: OverlayOptions) {
    const files = new ContentFiles(options.base, options.store, options.maxFiles);
    options.base.onStarved(() => files.shed());
    this.#table = new InodeTable(options.tree.root);
    const quota = options.quota ?? new Quota(options.store, () => 0);
    this.#core = new Core({ ...options, files, table: this.#table, quota });
    this.nodePaths = new NodePaths(this.#table, options.tree, this.#core.resolver);
    this.content = new Content(this.#core);
    this.#directories = new Directories(this.#core);
    const echoes = new Echoes(this.#core);
    this.#treeSwitch = new TreeSwitch(this.#core, echoes);
    const { lateLook } = this.#treeSwitch;
    this.outside = new BaseChanges(this.#core, { directories: this.#directories, lateLook, echoes });
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
    return spaceFor(this.#core.parts.store, this.#core.parts.quota);
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

  /** Before a commit: a deleted file that is still open must outlive its base entry in the base. */
  holdUnnamed(): void {
    for (const inode of this.#table.live()) {
      const unnamed = inode.parent === undefined && inode.base !== undefined && inode.children === undefined;
      if (unnamed && (inode.staged === undefined || inode.staged.object === 0)) this.#core.parts.files.pin(inode);
    }
  }

  /**
   * After a commit: nothing looks different. Of what is not `placed` the base is asked. `since`: what stays staged over it, which is to be
   * shown next. Returns what the kernel must forget.
   */
  rebase(placed: PlacedObjects = new Map(), since?: OverrideTree): Invalidation[] {
    this.#forgetContents();
    return this.#treeSwitch.becomeBase(placed, since);
  }

  /** As `rebase`, after a part was committed. `prints` is what was recorded. */
  rebasePart(committed: Committed, prints: Prints): Invalidation[] {
    this.#forgetContents();
    const forget = this.#treeSwitch.rebasePart(committed, prints);
    for (const inode of this.#table.live()) {
      const isOrphan = inode.parent === undefined && inode !== this.#core.tree.root;
      if (isOrphan && inode.base !== undefined) inode.base = movedPath(inode.base, committed.moved);
    }
    return forget;
  }

  /** After an abort: the view shows the base. The caller has recorded it, and tells the kernel. */
  discard(): Shown {
    return this.show(new OverrideTree());
  }

  /**
   * Shows what `target` does, a tree that nobody uses and that is used up: after a travel over the same base; after an
   * undo, or a commit of an earlier state, over another base, and the same as now. The caller has recorded it, and tells the kernel.
   */
  show(target: OverrideTree, over: 'same base' | 'other base' = 'same base'): Shown {
    // An open directory stream goes on where it was: cookies follow from the base's order and from names.
    this.#directories.forgetAll();
    this.content.copyUps.forgetAll();
    return over === 'same base' ? this.#treeSwitch.show(target) : this.#treeSwitch.restage(target);
  }

  /** Nothing is served any more: gives the descriptors of contents back. */
  close(): void {
    this.#core.parts.files.close();
  }

  /** Objects of files without a name that a process may still have open: not to be swept. */
  heldObjects(): Set<ObjectId> {
    const objects = [...this.#table.live()].map(({ staged }) => staged?.object ?? (0 as ObjectId));
    return new Set([...objects.filter((object) => object !== 0), ...this.content.copyUps.objects()]);
  }

  #forgetContents(): void {
    this.content.copyUps.forgetAll();
    // Descriptors of objects that became base files would write to the base.
    this.#core.parts.files.clear((inode) => inode.parent === undefined);
    this.#directories.forgetAll();
    // Directories of the base have moved: descriptors kept by path are of others now.
    this.#core.base.shed();
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

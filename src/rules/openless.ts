/**
 * The gate of a connection without OPEN: nothing asks before a file is opened. It serves directories below which every file
 * is allowed, hidden or denied. A denied file shows no permission bits and an owner that no user namespace maps: then the kernel refuses
 * to open, execute, truncate or chmod it, to root as well (inode_permission() and capable_wrt_inode_uidgid() of the kernel).
 */
import type { AttrChange, AttrReply, Caller, Entry, FileSystem, NewNode } from '../fuse/filesystem.ts';
import type { NodePaths } from '../staging/names/node-paths.ts';
import type { Name, NodeId } from '../sys/bytes.ts';
import { EACCES, type Errno } from '../sys/errno.ts';
import { S_IFDIR, S_IFLNK, S_IFMT, type Stat } from '../sys/stat.ts';
import { RuleFileSystem } from './gate.ts';
import type { Judge } from './judge.ts';
import { type Access, answerOf } from './states.ts';

/** (uid_t)-1, which is nobody's and cannot be mapped. */
const NO_OWNER = 0xffff_ffff;

export class OpenlessFileSystem extends RuleFileSystem {
  /**
   * Whether rules have come that need OPEN. The mount is gone from the view then; what still sits on it may go on with
   * what it could do without being asked.
   */
  isLeftBehind = false;
  readonly #judge: Judge;

  constructor(inner: FileSystem, judge: Judge, nodePaths: NodePaths) {
    super(inner, judge, nodePaths);
    this.#judge = judge;
  }

  override getattr(nodeId: NodeId, caller?: Caller, opened?: boolean): AttrReply | Errno {
    const reply = this.#shown(nodeId, super.getattr(nodeId, caller, opened));
    // The attributes of what is denied have refused somebody: of a stat(2) alone the kernel knows the answer.
    if (caller !== undefined && typeof reply !== 'number' && reply.stat.uid === NO_OWNER) {
      this.#judge.opened(nodeId, { access: 'read', op: 'open', caller });
    }
    return reply;
  }

  override setattr(nodeId: NodeId, change: AttrChange, caller: Caller): AttrReply | Errno {
    return this.#shown(nodeId, super.setattr(nodeId, change, caller));
  }

  override mknod(parent: NodeId, name: Name, node: NewNode, caller: Caller): Entry | Errno {
    return this.#shownEntry(super.mknod(parent, name, node, caller));
  }

  override link(nodeId: NodeId, parent: NodeId, name: Name, caller: Caller): Entry | Errno {
    return this.#shownEntry(super.link(nodeId, parent, name, caller));
  }

  override read(nodeId: NodeId, offset: number, into: Buffer, caller?: Caller): number {
    return this.#isRefused(nodeId, 'read') ? -EACCES : super.read(nodeId, offset, into, caller);
  }

  override write(nodeId: NodeId, offset: number, data: Buffer, caller: Caller): number {
    return this.#isRefused(nodeId, 'write') ? -EACCES : super.write(nodeId, offset, data, caller);
  }

  #isRefused(nodeId: NodeId, access: Access): boolean {
    return this.isLeftBehind && answerOf(this.#judge.states.stateOf(nodeId), access) !== 'pass';
  }

  override showDenied(stat: Stat): void {
    if (canBeOpened(stat)) close(stat);
  }

  #shownEntry(entry: Entry | Errno): Entry | Errno {
    if (typeof entry !== 'number') this.#shown(entry.nodeId, entry);
    return entry;
  }

  #shown<T extends AttrReply>(nodeId: NodeId, reply: T | Errno): T | Errno {
    if (typeof reply === 'number' || !this.#judge.rules.denies) return reply;
    if (canBeOpened(reply.stat) && this.#judge.states.stateOf(nodeId) === 'deny') close(reply.stat);
    return reply;
  }
}

/** Listing and following are not the kernel's to refuse: whoever is denied a directory may still look for names in it. */
function canBeOpened({ mode }: Stat): boolean {
  const type = mode & S_IFMT;
  return type !== S_IFDIR && type !== S_IFLNK;
}

function close(stat: Stat): void {
  stat.mode &= S_IFMT;
  stat.uid = NO_OWNER;
  stat.gid = NO_OWNER;
}

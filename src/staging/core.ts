/**
 * What the parts of the overlay share: the tree, the base, the store, the recorder, and the few questions all
 * of them ask: which inode is this name, what are its attributes, what stood here before.
 */
import type { AttrReply, Caller, Entry } from '../fuse/filesystem.ts';
import { type NodeId, splitPath } from '../sys/bytes.ts';
import type { Errno } from '../sys/errno.ts';
import { ENOENT, ESTALE, OK } from '../sys/errno.ts';
import * as libc from '../sys/libc.ts';
import type { Stat } from '../sys/stat.ts';
import { decodeStatx, S_IFDIR, S_IFMT, S_IFREG, STATX_SIZE } from '../sys/stat.ts';
import { Arrivals } from './awaited/arrivals.ts';
import { backingOf, outlivesBase } from './backing.ts';
import { type BaseStamp, type Leaving, stampOfDirectory, stampOfFile, UNKNOWN } from './base-stamps.ts';
import type { BaseTree } from './base-tree.ts';
import { blank } from './blank.ts';
import { goneFingerprint, hasContentSeen, noteSeen } from './copy-up/seen-version.ts';
import type { Fingerprint, Inode, Time } from './inode.ts';
import { basePath, fingerprintOf, isNatural, NATURAL, viewPath } from './inode.ts';
import type { Layers } from './layers.ts';
import type { OverrideTree, Place } from './override-tree.ts';
import { presentOwner } from './owner.ts';
import type { Backing, Mutation, Recorder } from './recorder.ts';
import { Resolver } from './resolver.ts';

/** Seconds the kernel may keep what only the view can change, or what is watched. */
const LONG = 86_400;
/** Seconds for base facts nobody watches. */
const SHORT = 1;

/** What `Core.claim` did and learned. */
interface Claim {
  readonly error: Errno;
  readonly fingerprint: Fingerprint | undefined;
}

const ABSENT: Backing = { kind: 'absent' };

export class Core {
  readonly layers: Layers;
  readonly tree: OverrideTree;
  readonly base: BaseTree;
  readonly recorder: Recorder;
  /** Unlinked inodes whose object no generation needs: removed with the kernel's last reference. */
  readonly doomed = new Set<Inode>();
  readonly #statx = Buffer.alloc(STATX_SIZE);
  /** What `child` has just learned, for the `entry` of the same request. */
  #fresh: { inode: Inode; stat: Stat } | undefined;

  readonly resolver: Resolver;
  readonly arrivals: Arrivals;

  constructor(layers: Layers) {
    this.layers = layers;
    this.arrivals = new Arrivals(this);
    this.tree = layers.tree;
    this.base = layers.base;
    this.recorder = layers.recorder;
    this.resolver = new Resolver(layers, (inode, stat) => {
      this.#fresh = { inode, stat };
    });
  }

  /** The inode behind a node id of a request. */
  node(nodeId: NodeId): Inode | Errno {
    return this.layers.table.get(nodeId) ?? ESTALE;
  }

  /** The directory behind a node id. */
  directory(nodeId: NodeId): Inode | Errno {
    const dir = this.layers.table.get(nodeId);
    return dir?.children === undefined ? ESTALE : dir;
  }

  /** The inode a name stands for now; makes one for a base entry that was not known yet. */
  child(at: Place): Inode | Errno {
    this.#fresh = undefined;
    return this.resolver.child(at);
  }

  /** The kernel let go of a file that is merely the base's. */
  release(inode: Inode): void {
    this.resolver.release(inode);
  }

  /** Attributes as the view shows them. */
  statOf(inode: Inode): Stat | Errno {
    const staged = inode.staged;
    let stat = inode.base === undefined ? blank(inode) : this.#baseStat(inode);
    // What is staged without content of its own is asked for anew when the kernel has forgotten it.
    if (inode.nodeId === 0 && staged?.object === 0 && typeof stat !== 'number') noteSeen(inode, stat);
    let isLost = false;
    if (typeof stat === 'number' || (staged !== undefined && (stat.mode & S_IFMT) !== inode.type)) {
      // The base entry went away, or something else is there: what is staged stays.
      const isOpen = inode.parent === undefined && inode.type === S_IFREG && inode.nodeId !== 0;
      if (!isOpen && !outlivesBase(inode)) return typeof stat === 'number' ? stat : ENOENT;
      const { uid, gid } = this.layers.owner;
      [stat, isLost] = [{ ...blank(inode), uid, gid, ...(isOpen && { size: inode.seenSize }) }, true];
    }
    if (staged !== undefined) {
      const failed = this.#applyStaged(inode, stat, isLost);
      if (failed !== OK) return failed;
    }
    stat.ino = inode.ino || stat.ino;
    // The kernel keeps what it is told here while it holds data that we have not seen, and 0 says that there is none to read.
    if (inode.type === S_IFREG) stat.blocks ||= 1;
    if (inode.parent === undefined && inode !== this.tree.root) stat.nlink = 0;
    // Its subdirectories are not counted, as on btrfs and overlayfs: whoever looks for them goes by 1 as "unknown" (find, fts).
    else if (inode.type === S_IFDIR) stat.nlink = 1;
    return stat;
  }

  /** What LOOKUP and everything that makes a name answers; takes a lookup reference. */
  entry(inode: Inode): Entry | Errno {
    const valid = this.validity(inode);
    const stat = this.statOf(inode);
    if (typeof stat === 'number') return stat;
    return {
      nodeId: this.layers.table.ref(inode),
      inodeGeneration: 0,
      entryValid: valid,
      attrValid: valid,
      stat: presentOwner(this.layers.owner, stat),
    };
  }

  attr(inode: Inode): AttrReply | Errno {
    this.#fresh = undefined;
    const attrValid = this.validity(inode);
    const stat = this.statOf(inode);
    if (typeof stat === 'number') return stat;
    return { stat: presentOwner(this.layers.owner, stat), attrValid };
  }

  /** Seconds that facts about an inode hold; they are to be read after this. */
  validity(inode: Inode): number {
    const { base, parent, staged } = inode;
    if (base === undefined) return LONG;
    const dir = base === NATURAL || staged?.object !== 0 ? parent?.base : splitPath(base)?.dir;
    if (dir === undefined) return parent === undefined ? SHORT : LONG;
    return this.base.watch(dir) ? LONG : SHORT;
  }

  /** Seconds that the absence of a name in a directory holds. */
  absence(dir: Inode): number {
    if (dir.base === undefined) return LONG;
    return this.base.watch(dir.base) ? LONG : SHORT;
  }

  /** Records a mutation; the change may become visible only when this returns 0. What deletes can be recorded at the quota, too. */
  record(mutation: Mutation, time: Time, caller: Caller): Errno {
    const refused = mutation.tag === 'D' ? OK : this.layers.quota.admitRecord();
    if (refused !== OK) return refused;
    return this.recorder.record(mutation, time, caller);
  }

  /** What a name stands for, as the old side of a mutation. */
  backing(inode: Inode | undefined): Backing {
    return inode === undefined ? ABSENT : backingOf(inode);
  }

  /** The base entry's fingerprint, for the first mutation that overrides it: of the version that the kernel was told of. */
  fingerprint(inode: Inode): Fingerprint | undefined {
    const path = basePath(inode);
    if (path === undefined || inode.staged?.fingerprint !== undefined || inode.type === S_IFDIR) return undefined;
    const stat = this.base.statPath(path);
    if (typeof stat === 'number') return undefined;
    const print = fingerprintOf(stat);
    return inode.type !== S_IFREG || hasContentSeen(inode, stat) ? print : goneFingerprint(inode, print);
  }

  /**
   * Before an inode gains or loses a name: a base file with several names must be in the tree with its true
   * link count, or the other names would show a wrong one. Returns what the base entry looked like when it was first
   * overridden, undefined for a directory, for what was born in the view, and for what is not there any more.
   */
  claim(inode: Inode, time: Time, caller: Caller): Claim {
    const known = inode.staged?.fingerprint;
    const fingerprint = known ?? this.fingerprint(inode);
    const path = viewPath(inode);
    if (known !== undefined || fingerprint === undefined || fingerprint.nlink < 2 || path === undefined)
      return { error: OK, fingerprint };
    const change = { attributes: {}, changed: 0, xattr: undefined, fingerprint };
    const pre = this.backing(inode);
    const error = this.record({ tag: 'M', path, ino: inode.ino, pre, ...change }, time, caller);
    if (error === OK) this.tree.change(inode, change);
    return { error, fingerprint };
  }

  /** What a name leaves behind in the base when the inode that has it, claimed before, loses it. */
  leaving(at: Place, inode: Inode, fingerprint: Fingerprint | undefined): Leaving {
    const dir = at.dir.base;
    if (dir === undefined) return { hides: false };
    if (inode.parent === at.dir && inode.name === at.name && isNatural(inode))
      return { hides: true, stamp: this.#stamp(inode, fingerprint) };
    const stat = this.base.stat(dir, at.name);
    if (typeof stat === 'number') return { hides: false };
    // Another name of the same file.
    const own = stat.ino === fingerprint?.ino && stat.dev === fingerprint.dev;
    return { hides: true, stamp: own ? stampOfFile(inode.type, fingerprint) : undefined };
  }

  #stamp(inode: Inode, fingerprint: Fingerprint | undefined): BaseStamp {
    if (inode.type !== S_IFDIR) return fingerprint === undefined ? UNKNOWN : stampOfFile(inode.type, fingerprint);
    const stat = inode.ino === 0 ? this.#baseStat(inode) : inode;
    return typeof stat === 'number' ? UNKNOWN : stampOfDirectory(stat.ino);
  }

  now(): Time {
    return libc.coarseTime();
  }

  #baseStat(inode: Inode): Stat | Errno {
    const fresh = this.#fresh;
    this.#fresh = undefined;
    if (fresh?.inode === inode) return fresh.stat;
    if (inode.parent === undefined) {
      const pinned = this.#pinnedStat(inode);
      if (pinned !== undefined) return pinned;
    }
    if (inode.base === NATURAL && inode.parent?.base !== undefined)
      return this.base.stat(inode.parent.base, inode.name);
    const path = basePath(inode);
    return path === undefined ? ENOENT : this.base.statPath(path);
  }

  /** Of a file whose place in the base is gone or another's. */
  #pinnedStat(inode: Inode): Stat | undefined {
    const fd = this.layers.files.pinned(inode);
    if (fd === undefined || libc.fstatxInto(fd, this.#statx) < 0) return undefined;
    return decodeStatx(this.#statx);
  }

  #applyStaged(inode: Inode, stat: Stat, isLost: boolean): Errno {
    const staged = inode.staged;
    if (staged === undefined) return OK;
    if (staged.object !== 0) {
      const content = this.layers.files.look.of(staged, this.recorder.generation);
      if (typeof content === 'number') return content;
      stat.size = content.size;
      stat.blocks = content.blocks;
      // It was made with the permissions that the base entry had.
      if (isLost) stat.mode = content.mode;
      stat.mtimeSec = content.mtimeSec;
      stat.mtimeNsec = content.mtimeNsec;
    }
    const { mode, uid, gid, atime, mtime, ctime } = staged.attributes;
    if (mode !== undefined) stat.mode = inode.type | mode;
    if (uid !== undefined) stat.uid = uid;
    if (gid !== undefined) stat.gid = gid;
    if (atime !== undefined) [stat.atimeSec, stat.atimeNsec] = [atime.sec, atime.nsec];
    if (mtime !== undefined) [stat.mtimeSec, stat.mtimeNsec] = [mtime.sec, mtime.nsec];
    if (ctime !== undefined) [stat.ctimeSec, stat.ctimeNsec] = [ctime.sec, ctime.nsec];
    if (inode.type !== S_IFDIR) stat.nlink = staged.nlink;
    return OK;
  }
}

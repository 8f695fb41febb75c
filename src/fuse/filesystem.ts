/**
 * The interface between the kernel protocol and whatever serves it: one method an operation, named like the
 * system call. `staging/` implements it; rules will wrap it. Methods are synchronous and return a value or an
 * Errno (a number; 0 = success). They know nothing of /dev/fuse.
 */
import type { Ino, Name, NodeId } from '../sys/bytes.ts';
import type { Errno } from '../sys/errno.ts';
import type { Stat } from '../sys/stat.ts';

/**
 * Not an errno of Linux: what a method answers that must wait for something (a person). Nothing has changed then; the
 * session keeps the request, and serves it anew when it is resumed.
 */
export const LATER = 1_000_000 as Errno;

/** Which request of a connection it is, also when it is served a second time. */
export type Ticket = number & { readonly __brand: 'Ticket' };

/**
 * Who asks: ids as the mount's user namespace sees them, pid as the daemon's pid namespace sees it (0 = the kernel
 * itself). Holds only during the call: the session uses one object for all requests.
 */
export interface Caller {
  uid: number;
  gid: number;
  pid: number;
  ticket: Ticket;
}

/** Attributes plus how long (seconds) the kernel may keep them. `stat.ino` is what the agent sees; dev is unused. */
export interface AttrReply {
  readonly stat: Stat;
  readonly attrValid: number;
}

/** The answer to everything that names a file: adds one lookup reference to `nodeId`. */
export interface Entry extends AttrReply {
  readonly nodeId: NodeId;
  readonly inodeGeneration: number;
  readonly entryValid: number;
}

/** "There is no such name", and the kernel may remember that for `entryValid` seconds. */
export interface NegativeEntry {
  readonly nodeId: 0;
  readonly entryValid: number;
}

/** setattr(2)-like changes; a field that is missing or undefined is left alone. `'now'` = the server's clock. */
export interface AttrChange {
  mode?: number | undefined;
  uid?: number | undefined;
  gid?: number | undefined;
  size?: number | undefined;
  atime?: { sec: number; nsec: number } | 'now' | undefined;
  mtime?: { sec: number; nsec: number } | 'now' | undefined;
  ctime?: { sec: number; nsec: number } | undefined;
  /**
   * FATTR_KILL_SUIDGID: drop set-id bits as write(2) and truncate(2) must for an unprivileged caller. Whether the caller
   * is one was the kernel's decision. (`security.capability` it removes itself, before a write.)
   */
  killSuidgid?: boolean | undefined;
  /** It came with an open file (ftruncate(2); times that the kernel writes back), so whoever asks may have been let in. */
  opened?: boolean | undefined;
}

/** Receives directory entries until the reply is full. */
export interface DirectorySink {
  /** Whether an entry with this name still fits; ask before taking a lookup reference for readdirplus. */
  fits(name: Name): boolean;
  /**
   * `typeBits` is a mode of which only the type counts; `nextCookie` resumes after this entry (> 0); `entry` only for
   * readdirplus ("." and ".." have none).
   */
  add(name: Name, ino: Ino, typeBits: number, nextCookie: number, entry?: Entry): void;
}

export interface StatFs {
  blocks: number;
  bfree: number;
  bavail: number;
  files: number;
  ffree: number;
  bsize: number;
  namelen: number;
  frsize: number;
}

export interface NewNode {
  readonly mode: number;
  readonly rdev: number;
  readonly umask: number;
}

export interface RenameRequest {
  readonly fromParent: NodeId;
  readonly from: Name;
  readonly toParent: NodeId;
  readonly to: Name;
  /** RENAME_NOREPLACE, RENAME_EXCHANGE. */
  readonly flags: number;
}

export interface CopyRequest {
  readonly from: NodeId;
  readonly fromOffset: number;
  readonly to: NodeId;
  readonly toOffset: number;
  readonly length: number;
}

export interface FileSystem {
  /** Without a caller it is asked on behalf of the daemon itself. */
  lookup(parent: NodeId, name: Name, caller?: Caller): Entry | NegativeEntry | Errno;
  forget(nodeId: NodeId, lookups: number): void;
  /**
   * With a caller it was GETATTR: the kernel sends it for attributes that it does not know (any more), and whenever the ones
   * it knows make it refuse somebody an access. `opened`: it came with an open file.
   */
  getattr(nodeId: NodeId, caller?: Caller, opened?: boolean): AttrReply | Errno;
  setattr(nodeId: NodeId, change: AttrChange, caller: Caller): AttrReply | Errno;
  /** The target's bytes. */
  readlink(nodeId: NodeId): string | Errno;
  symlink(parent: NodeId, name: Name, target: string, caller: Caller): Entry | Errno;
  mknod(parent: NodeId, name: Name, node: NewNode, caller: Caller): Entry | Errno;
  mkdir(parent: NodeId, name: Name, node: NewNode, caller: Caller): Entry | Errno;
  unlink(parent: NodeId, name: Name, caller: Caller): Errno;
  rmdir(parent: NodeId, name: Name, caller: Caller): Errno;
  rename(request: RenameRequest, caller: Caller): Errno;
  link(nodeId: NodeId, parent: NodeId, name: Name, caller: Caller): Entry | Errno;
  /** An inode without a name (O_TMPFILE); `link` may give it one. */
  tmpfile(parent: NodeId, node: NewNode, caller: Caller): Entry | Errno;
  /**
   * Asked on a gated connection only, for each open(2) and execve(2) of a file that exists; `flags` are open(2)'s, without
   * O_CREAT, O_EXCL and O_TRUNC. It gives permission, no handle: reading and writing go by node.
   */
  open(nodeId: NodeId, flags: number, caller: Caller): Errno;
  /** Fills `into` and returns the byte count (short only at the end of the file), or a negative errno. */
  read(nodeId: NodeId, offset: number, into: Buffer, caller?: Caller): number;
  /**
   * Somebody is about to write(2) to a file for the first time since the kernel knows its attributes, or asks for `security.capability`
   * like the kernel does then. OK or LATER.
   */
  expectWrite(nodeId: NodeId, caller: Caller): Errno;
  /** Returns the bytes written or a negative errno. */
  write(nodeId: NodeId, offset: number, data: Buffer, caller: Caller): number;
  fsync(nodeId: NodeId, dataOnly: boolean): Errno;
  fallocate(nodeId: NodeId, mode: number, range: { offset: number; length: number }, caller: Caller): Errno;
  /** Returns the bytes copied or a negative errno. */
  copyFileRange(request: CopyRequest, caller: Caller): number;
  /** Emits entries after `cookie` (0 = from the start). `plus` asks for an Entry with each. */
  readdir(nodeId: NodeId, cookie: number, sink: DirectorySink, plus: boolean, caller?: Caller): Errno;
  statfs(): StatFs | Errno;
  getxattr(nodeId: NodeId, name: string, caller: Caller): Buffer | Errno;
  /** NUL-terminated names, concatenated. */
  listxattr(nodeId: NodeId): Buffer | Errno;
  setxattr(nodeId: NodeId, name: string, value: Buffer, flags: number, caller: Caller): Errno;
  removexattr(nodeId: NodeId, name: string, caller: Caller): Errno;
}

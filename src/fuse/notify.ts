/**
 * Tells the kernel that something it remembers has changed.
 *
 * To be used on a thread other than the session's, and never while a request is being served there: the kernel takes locks for a
 * notification that a pending request may hold, so it may answer only after the session has served that request.
 * For the same reason each write runs on a thread of the pool.
 *
 * A name or node that the kernel does not know (ENOENT) needs no telling: that is success.
 */
import type { Name, NodeId } from '../sys/bytes.ts';
import { EINVAL, ENODEV, type Errno, SystemError } from '../sys/errno.ts';
import { writeAsync } from '../sys/libc.ts';
import {
  NOTIFY_DELETE,
  NOTIFY_DELETE_SIZE,
  NOTIFY_INC_EPOCH,
  NOTIFY_INVAL_ENTRY,
  NOTIFY_INVAL_ENTRY_SIZE,
  NOTIFY_INVAL_INODE,
  NOTIFY_INVAL_INODE_SIZE,
  OUT_HEADER,
  OUT_HEADER_SIZE,
} from './abi.ts';
import { putU64 } from './attributes.ts';
import { KERNEL_ROOT } from './nodes.ts';
import { isFine, sendOnThread } from './notify-many.ts';

/** What the kernel is to forget: a name, or all of an inode. */
export type Forgotten =
  | { readonly kind: 'entry'; readonly parent: NodeId; readonly name: Name }
  | { readonly kind: 'inode'; readonly nodeId: NodeId };

/** What the daemon needs to say; tests stub it. Every method rejects with SystemError when the kernel refuses. */
export interface KernelNotifier {
  /** Forgets what `name` in `parent` was, or that it was nothing. */
  invalEntry(parent: NodeId, name: Name): Promise<void>;
  /** Forgets attributes and the cached pages of a range: `length` 0 = to the end; a negative `offset` = attributes only. */
  invalInode(nodeId: NodeId, offset: number, length: number): Promise<void>;
  /**
   * As `invalEntry` and `invalInode` of all of these, in any order. Each of those wakes two threads, which costs ten
   * times what the kernel has to do: thousands go out on one thread of their own.
   */
  many(forgotten: readonly Forgotten[]): Promise<void>;
  /** As `invalEntry`, and watchers of the file see it deleted. */
  delete(parent: NodeId, child: NodeId, name: Name): Promise<void>;
  /** Has every name looked up anew. Resolves to false where the kernel cannot (before 7.44): invalidate one by one. */
  incrementEpoch(): Promise<boolean>;
}

/** The notifier of the FUSE device `fd`, which stays the caller's; `root` as in DeviceOptions. */
export function openNotifier(fd: number, root = KERNEL_ROOT): KernelNotifier {
  const toKernel = (nodeId: NodeId): NodeId => (nodeId === root ? KERNEL_ROOT : nodeId);
  return {
    invalEntry: (parent, name) => send(fd, encodeInvalEntry(toKernel(parent), name)),
    invalInode: (nodeId, offset, length) => send(fd, encodeInvalInode(toKernel(nodeId), offset, length)),
    many: async (forgotten) => {
      const messages = forgotten.map((one) =>
        one.kind === 'entry'
          ? encodeInvalEntry(toKernel(one.parent), one.name)
          : encodeInvalInode(toKernel(one.nodeId), 0, 0),
      );
      judge(await sendOnThread(fd, messages));
    },
    delete: (parent, child, name) => send(fd, encodeDelete(toKernel(parent), child, name)),
    incrementEpoch: () => sendEpoch(fd),
  };
}

async function send(fd: number, message: Buffer): Promise<void> {
  judge(await writeAsync(fd, message));
}

function judge(sent: number): void {
  if (!isFine(sent)) throw new SystemError('notify the kernel', -sent as Errno);
}

async function sendEpoch(fd: number): Promise<boolean> {
  const sent = await writeAsync(fd, encodeIncrementEpoch());
  if (sent === -EINVAL) return false;
  if (sent < 0 && sent !== -ENODEV) throw new SystemError('notify the kernel', -sent as Errno);
  return true;
}

export function encodeInvalEntry(parent: NodeId, name: Name): Buffer {
  const { message, view } = start(NOTIFY_INVAL_ENTRY, NOTIFY_INVAL_ENTRY_SIZE + name.length + 1);
  putU64(view, OUT_HEADER_SIZE, parent);
  view.setUint32(OUT_HEADER_SIZE + 8, name.length, true);
  message.write(name, OUT_HEADER_SIZE + NOTIFY_INVAL_ENTRY_SIZE, 'latin1');
  return message;
}

export function encodeInvalInode(nodeId: NodeId, offset: number, length: number): Buffer {
  const { message, view } = start(NOTIFY_INVAL_INODE, NOTIFY_INVAL_INODE_SIZE);
  putU64(view, OUT_HEADER_SIZE, nodeId);
  putU64(view, OUT_HEADER_SIZE + 8, offset);
  putU64(view, OUT_HEADER_SIZE + 16, length);
  return message;
}

export function encodeDelete(parent: NodeId, child: NodeId, name: Name): Buffer {
  const { message, view } = start(NOTIFY_DELETE, NOTIFY_DELETE_SIZE + name.length + 1);
  putU64(view, OUT_HEADER_SIZE, parent);
  putU64(view, OUT_HEADER_SIZE + 8, child);
  view.setUint32(OUT_HEADER_SIZE + 16, name.length, true);
  message.write(name, OUT_HEADER_SIZE + NOTIFY_DELETE_SIZE, 'latin1');
  return message;
}

export function encodeIncrementEpoch(): Buffer {
  return start(NOTIFY_INC_EPOCH, 0).message;
}

function start(code: number, payload: number): { message: Buffer; view: DataView } {
  const message = Buffer.alloc(OUT_HEADER_SIZE + payload);
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  view.setUint32(OUT_HEADER.LEN, message.length, true);
  view.setInt32(OUT_HEADER.ERROR, code, true);
  return { message, view };
}

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
import { EBUSY, ENODEV, ENOENT, ENOSYS, ENOTDIR, ENOTEMPTY, type Errno, SystemError } from '../sys/errno.ts';
import { writeEachAsync } from '../sys/kernel/write-each.ts';
import { writeAsync } from '../sys/libc.ts';
import {
  NOTIFY_DELETE,
  NOTIFY_DELETE_SIZE,
  NOTIFY_INVAL_ENTRY,
  NOTIFY_INVAL_ENTRY_SIZE,
  NOTIFY_INVAL_INODE,
  NOTIFY_INVAL_INODE_SIZE,
  OUT_HEADER,
  OUT_HEADER_SIZE,
} from './codec/abi.ts';
import { putU64 } from './codec/attributes.ts';
import { KERNEL_ROOT } from './nodes.ts';

/** What the kernel is to forget: a name, or all of an inode. `gone`: the node that has lost this name, of which its watches are to hear. */
export type Forgotten =
  | { readonly kind: 'entry'; readonly parent: NodeId; readonly name: Name; readonly gone?: NodeId }
  | { readonly kind: 'inode'; readonly nodeId: NodeId };

/** What the daemon needs to say; tests stub it. Every method rejects with SystemError when the kernel refuses. */
export interface KernelNotifier {
  /**
   * Forgets what `name` in `parent` was, or that it was nothing. `gone`: if it was that node, this was its last name; who
   * watches it has IN_DELETE_SELF, once nobody has it open.
   */
  invalEntry(parent: NodeId, name: Name, gone?: NodeId): Promise<void>;
  /** Forgets attributes and the cached pages of a range: `length` 0 = to the end; a negative `offset` = attributes only. */
  invalInode(nodeId: NodeId, offset: number, length: number): Promise<void>;
  /**
   * As `invalEntry` and `invalInode` of all that `packForgotten` was given. Each of those wakes two threads, which costs ten
   * times what the kernel has to do; these go out together.
   */
  many(messages: Uint8Array): Promise<void>;
}

/** The notifier of the FUSE device `fd`, which stays the caller's; `root` as in DeviceOptions. */
export function openNotifier(fd: number, root = KERNEL_ROOT): KernelNotifier {
  const toKernel = (nodeId: NodeId): NodeId => nameOf(nodeId, root);
  return {
    invalEntry: (parent, name, gone) => send(fd, encodeInvalEntry(toKernel(parent), name, gone)),
    invalInode: (nodeId, offset, length) => send(fd, encodeInvalInode(toKernel(nodeId), offset, length)),
    many: async (messages) => {
      const sent = await writeEachAsync(fd, messages, isFine);
      if (sent !== -ENOSYS) judge(sent);
      else for (const message of pieces(messages)) await send(fd, message);
    },
  };
}

function nameOf(nodeId: NodeId, root: NodeId): NodeId {
  return nodeId === root ? KERNEL_ROOT : nodeId;
}

/** Messages for `many`, one after the other, of a device with this `root`: few bytes, which another thread can be given. */
export function packForgotten(forgotten: readonly Forgotten[], root = KERNEL_ROOT): Uint8Array {
  // One piece of memory, and not out of the pool of small ones: what it lies in is copied to another thread as a whole.
  const message = Buffer.from(new ArrayBuffer(forgotten.reduce((sum, one) => sum + sizeOf(one), 0)));
  const view = new DataView(message.buffer);
  let at = 0;
  for (const one of forgotten) {
    if (one.kind === 'entry') putInvalEntry({ message, view, at }, nameOf(one.parent, root), one);
    else putInvalInode({ view, at }, nameOf(one.nodeId, root), { offset: 0, length: 0 });
    at += sizeOf(one);
  }
  return message;
}

function sizeOf(one: Forgotten): number {
  if (one.kind === 'inode') return OUT_HEADER_SIZE + NOTIFY_INVAL_INODE_SIZE;
  return OUT_HEADER_SIZE + entrySize(one);
}

/** 0: the kernel has none for it. */
function isNode(gone: NodeId | undefined): gone is NodeId {
  return gone !== undefined && gone !== 0;
}

function entrySize({ name, gone }: Named): number {
  return (isNode(gone) ? NOTIFY_DELETE_SIZE : NOTIFY_INVAL_ENTRY_SIZE) + name.length + 1;
}

type Named = Pick<Forgotten & { kind: 'entry' }, 'name' | 'gone'>;

/** Where in which memory, which is zero, a message is to be. */
interface Spot {
  readonly message: Buffer;
  readonly view: DataView;
  readonly at: number;
}

function putInvalEntry({ message, view, at }: Spot, parent: NodeId, { name, gone }: Named): void {
  const code = isNode(gone) ? NOTIFY_DELETE : NOTIFY_INVAL_ENTRY;
  putHeader(view, at, { code, payload: entrySize({ name, ...(gone && { gone }) }) });
  const body = at + OUT_HEADER_SIZE;
  putU64(view, body, parent);
  if (isNode(gone)) putU64(view, body + 8, gone);
  const size = isNode(gone) ? NOTIFY_DELETE_SIZE : NOTIFY_INVAL_ENTRY_SIZE;
  view.setUint32(body + size - 8, name.length, true);
  message.write(name, body + size, 'latin1');
}

function putInvalInode(
  { view, at }: Omit<Spot, 'message'>,
  nodeId: NodeId,
  { offset, length }: { readonly offset: number; readonly length: number },
): void {
  putHeader(view, at, { code: NOTIFY_INVAL_INODE, payload: NOTIFY_INVAL_INODE_SIZE });
  const body = at + OUT_HEADER_SIZE;
  putU64(view, body, nodeId);
  putU64(view, body + 8, offset);
  putU64(view, body + 16, length);
}

function* pieces(messages: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(messages.buffer, messages.byteOffset, messages.length);
  for (let at = 0; at < messages.length; ) {
    const next = at + view.getUint32(at + OUT_HEADER.LEN, true);
    yield messages.subarray(at, next);
    at = next;
  }
}

const FINE: ReadonlySet<Errno> = new Set([ENOENT, ENODEV, ENOTDIR, EBUSY, ENOTEMPTY]);

/** Whether the result of a write(2) of a notification is no failure. */
function isFine(sent: number): boolean {
  // Not known to the kernel, or unmounted: then there is nothing to forget. Or the directory went, and its number is a file's by now.
  // With `gone` also: the name was another's, a mount point, or a directory of which somebody has something; it is forgotten all the same.
  return sent >= 0 || FINE.has(-sent as Errno);
}

async function send(fd: number, message: Uint8Array): Promise<void> {
  judge(await writeAsync(fd, message));
}

function judge(sent: number): void {
  if (!isFine(sent)) throw new SystemError('notify the kernel', -sent as Errno);
}

export function encodeInvalEntry(parent: NodeId, name: Name, gone?: NodeId): Buffer {
  const named = { name, ...(gone && { gone }) };
  const { message, view } = start(NOTIFY_INVAL_ENTRY, entrySize(named));
  putInvalEntry({ message, view, at: 0 }, parent, named);
  return message;
}

export function encodeInvalInode(nodeId: NodeId, offset: number, length: number): Buffer {
  const { message, view } = start(NOTIFY_INVAL_INODE, NOTIFY_INVAL_INODE_SIZE);
  putInvalInode({ view, at: 0 }, nodeId, { offset, length });
  return message;
}

function start(code: number, payload: number): { message: Buffer; view: DataView } {
  const message = Buffer.alloc(OUT_HEADER_SIZE + payload);
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  putHeader(view, 0, { code, payload });
  return { message, view };
}

function putHeader(view: DataView, at: number, { code, payload }: { code: number; payload: number }): void {
  view.setUint32(at + OUT_HEADER.LEN, OUT_HEADER_SIZE + payload, true);
  view.setInt32(at + OUT_HEADER.ERROR, code, true);
}

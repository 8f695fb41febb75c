/**
 * The decoding half of the codec: one reused buffer that a request is read into, and its fields.
 *
 * Nothing is copied or allocated but the strings and Buffers handed on, and those Buffers are windows into the
 * same memory: they hold until the next request is read. 64-bit numbers are read as two halves into a
 * JavaScript number, which is exact up to 2^53; the kernel sends no larger node ids (they are ours), offsets or sizes.
 */
import type { Name, NodeId } from '../../sys/bytes.ts';
import type { Device } from '../device.ts';
import type { AttrChange, Caller, Ticket } from '../filesystem.ts';
import { Nodes } from '../nodes.ts';
import {
  FATTR_ATIME,
  FATTR_ATIME_NOW,
  FATTR_CTIME,
  FATTR_FH,
  FATTR_GID,
  FATTR_KILL_SUIDGID,
  FATTR_LOCKOWNER,
  FATTR_MODE,
  FATTR_MTIME,
  FATTR_MTIME_NOW,
  FATTR_SIZE,
  FATTR_UID,
  IN_HEADER,
  IN_HEADER_SIZE,
  SETATTR_IN,
  WRITE_IN_SIZE,
} from './abi.ts';
import type { ChangedName, ChangedNode } from './announced.ts';
import { Windows } from './windows.ts';

/**
 * Bits of a SETATTR that change nothing. One with no others comes before a write that must drop set-id bits
 * (file_remove_privs() under HANDLE_KILLPRIV_V2): its reply is how the kernel learns of the new mode in time.
 */
const NO_CHANGE = FATTR_FH | FATTR_LOCKOWNER;

/** What decoding depends on. */
type RequestSource = Pick<Device, 'place' | 'nodes' | 'openless' | 'setxattrExt'>;

/** What the header of a request that was kept says; the node is the one by which its connection knows it. */
export function headerOf(request: Buffer): { readonly opcode: number; readonly nodeId: NodeId; readonly pid: number } {
  const opcode = request.readUInt32LE(IN_HEADER.OPCODE);
  const nodeId = Number(request.readBigUInt64LE(IN_HEADER.NODEID)) as NodeId;
  return { opcode, nodeId, pid: request.readUInt32LE(IN_HEADER.PID) };
}

/** One request, decoded on demand. Offsets count from the end of the header. */
export class Request {
  /** Where the next request is read into. */
  readonly buffer: Buffer;
  /** Who asks; the same object for every request, so keep its fields, not it. */
  readonly caller: Caller = { uid: 0, gid: 0, pid: 0, ticket: 0 as Ticket };
  opcode = 0;
  /** Both halves of the number that ties a reply to its request. */
  uniqueLow = 0;
  uniqueHigh = 0;
  nodeId = 0 as NodeId;
  /** What the kernel calls it. */
  kernelNodeId = 0;
  /** Bytes behind the header. */
  length = 0;
  /** Where it came from. */
  device: RequestSource = { place: 0, nodes: new Nodes(), openless: true, setxattrExt: false };
  readonly #view: DataView;
  readonly #writeData: Windows;

  /** @param capacity bytes of the largest request, header included */
  constructor(capacity: number) {
    this.buffer = Buffer.allocUnsafeSlow(capacity);
    this.#view = new DataView(this.buffer.buffer, this.buffer.byteOffset, capacity);
    this.#writeData = new Windows(this.buffer, IN_HEADER_SIZE + WRITE_IN_SIZE);
  }

  /** Takes `received` bytes in the buffer for a request; false if they are not one whole request. */
  begin(received: number): boolean {
    const view = this.#view;
    if (received < IN_HEADER_SIZE) return false;
    this.length = received - IN_HEADER_SIZE;
    this.opcode = view.getUint32(IN_HEADER.OPCODE, true);
    this.uniqueLow = view.getUint32(IN_HEADER.UNIQUE, true);
    this.uniqueHigh = view.getUint32(IN_HEADER.UNIQUE + 4, true);
    this.kernelNodeId = u64(view, IN_HEADER.NODEID);
    this.nodeId = this.device.nodes.nodeOf(this.kernelNodeId);
    const caller = this.caller;
    caller.uid = view.getUint32(IN_HEADER.UID, true);
    caller.gid = view.getUint32(IN_HEADER.GID, true);
    caller.pid = view.getUint32(IN_HEADER.PID, true);
    caller.ticket = (u64(view, IN_HEADER.UNIQUE) + this.device.place) as Ticket;
    return view.getUint32(IN_HEADER.LEN, true) === received;
  }

  u32(offset: number): number {
    return this.#view.getUint32(IN_HEADER_SIZE + offset, true);
  }

  u64(offset: number): number {
    return u64(this.#view, IN_HEADER_SIZE + offset);
  }

  i64(offset: number): number {
    const at = IN_HEADER_SIZE + offset;
    return joined(this.#view.getUint32(at, true), this.#view.getInt32(at + 4, true));
  }

  node(offset: number): NodeId {
    return this.device.nodes.nodeOf(this.u64(offset));
  }

  /** The NUL-terminated string that ends the request. */
  lastString(offset: number): string {
    return this.buffer.toString('latin1', IN_HEADER_SIZE + offset, IN_HEADER_SIZE + this.length - 1);
  }

  lastName(offset: number): Name {
    return this.lastString(offset) as Name;
  }

  /** Tells the other connections that a node is about to change. */
  changed(node: NodeId): ChangedNode {
    this.device.nodes.changed(node);
    return node as ChangedNode;
  }

  /** Tells the other connections that a name in a directory is about to be made or removed. */
  renamed(parent: NodeId, name: Name): ChangedName {
    this.device.nodes.renamed(parent, name);
    return name as ChangedName;
  }

  /** As `lastName`, of a name in the request's directory that is made or removed. */
  changedName(offset: number): ChangedName {
    return this.renamed(this.nodeId, this.lastName(offset));
  }

  /** As `string`, for a file's name. */
  name(offset: number): Name {
    return this.string(offset) as Name;
  }

  /** A NUL-terminated string with something behind it, which starts at `offset + result.length + 1`. */
  string(offset: number): string {
    const start = IN_HEADER_SIZE + offset;
    const end = this.buffer.indexOf(0, start);
    if (end < 0 || end >= IN_HEADER_SIZE + this.length) throw new RangeError('a string without an end in a request');
    return this.buffer.toString('latin1', start, end);
  }

  /** `size` bytes at `offset`, as a window that holds until the next request. */
  bytes(offset: number, size: number): Buffer {
    if (offset + size > this.length) throw new RangeError('a request shorter than its own size field');
    return this.buffer.subarray(IN_HEADER_SIZE + offset, IN_HEADER_SIZE + offset + size);
  }

  /** As `bytes`, for the data behind fuse_write_in: its windows are kept by size. */
  writeData(size: number): Buffer {
    if (WRITE_IN_SIZE + size > this.length) throw new RangeError('a WRITE shorter than its own size field');
    return this.#writeData.take(size);
  }

  /** fuse_setattr_in as the changes it asks for. */
  attrChange(): AttrChange {
    const change: AttrChange = {};
    const valid = this.u32(SETATTR_IN.VALID);
    if (valid & FATTR_MODE) change.mode = this.u32(SETATTR_IN.MODE);
    if (valid & FATTR_UID) change.uid = this.u32(SETATTR_IN.UID);
    if (valid & FATTR_GID) change.gid = this.u32(SETATTR_IN.GID);
    if (valid & FATTR_SIZE) change.size = this.u64(SETATTR_IN.SIZE);
    if (valid & FATTR_ATIME_NOW) change.atime = 'now';
    else if (valid & FATTR_ATIME) change.atime = this.#time(SETATTR_IN.ATIME, SETATTR_IN.ATIMENSEC);
    if (valid & FATTR_MTIME_NOW) change.mtime = 'now';
    else if (valid & FATTR_MTIME) change.mtime = this.#time(SETATTR_IN.MTIME, SETATTR_IN.MTIMENSEC);
    if (valid & FATTR_CTIME) change.ctime = this.#time(SETATTR_IN.CTIME, SETATTR_IN.CTIMENSEC);
    if (valid & FATTR_KILL_SUIDGID || (valid & ~NO_CHANGE) === 0) change.killSuidgid = true;
    if (valid & FATTR_FH) change.opened = true;
    return change;
  }

  #time(sec: number, nsec: number): { sec: number; nsec: number } {
    return { sec: this.i64(sec), nsec: this.u32(nsec) };
  }
}

function u64(view: DataView, at: number): number {
  return joined(view.getUint32(at, true), view.getUint32(at + 4, true));
}

/**
 * The halves of a number. A product is no small integer to V8, not even zero: a node id that is a sum with it, once it is kept in
 * an inode, gives all inodes another shape, and what was compiled for the old one is thrown away.
 */
function joined(low: number, high: number): number {
  return high === 0 ? low : low + high * 0x1_0000_0000;
}

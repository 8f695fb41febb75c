/**
 * Reads requests from /dev/fuse, has them served, writes the replies; for one connection, or more that show parts of
 * the same file system.
 *
 *     read ─▶ OPERATIONS[opcode] ─▶ FileSystem method ─▶ write
 *       ▲                                                 │
 *       └── spin, then idle(), then poll(fuse…, watch…) ◀─┘
 *
 * Everything happens on the calling thread, one request at a time, in one request buffer and one reply buffer;
 * `onReadable` and `idle` run between requests. The session must not know what the file system does, and no code
 * on this thread may touch a path below the mount: its own request would wait for itself.
 */
import type { NodeId } from '../sys/bytes.ts';
import {
  EACCES,
  EAGAIN,
  EINTR,
  EINVAL,
  EIO,
  ENODEV,
  ENOENT,
  EPROTO,
  type Errno,
  errnoName,
  SystemError,
} from '../sys/errno.ts';
import { read, setNonblocking, write } from '../sys/libc.ts';
import { FUSE_SETXATTR_EXT, IN_HEADER_SIZE, INIT, INTERRUPT } from './codec/abi.ts';
import type { ConnectionOptions } from './codec/connection-options.ts';
import { type Connection, encodeInitOut, MAX_WRITE, negotiate } from './codec/init.ts';
import { Reply } from './codec/reply.ts';
import { Request } from './codec/request.ts';
import { type AsideOptions, hasReadNothing } from './device.ts';
import { Devices, type Knowing } from './devices.ts';
import { LATER, type Ticket } from './filesystem.ts';
import type { SharingEvents } from './nodes.ts';
import { Observer } from './observer.ts';
import { OPERATIONS, type Operation, UNKNOWN } from './ops.ts';
import { PendingRequests, type WaitingRequest } from './pending-requests.ts';
import { Following } from './receive/following.ts';
import { IdleClock } from './receive/pacing.ts';
import { Receiver } from './receive/receiver.ts';
import { Watched, type WatchedDescriptor } from './receive/watched.ts';
import type { FuseSessionOptions } from './session-options.ts';

export type { FuseSessionOptions, WatchedDescriptor };

/** Room for the header, the struct and the names around `MAX_WRITE` bytes of data. */
const REQUEST_CAPACITY = MAX_WRITE + 64 * 1024;
const NOT_SHARED: SharingEvents = { onShared: () => undefined, onRenamed: () => undefined, areApart: () => false };
/** The largest errno the kernel accepts in a reply is below this; anything else would leave the caller hanging. */
const ERRNO_END = 512;

export class FuseSession {
  /** Is told of each request and reply. */
  observer: Observer | undefined = Observer.fromEnvironment();
  readonly #options: FuseSessionOptions;
  readonly #wishes: ConnectionOptions;
  readonly #request = new Request(REQUEST_CAPACITY);
  readonly #reply = new Reply(MAX_WRITE + 4096);
  /** Requests by opcode; slot 0, which is no opcode, counts the unknown ones. */
  readonly #counts: number[] = OPERATIONS.map(() => 0);
  readonly #devices: Devices;
  readonly #idle: IdleClock;
  readonly #following: Following;
  readonly #receiver: Receiver;
  readonly #pending: PendingRequests;
  constructor(options: FuseSessionOptions) {
    this.#options = options;
    this.#wishes = {
      writeback: options.writeback,
      readdirplusAuto: options.readdirplusAuto ?? false,
      autoInvalData: options.autoInvalData ?? false,
    };
    this.#devices = new Devices(options, options.beside, options.sharing ?? NOT_SHARED);
    // Here and not in `run`: `drain` may come first, and must not wait for a connection that has nothing to say.
    for (const fd of this.#devices.fds) setNonblocking(fd);
    this.#idle = new IdleClock(options);
    this.#following = new Following(options.affinity);
    const watched = new Watched(options.watch ?? []);
    this.#receiver = new Receiver({
      devices: this.#devices,
      watched,
      idle: this.#idle,
      following: this.#following,
      buffer: this.#request.buffer,
    });
    this.#pending = new PendingRequests(options.pending);
  }

  /** Requests served so far, by opcode name; opcodes never seen are left out. */
  get counters(): Record<string, number> {
    const counters: Record<string, number> = {};
    for (const [opcode, count] of this.#counts.entries()) {
      if (count > 0) counters[(OPERATIONS[opcode] ?? UNKNOWN).name] = count;
    }
    return counters;
  }

  /** The requests that were put off, the oldest first. */
  get waiting(): readonly WaitingRequest[] {
    return this.#pending.list();
  }

  /** Serves one more connection, from which no other takes what it knows. To be called between requests. */
  addAside(aside: AsideOptions): void {
    setNonblocking(aside.fd);
    this.#devices.addAside(aside);
    this.#receiver.repoll();
  }

  /** The connections by which the kernel may know a node. */
  knowing(nodeId: NodeId): readonly Knowing[] {
    return this.#devices.knowing(nodeId);
  }

  /**
   * Serves requests until every connection's file system but that aside is unmounted or `stop` is called; blocks the thread. After a
   * stop, `run` may be called again; callers wait meanwhile. Throws an Error for a kernel that is too old, SystemError when the
   * descriptor is no FUSE device.
   */
  run(): 'unmounted' | 'stopped' {
    try {
      return this.#run();
    } finally {
      this.#following.letGo();
    }
  }

  #run(): 'unmounted' | 'stopped' {
    while (!this.#receiver.isStopped) {
      const received = this.#receiver.receive();
      if (received > 0) {
        this.#serve(received);
        this.#following.served(this.#request.caller.pid, this.#receiver.wasThere);
        this.#receiver.served();
      } else if (received === -ENODEV || received === 0) {
        if (!this.#devices.retire()) {
          for (const ticket of this.#pending.clear()) this.#options.onWithdrawn?.(ticket);
          return 'unmounted';
        }
        this.#receiver.repoll();
      } else if (received !== -EAGAIN && !hasReadNothing(received)) {
        throw new SystemError('read from the FUSE device', -received as Errno);
      }
    }
    this.#receiver.isStopped = false;
    return 'stopped';
  }

  /** Makes `run` return before the next request. To be called on its own thread: from `onReadable`, `idle` or a handler. */
  stop(): void {
    this.#receiver.isStopped = true;
  }

  /**
   * Serves what the kernel has queued, until nothing is left to be answered or `limit` milliseconds are over. To be called
   * from `onReadable`, or before `run`. After syncfs(2) it makes sure that what was written is here: by then the kernel has queued its
   * writes, but it does not wait for a FUSE daemon to answer them (seen with 6.18.44).
   */
  drain(limit: number): void {
    const until = performance.now() + limit;
    for (let left = this.#devices.count; left > 0; left--) {
      do {
        const received = read(this.#devices.current.fd, this.#request.buffer);
        if (received > 0) this.#serve(received);
        else if (!hasReadNothing(received)) break;
      } while (performance.now() < until);
      this.#devices.advance();
    }
  }

  /** Serves a request anew that was put off, unless it was withdrawn. To be called from `onReadable` or `idle`. */
  resume(ticket: Ticket): void {
    const length = this.#pending.take(ticket)?.copy(this.#request.buffer);
    if (length !== undefined && this.#devices.turnTo(ticket)) this.#serve(length);
  }

  #serve(received: number): void {
    const request = this.#request;
    const device = this.#devices.current;
    request.device = device;
    this.#reply.nodes = device.nodes;
    const whole = request.begin(received);
    const operation = OPERATIONS[request.opcode] ?? UNKNOWN;
    const slot = OPERATIONS[request.opcode] === undefined ? 0 : request.opcode;
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1;
    this.observer?.received(operation.name, request, received);
    this.#idle.touch();
    this.#reply.length = 0;
    if (!whole || request.length < operation.size) this.#refuse(operation, received);
    else if (request.opcode === INIT) this.#initialise();
    else if (request.opcode === INTERRUPT) this.#interrupt((request.u64(0) + device.place) as Ticket);
    else {
      const errno = this.#handle(operation);
      if (errno === LATER) this.#park(received);
      else if (!operation.silent) this.#send(errno);
    }
  }

  /** The one place where a throw becomes EIO: the caller gets an error, the log a stack, the mount lives on. */
  #handle(operation: Operation): Errno {
    try {
      return operation.handle(this.#devices.current.fs, this.#request, this.#reply);
    } catch (error) {
      const stack = error instanceof Error ? error.stack : String(error);
      this.#options.log(`fuse: ${operation.name} of node ${this.#request.nodeId} threw: ${stack}`);
      return EIO;
    }
  }

  #send(errno: Errno): void {
    const { log } = this.#options;
    const request = this.#request;
    const reply = this.#reply;
    if (!(errno >= 0 && errno < ERRNO_END)) {
      log(`fuse: opcode ${request.opcode} was answered with ${errno}, which is no errno`);
      errno = EIO;
    }
    this.observer?.replied(request, reply, errno);
    const length = reply.finish(errno, request.uniqueLow, request.uniqueHigh);
    const sent = write(this.#devices.current.fd, reply.buffer, length);
    // ENOENT: the caller was killed and waits no more; ENODEV: unmounted, which the next read will say too.
    if (sent < 0 && sent !== -ENOENT && sent !== -ENODEV) {
      log(`fuse: the kernel refused the reply to opcode ${request.opcode}: ${errnoName(-sent as Errno)}`);
    }
  }

  /** Without room to wait there is no permission either. */
  #park(received: number): void {
    const { buffer, caller } = this.#request;
    if (this.#pending.keep(caller.ticket, buffer.subarray(0, received))) return;
    this.#send(EACCES);
    this.#options.onWithdrawn?.(caller.ticket);
  }

  /** All but what is pending was answered before this was read. */
  #interrupt(ticket: Ticket): void {
    const length = this.#pending.take(ticket)?.copy(this.#request.buffer);
    if (length === undefined) return;
    this.#request.begin(length);
    this.#send(EINTR);
    this.#options.onWithdrawn?.(ticket);
  }

  #refuse(operation: Operation, received: number): void {
    this.#options.log(`fuse: ${operation.name} request of ${received} bytes is too short or garbled`);
    if (received >= IN_HEADER_SIZE && !operation.silent) this.#send(EINVAL);
  }

  #initialise(): void {
    let connection: Connection | undefined;
    try {
      connection = negotiate(this.#request, this.#devices.current.wishes ?? this.#wishes);
    } catch (error) {
      this.#send(EPROTO);
      throw error;
    }
    this.#devices.current.setxattrExt = connection !== undefined && (connection.flags & FUSE_SETXATTR_EXT) !== 0;
    this.#send(this.#reply.payload(encodeInitOut(connection)));
  }
}

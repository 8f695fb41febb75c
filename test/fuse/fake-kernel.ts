/**
 * A kernel made of a socket pair: message boundaries like /dev/fuse, so a whole FuseSession runs without a mount
 * and may be told what no real kernel would.
 */
import koffi from 'koffi';
import type { FileSystem } from '../../src/fuse/filesystem.ts';
import { FuseSession, type FuseSessionOptions } from '../../src/fuse/session.ts';
import { close, read, setNonblocking, write } from '../../src/sys/libc.ts';

const libc = koffi.load('libc.so.6');
const socketpair = libc.func('int socketpair(int, int, int, void*)');
const shutdown = libc.func('int shutdown(int, int)');
const AF_UNIX = 1;
const SOCK_SEQPACKET = 5;
const SHUT_WR = 1;

export interface ReplyMessage {
  readonly unique: bigint;
  /** As on the wire: 0 or a negative errno. */
  readonly error: number;
  readonly payload: Buffer;
}

export interface Exchange {
  readonly replies: readonly ReplyMessage[];
  readonly log: readonly string[];
  readonly outcome: 'unmounted' | 'stopped';
  readonly session: FuseSession;
}

type SessionParts = Partial<Omit<FuseSessionOptions, 'fd' | 'fs' | 'log'>>;

/** Sends all requests, lets a session serve them until it finds no more, and collects its replies. */
export function exchange(fs: FileSystem, requests: readonly Buffer[], parts: SessionParts = {}): Exchange {
  const kernel = new FakeKernel();
  const log: string[] = [];
  const session = new FuseSession({
    fd: kernel.fd,
    fs,
    writeback: true,
    ...parts,
    log: (line) => log.push(line),
  });
  try {
    for (const request of requests) kernel.send(request);
    kernel.hangUp();
    const outcome = session.run();
    return { replies: kernel.receive(), log, outcome, session };
  } finally {
    kernel.close();
  }
}

export class FakeKernel {
  /** The daemon's end. */
  readonly fd: number;
  readonly #own: number;

  constructor() {
    const pair = Buffer.alloc(8);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) !== 0) throw new Error('socketpair failed');
    this.fd = pair.readInt32LE(0);
    this.#own = pair.readInt32LE(4);
    setNonblocking(this.#own);
  }

  send(message: Buffer): void {
    const sent = write(this.#own, message);
    if (sent !== message.length) throw new Error(`sent ${sent} of ${message.length} bytes`);
  }

  /** After what was sent, the daemon reads an end of file, which it takes for an unmount. */
  hangUp(): void {
    shutdown(this.#own, SHUT_WR);
  }

  receive(): ReplyMessage[] {
    const replies: ReplyMessage[] = [];
    const buffer = Buffer.alloc(1 << 20);
    for (;;) {
      const n = read(this.#own, buffer);
      if (n <= 0) return replies;
      if (buffer.readUInt32LE(0) !== n) throw new Error(`a reply of ${n} bytes says it has ${buffer.readUInt32LE(0)}`);
      const payload = Buffer.from(buffer.subarray(16, n));
      replies.push({ unique: buffer.readBigUInt64LE(8), error: buffer.readInt32LE(4), payload });
    }
  }

  close(): void {
    close(this.fd);
    close(this.#own);
  }
}

/**
 * Unix sockets with one line a message, and bytes as they are after a line that says how many. A socket is named by a
 * directory and a name in it: it is reached through `/proc/self/fd`, because a project's path may be longer than the 107
 * bytes a socket address holds.
 */
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import { ENOENT, type Errno, SystemError } from './errno.ts';
import { closeFile, openDirectory, removeFile } from './files/files.ts';

/** Longest line either side accepts, in UTF-16 code units, of which each takes three bytes at most: a peer must not fill our memory. */
const LONGEST_LINE = 64 * 1024 * 1024;
const MOST_BYTES_OF_UNIT = 3;
const MOST_CONNECTIONS = 1024;
const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);

/** One side of a connection. */
export class LineSocket {
  readonly #socket: Socket;
  /** The beginning of a line that goes on, and how many bytes that is: in one place, as a peer may send one byte at a time. */
  #line: Buffer = NOTHING;
  #held = 0;
  /** How many bytes come before the next line, and who takes them. */
  #left = 0;
  #onBytes: (bytes: Buffer) => void = () => undefined;
  #onLine: (line: string) => void = () => undefined;
  #onEnd: () => void = () => undefined;
  #ended = false;
  #longest = LONGEST_LINE;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (piece: Buffer) => this.#take(piece));
    // What went wrong shows in the end that follows.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#ended = true;
      this.#onEnd();
    });
  }

  /**
   * Says what to do with each line, and when there will be no more; a peer with a line longer than `longest` is gone. To be
   * called once, at once.
   */
  listen(onLine: (line: string) => void, onEnd: () => void, longest = LONGEST_LINE): void {
    this.#longest = longest;
    this.#onLine = onLine;
    this.#onEnd = onEnd;
  }

  /** Sends one line; after the end nobody hears it. */
  send(line: string): void {
    if (!this.#ended) this.#socket.write(`${line}\n`);
  }

  /** Sends bytes as they are, of which the line before has said how many. */
  sendBytes(bytes: Uint8Array): void {
    if (!this.#ended) this.#socket.write(bytes);
  }

  /** Has the next `count` bytes given to `take`, in pieces: whoever is told of a line says so before it returns. */
  takeBytes(count: number, take: (bytes: Buffer) => void): void {
    this.#left = count;
    this.#onBytes = take;
  }

  /** Resolves when the other side has taken so much that more may be sent; at once after the end. */
  drained(): Promise<void> {
    if (this.#ended || !this.#socket.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      this.#socket.once('drain', resolve);
      this.#socket.once('close', () => resolve());
    });
  }

  /** Lets this process end although the connection is open. */
  unref(): void {
    this.#socket.unref();
  }

  /** Ends the connection when all that was sent has gone out. */
  end(): void {
    this.#socket.end();
  }

  /** Ends the connection at once. */
  destroy(): void {
    this.#socket.destroy();
  }

  #take(piece: Buffer): void {
    for (let at = 0; at < piece.length; ) {
      if (this.#left > 0) {
        const bytes = piece.subarray(at, at + this.#left);
        this.#left -= bytes.length;
        at += bytes.length;
        this.#onBytes(bytes);
        continue;
      }
      const end = piece.indexOf(NEWLINE, at);
      if (end < 0) {
        this.#keep(piece.subarray(at));
        if (this.#held > this.#longest * MOST_BYTES_OF_UNIT) this.destroy();
        return;
      }
      const line = this.#lineTo(piece.subarray(at, end));
      at = end + 1;
      this.#onLine(line);
    }
  }

  /** The line that ends with this. */
  #lineTo(end: Buffer): string {
    if (this.#held === 0) return end.toString('utf8');
    this.#keep(end);
    const line = this.#line.toString('utf8', 0, this.#held);
    this.#line = NOTHING;
    this.#held = 0;
    return line;
  }

  #keep(piece: Buffer): void {
    const held = this.#held + piece.length;
    if (held > this.#line.length) {
      const larger = Buffer.allocUnsafe(Math.max(held, 2 * this.#line.length));
      this.#line.copy(larger, 0, 0, this.#held);
      this.#line = larger;
    }
    piece.copy(this.#line, this.#held);
    this.#held = held;
  }
}

/**
 * Connects to the socket at `path`; undefined when nobody listens there (no socket, or one that was left behind).
 * Rejects with a SystemError when it cannot be used.
 */
export async function connectTo(path: string): Promise<LineSocket | undefined> {
  let dir: number;
  try {
    dir = openDirectory(dirname(path));
  } catch (error) {
    if (error instanceof SystemError && error.errno === ENOENT) return undefined;
    throw error;
  }
  try {
    return await connect(`/proc/self/fd/${dir}/${basename(path)}`, path);
  } finally {
    closeFile(dir);
  }
}

const NOBODY: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET']);

function connect(address: string, path: string): Promise<LineSocket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(address);
    const onError = (error: NodeJS.ErrnoException): void => {
      // ECONNRESET: whoever listened has ended before it took us in.
      if (NOBODY.has(error.code)) resolve(undefined);
      else reject(new SystemError(`cannot connect to ${path}`, -(error.errno ?? -5) as Errno));
    };
    socket.once('error', onError);
    socket.once('connect', () => {
      socket.off('error', onError);
      resolve(new LineSocket(socket));
    });
  });
}

export interface Listener {
  /** Takes no new connections, and removes the socket. */
  close(): void;
}

/**
 * Listens at `path`, for `most` connections at a time (who comes then is hung up on), where a socket left behind is replaced: the caller must know that nobody listens there. Rejects
 * with a SystemError.
 */
export async function listenAt(
  path: string,
  onConnection: (socket: LineSocket) => void,
  most = MOST_CONNECTIONS,
): Promise<Listener> {
  const dir = openDirectory(dirname(path));
  const server = createServer((socket) => onConnection(new LineSocket(socket)));
  server.maxConnections = most;
  try {
    removeFile(path);
    await listen(server, `/proc/self/fd/${dir}/${basename(path)}`, path);
  } catch (error) {
    closeFile(dir);
    throw error;
  }
  return {
    close: () => {
      // Removes the socket by the address it was given: the directory stays open until then.
      server.close(() => closeFile(dir));
    },
  };
}

function listen(server: Server, address: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new SystemError(`cannot listen at ${path}`, -(error.errno ?? -5) as Errno));
    });
    server.listen(address, resolve);
  });
}

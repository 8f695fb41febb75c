/**
 * Unix sockets with one line a message. A socket is named by a directory and a name in it: it is reached through
 * `/proc/self/fd`, because a project's path may be longer than the 107 bytes a socket address holds.
 */
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import { ENOENT, type Errno, SystemError } from './errno.ts';
import { closeFile, openDirectory, removeFile } from './files/files.ts';

/** Longest line either side accepts, in UTF-16 code units: a peer must not fill our memory. */
const LONGEST_LINE = 64 * 1024 * 1024;
const MOST_CONNECTIONS = 1024;

/** One side of a connection. */
export class LineSocket {
  readonly #socket: Socket;
  #text = '';
  #onLine: (line: string) => void = () => undefined;
  #onEnd: () => void = () => undefined;
  #ended = false;
  #longest = LONGEST_LINE;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (piece: string) => this.#take(piece));
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

  #take(piece: string): void {
    const lines = (this.#text + piece).split('\n');
    this.#text = lines.pop() ?? '';
    if (this.#text.length > this.#longest) this.destroy();
    for (const line of lines) this.#onLine(line);
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

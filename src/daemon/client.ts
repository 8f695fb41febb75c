/** The other end of the daemon's socket, typed. Loads no foreign function interface: the command line starts with it. */
import type { Layout } from '../history/layout.ts';
import { connectTo, type LineSocket } from '../sys/socket.ts';
import { UserError } from '../sys/user-error.ts';
import { errorOf } from './failure.ts';
import {
  type EventLine,
  PROTOCOL_VERSION,
  type Progress,
  type Replies,
  type ReplyLine,
  type Request,
} from './protocol.ts';

export interface Client {
  /** What the daemon said when the connection was made. */
  readonly hello: Replies['hello'];
  /**
   * Sends a request and resolves to its answer; `onProgress` hears how long work gets on. Rejects with a UserError
   * when it failed, or when the daemon ended before it answered.
   */
  request<Op extends Request['op']>(
    request: Extract<Request, { op: Op }>,
    onProgress?: (progress: Progress) => void,
  ): Promise<Replies[Op]>;
  /** Says what to do with what the daemon tells of its own accord; resolves when the connection ends. */
  listen(onEvent: (line: EventLine) => void): Promise<void>;
  /** Hangs up. */
  close(): void;
}

/** Connects to the session's daemon; undefined when none is alive. Rejects with a UserError or SystemError. */
export async function connect(layout: Layout): Promise<Client | undefined> {
  const socket = await connectTo(layout.socket);
  return socket && greet(new Connection(socket, layout.log), layout);
}

/** Undefined when the daemon hangs up before it has said a word: it is about to end, or was killed just now. */
async function greet(connection: Connection, { project }: Layout): Promise<Client | undefined> {
  try {
    const hello = await connection.request({ op: 'hello' });
    if (hello.version !== PROTOCOL_VERSION) throw new UserError(...otherVersion(hello));
    if (hello.project !== project) throw new UserError(...otherPlace(hello, project));
    return {
      hello,
      request: (request, onProgress) => connection.request(request, onProgress),
      listen: (onEvent) => connection.listen(onEvent),
      close: () => connection.close(),
    };
  } catch (error) {
    const hasEnded = connection.hasEnded;
    connection.close();
    if (hasEnded) return undefined;
    throw error;
  }
}

function otherVersion(hello: Replies['hello']): [string, string] {
  return [
    `the session's daemon (process ${hello.pid}) is of another version of yolofs`,
    `end it with 'kill ${hello.pid}'; nothing that was staged is lost`,
  ];
}

/** It ends by itself, as there is no project any more where its view shows one. */
function otherPlace(hello: Replies['hello'], project: string): [string, string] {
  return [
    `${project} was moved from ${hello.project}, and the session's daemon (process ${hello.pid}) still serves it there`,
    'it ends within seconds if there is no project any more; nothing that was staged is lost',
  ];
}

interface Pending {
  readonly onLine: (line: ReplyLine) => void;
  readonly onEnd: () => void;
}

class Connection {
  readonly #socket: LineSocket;
  readonly #log: string;
  /** Answers come in the order of the requests. */
  readonly #pending: Pending[] = [];
  #ended = false;
  #onEvent: (line: EventLine) => void = () => undefined;
  #onEnd: () => void = () => undefined;

  /** `log`: where the daemon writes what it has to say. */
  constructor(socket: LineSocket, log: string) {
    this.#socket = socket;
    this.#log = log;
    socket.listen(
      (line) => this.#hear(JSON.parse(line) as ReplyLine | EventLine),
      () => this.#end(),
    );
  }

  /** Whether the other side has hung up. */
  get hasEnded(): boolean {
    return this.#ended;
  }

  request<Op extends Request['op']>(
    request: Extract<Request, { op: Op }>,
    onProgress: (progress: Progress) => void = () => undefined,
  ): Promise<Replies[Op]> {
    return new Promise((resolve, reject) => {
      if (this.#ended) {
        reject(this.#hungUp());
        return;
      }
      const onLine = (line: ReplyLine): void => {
        if ('progress' in line) {
          onProgress(line.progress);
          return;
        }
        this.#pending.shift();
        if ('ok' in line) resolve(line.ok as Replies[Op]);
        else reject(errorOf(line.error));
      };
      this.#pending.push({ onLine, onEnd: () => reject(this.#hungUp()) });
      this.#socket.send(JSON.stringify(request));
    });
  }

  listen(onEvent: (line: EventLine) => void): Promise<void> {
    this.#onEvent = onEvent;
    if (this.#ended) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onEnd = resolve;
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #hear(line: ReplyLine | EventLine): void {
    if (isEvent(line)) this.#onEvent(line);
    else this.#pending[0]?.onLine(line);
  }

  #hungUp(): UserError {
    return new UserError("the session's daemon has ended", `what was written before is kept; ${this.#log} may say why`);
  }

  #end(): void {
    this.#ended = true;
    this.#onEnd();
    for (const { onEnd } of this.#pending.splice(0)) onEnd();
  }
}

function isEvent(line: ReplyLine | EventLine): line is EventLine {
  return 'question' in line || 'closed' in line || 'request' in line || 'settled' in line;
}

/** The HTTP part of a scripted model: a server on loopback that keeps every request and answers with the next turn. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { ScriptedTurn, Turn } from './script.ts';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The body as JSON; undefined when it is none. */
  readonly body: unknown;
}

/** How an API answers. */
export interface Wire {
  /** Whether a request asks the model for its next turn; all others are answered by `otherwise`. */
  readonly isTurn: (request: ReceivedRequest) => boolean;
  readonly answer: (turn: Turn, response: ServerResponse, request: ReceivedRequest) => void;
  /** Answers what else a client asks for; 404 when it returns false, or is absent. */
  readonly otherwise?: (request: ReceivedRequest, response: ServerResponse) => boolean;
}

const ENOUGH: Turn = { text: 'The script is over.' };

/** A model that says what it is told to say; it lives as long as its test. */
export class ScriptedModel {
  /** `http://127.0.0.1:PORT`, no slash at the end. */
  readonly url: string;
  /** The requests for a turn since the last script was set, in order. */
  turns: ReceivedRequest[] = [];
  /** All other requests. */
  others: ReceivedRequest[] = [];
  #script: ScriptedTurn[] = [];
  readonly #wire: Wire;

  private constructor(url: string, wire: Wire) {
    this.url = url;
    this.#wire = wire;
  }

  static async start(t: TestContext, wire: Wire): Promise<ScriptedModel> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    const model = new ScriptedModel(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, wire);
    server.on('request', (incoming, response) => void model.#serve(incoming, response));
    return model;
  }

  /** Sets what is said from now on, and forgets the requests received so far. Beyond its end the model says so and stops. */
  say(...script: readonly ScriptedTurn[]): void {
    this.#script = [...script];
    this.turns = [];
    this.others = [];
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await received(incoming);
    if (this.#wire.isTurn(request)) {
      this.turns.push(request);
      const turn = this.#script.shift() ?? ENOUGH;
      this.#wire.answer(typeof turn === 'function' ? turn(request.body) : turn, response, request);
      return;
    }
    this.others.push(request);
    if (this.#wire.otherwise?.(request, response) !== true) response.writeHead(404).end();
  }
}

async function received(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString('utf8');
  return { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers, body: json(text) };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

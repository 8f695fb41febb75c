/**
 * Elasticsearch's wire protocol (or OpenSearch's, where they differ) over indices in memory: not one of these servers, and
 * no more of either than the adapter asks for. What it refuses, real ones refuse (`sources/real` runs the
 * same list on them). It can fail on demand, which they cannot.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Engine } from './engine.ts';
import { answer, Faults } from './faults.ts';
import { type Json, Refused } from './query.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly bytes: number;
  readonly text: string;
}

type Handle = (engine: Engine, parts: readonly string[], body: string) => unknown;

const LARGEST_BODY = 100 * 1024 * 1024;

export class SearchProtocolServer {
  readonly kind: 'opensearch' | 'elastic';
  readonly faults = new Faults();
  readonly asked: Asked[] = [];
  readonly engine: Engine;
  readonly #server: Server;
  /** What a request has to carry, if anything. */
  authorization: string | undefined;

  private constructor(kind: 'opensearch' | 'elastic') {
    this.kind = kind;
    this.engine = new Engine(kind === 'elastic');
    this.#server = createServer((request, response) => {
      this.#serve(request).then(
        ({ status, body, fault }) => answer(response, { status, body }, fault),
        () => response.destroy(),
      );
    });
  }

  static async start(kind: 'opensearch' | 'elastic'): Promise<SearchProtocolServer> {
    const server = new SearchProtocolServer(kind);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage) {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const method = request.method ?? '';
    const path = request.url ?? '';
    const { authorization } = request.headers;
    this.asked.push({ method, path, authorization, bytes: body.length, text: body.toString() });
    const fault = this.faults.take(`${method} ${path}`);
    if (fault?.kind === 'status') return { status: 0, body: {}, fault };
    if (this.authorization !== undefined && authorization !== this.authorization) {
      return { status: 401, body: { error: { type: 'security_exception', reason: `no ${authorization}` } }, fault };
    }
    if (body.length > LARGEST_BODY) return { status: 413, body: undefined, fault };
    try {
      return { status: 200, body: this.#handle(method, path, body.toString()), fault };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { status, type, message: reason } = error;
      return { status, body: { error: { root_cause: [{ type, reason }], type, reason }, status }, fault };
    }
  }

  #handle(method: string, path: string, body: string): unknown {
    const [place = ''] = path.split('?');
    const parts = place.split('/').slice(1).map(decodeURIComponent);
    const name = `${method} /${parts.map((part) => (part.startsWith('_') || part === 'point_in_time' ? part : 'INDEX')).join('/')}`;
    const handle = { ...COMMON, ...(this.kind === 'elastic' ? ELASTIC : OPENSEARCH) }[name];
    if (handle === undefined) throw new Refused(400, 'illegal_argument_exception', `no handler found for [${name}]`);
    return handle(this.engine, parts, body);
  }
}

const COMMON: Readonly<Record<string, Handle>> = {
  'PUT /INDEX': (engine, [index = ''], body) => engine.create(index, parse(body)),
  'DELETE /INDEX': (engine, [index = '']) => engine.remove(index),
  'GET /INDEX': (engine, [index = '']) => engine.describe(index),
  'POST /INDEX/_refresh': (engine, [index = '']) => engine.refresh(index),
  'POST /_aliases': (engine, _, body) => {
    const { actions } = parse(body) as { actions: { add?: { alias: string; index: string } }[] };
    for (const { add } of actions) if (add !== undefined) engine.alias(add.alias, add.index);
    return { acknowledged: true };
  },
  'POST /INDEX/_search': (engine, [index], body) => engine.search(index, parse(body)),
  'POST /_search': (engine, _, body) => engine.search(undefined, parse(body)),
  'POST /_msearch': (engine, _, body) => ({ responses: pairs(body).map(([head, query]) => one(engine, head, query)) }),
  'POST /_mget': (engine, _, body) => {
    const { docs } = parse(body) as { docs: { _index: string; _id: string }[] };
    return { docs: docs.map(({ _index, _id }) => engine.get(_index, _id)) };
  },
  'POST /_bulk': bulk,
  'POST /INDEX/_bulk': bulk,
};

const OPENSEARCH: Readonly<Record<string, Handle>> = {
  'POST /INDEX/_search/point_in_time': (engine, [index = '']) => ({ pit_id: engine.openPit(index) }),
  'DELETE /_search/point_in_time': (engine, _, body) => {
    for (const id of (parse(body) as { pit_id: string[] }).pit_id) engine.closePit(id);
    return { pits: [] };
  },
};

const ELASTIC: Readonly<Record<string, Handle>> = {
  'POST /INDEX/_pit': (engine, [index = '']) => ({ id: engine.openPit(index) }),
  'DELETE /_pit': (engine, _, body) => {
    engine.closePit((parse(body) as { id: string }).id);
    return { succeeded: true };
  },
};

function one(engine: Engine, head: Json, body: Json): unknown {
  const [, shard] = /^_shards:(\d+)$/.exec(String(head.preference)) ?? [];
  return engine.search(String(head.index), body, shard === undefined ? undefined : Number(shard));
}

/** Actions in lines; a search sees what they did when this returns, as `refresh=true` has it. */
function bulk(engine: Engine, _: readonly string[], body: string): unknown {
  const lines = body.split('\n').filter((line) => line !== '');
  const items: Json[] = [];
  const touched = new Set<string>();
  while (lines.length > 0) {
    const [[action, target] = ['', {}]] = Object.entries(parse(lines.shift() ?? ''));
    const { _index: index, _id: id, ...guard } = target as { _index: string; _id: string };
    const content = action === 'delete' ? {} : parse(lines.shift() ?? '');
    touched.add(index);
    items.push({ [action]: { _index: index, _id: id, ...engine.write(action, { index, id, body: content, guard }) } });
  }
  for (const index of touched) engine.refresh(index);
  return { took: 1, errors: items.some((item) => Number((Object.values(item)[0] as Json).status) >= 300), items };
}

function pairs(body: string): [Json, Json][] {
  const lines = body.split('\n').filter((line) => line !== '');
  return lines.flatMap((line, i) => (i % 2 === 0 ? [[parse(line), parse(lines[i + 1] ?? '{}')] as [Json, Json]] : []));
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Refused(400, 'parsing_exception', 'no JSON');
  }
}

/**
 * What our adapter uses of Chroma's REST interface, version 2, with the meaning that Chroma 1.5.9 gives it: no Chroma, and
 * no vectors. The suites run on the real server too (`chroma.ts` beside). It fails on demand.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { documentTest, metadataTest, Unfit } from './chroma-conditions.ts';

export interface StoredRow {
  document: string;
  metadata: Record<string, unknown>;
  embedding: unknown;
}

/** What happens to a request instead of, or before, its answer. */
export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly body?: string; readonly type?: string }
  | { readonly kind: 'slow'; readonly ms: number }
  /** It is done, and answered when that settles. */
  | { readonly kind: 'withheld'; readonly until: Promise<void> }
  | { readonly kind: 'hang' | 'truncated' | 'malformed' | 'nonsense' };

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
}

export interface ProtocolServer {
  readonly url: string;
  /** Every request, in order. */
  readonly asked: Asked[];
  /** Asked for each request; undefined: answer it. */
  fault: (asked: Asked) => Fault | undefined;
  stop(): Promise<void>;
}

interface Stored {
  readonly id: string;
  readonly name: string;
  dimension: number | null;
  readonly rows: Map<string, StoredRow>;
}

const BASE = '/api/v2/tenants/default_tenant/databases/default_database/collections';

/** Starts one on a free port of the loopback device. */
export async function startProtocolServer(): Promise<ProtocolServer> {
  const collections = new Map<string, Stored>();
  const listener = createServer((request, response) => void serve(request, response));
  const server = {
    url: '',
    asked: [] as Asked[],
    fault: (_: Asked): Fault | undefined => undefined,
    stop: (): Promise<void> =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        listener.closeAllConnections();
      }),
  };
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat(await request.toArray()).toString();
    const { method = '', url: path = '' } = request;
    const asked: Asked = { method, path: path.slice(BASE.length), body: text === '' ? {} : JSON.parse(text) };
    server.asked.push(asked);
    const fault = server.fault(asked);
    if (fault === undefined) send(response, answerTo(collections, asked));
    else fail(response, fault, () => answerTo(collections, asked));
  }
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  server.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return server;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Only a slow server does what it is asked, and one that withholds its answer. */
function fail(response: ServerResponse, fault: Fault, answer: () => Answer): void {
  switch (fault.kind) {
    case 'status':
      response.writeHead(fault.status, { 'content-type': fault.type ?? 'text/plain' }).end(fault.body);
      break;
    case 'slow':
      setTimeout(() => send(response, answer()), fault.ms);
      break;
    case 'withheld': {
      const made = answer();
      void fault.until.then(() => send(response, made));
      break;
    }
    case 'hang':
      break;
    case 'truncated':
      response.writeHead(200, { 'content-length': 10_000 }).write('{"ids":["a');
      setTimeout(() => response.destroy(), 5);
      break;
    case 'malformed':
      response.writeHead(200).end('{"ids":["a');
      break;
    case 'nonsense':
      send(response, { status: 200, body: { ids: ['a', 'b'], documents: ['x'], metadatas: 7 } });
  }
}

function answerTo(collections: Map<string, Stored>, { method, path, body }: Asked): Answer {
  try {
    const [, name = '', action] = path.split('/');
    if (method === 'POST' && name === '') return create(collections, String(body.name));
    const named = collections.get(decodeURIComponent(name));
    if (method === 'DELETE' && named !== undefined) {
      collections.delete(named.name);
      return { status: 200, body: {} };
    }
    if (method === 'GET' && named !== undefined) return { status: 200, body: describe(named) };
    const collection = [...collections.values()].find(({ id }) => id === name);
    if (collection === undefined) return refuse(404, 'NotFoundError', `Collection [${name}] does not exist`);
    if (action === 'get') return { status: 200, body: get(collection, body) };
    if (action === 'upsert') return upsert(collection, body);
    for (const id of body.ids as string[]) collection.rows.delete(id);
    return { status: 200, body: { deleted: (body.ids as string[]).length } };
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    return refuse(400, 'InvalidArgumentError', error.message);
  }
}

function refuse(status: number, error: string, message: string): Answer {
  return { status, body: { error, message } };
}

function describe({ id, name, dimension }: Stored): unknown {
  return { id, name, dimension, metadata: null, log_position: 0, version: 0 };
}

function create(collections: Map<string, Stored>, name: string): Answer {
  const collection = { id: randomUUID(), name, dimension: null, rows: new Map<string, StoredRow>() };
  collections.set(name, collection);
  return { status: 200, body: describe(collection) };
}

/** Rows come in the order in which they were first written. */
function get({ rows }: Stored, body: Record<string, unknown>): unknown {
  const { ids, where, where_document: document, limit, offset = 0, include } = body;
  const wanted = Array.isArray(ids) ? new Set(ids) : undefined;
  const [isMet, isDocumentMet] = [metadataTest(where), documentTest(document)];
  const found = [...rows]
    .filter(([id, row]) => (wanted?.has(id) ?? true) && isMet(row.metadata) && isDocumentMet(row.document))
    .slice(offset as number, limit === undefined ? undefined : (offset as number) + (limit as number));
  const list = (kind: string, pick: (row: StoredRow) => unknown): unknown =>
    (include as string[]).includes(kind) ? found.map(([, row]) => pick(row)) : null;
  return {
    ids: found.map(([id]) => id),
    documents: list('documents', (row) => row.document),
    metadatas: list('metadatas', (row) => row.metadata),
    embeddings: list('embeddings', (row) => row.embedding),
    include,
  };
}

/** Metadata is merged into what is there; null and empty lists leave no key behind. */
function upsert(collection: Stored, body: Record<string, unknown>): Answer {
  const { ids, documents, metadatas, embeddings } = body as Record<string, unknown[]>;
  if (ids === undefined || embeddings === undefined || embeddings.length !== ids.length) {
    return refuse(422, 'ChromaError', 'Failed to deserialize the JSON body');
  }
  for (const [at, id] of ids.entries()) {
    const embedding = embeddings[at] as number[];
    collection.dimension ??= embedding.length;
    if (collection.dimension !== embedding.length) throw new Unfit('Collection expecting another dimension');
    const before = collection.rows.get(String(id))?.metadata ?? {};
    const merged = { ...before, ...(metadatas?.[at] as Record<string, unknown>) };
    const metadata = Object.fromEntries(Object.entries(merged).filter(([, value]) => !isNothing(value)));
    collection.rows.set(String(id), { document: String(documents?.[at] ?? ''), metadata, embedding });
  }
  return { status: 200, body: {} };
}

function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

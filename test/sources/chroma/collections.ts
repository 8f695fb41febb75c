/** Collections for tests, written by the server's own interface, so that any server will do. */
import { randomBytes } from 'node:crypto';
import { type ChromaOptions, ChromaSource } from '../../../src/sources/adapters/chroma/chroma-source.ts';
import type { Entry, Principal } from '../../../src/sources/source.ts';

export interface RawRow {
  readonly id: string;
  readonly document: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface RawCollection {
  readonly name: string;
  put(rows: readonly RawRow[]): Promise<void>;
  drop(ids: readonly string[]): Promise<void>;
  /** All rows as they are. */
  rows(): Promise<{ id: string; document: string; metadata: Record<string, unknown>; embedding: number[] }[]>;
  /** Makes it anew, under the same name. */
  remake(rows: readonly RawRow[]): Promise<void>;
}

export const OPEN_SIGNAL = new AbortController().signal;
export const EVERYBODY: Principal = { groups: [] };
export const FIELDS: ChromaOptions['fields'] = {
  path: 'page',
  order: 'chunk_index',
  acl: 'groups',
  public: 'isPublic',
  mtime: 'updated_at',
  chunks: 'chunks',
  start: undefined,
};

const BASE = '/api/v2/tenants/default_tenant/databases/default_database/collections';

/** A new collection on a server. */
export async function makeCollection(url: string, rows: readonly RawRow[]): Promise<RawCollection> {
  const name = `c-${randomBytes(6).toString('hex')}`;
  let id = await create(url, name);
  const put = async (added: readonly RawRow[]): Promise<void> => {
    for (let at = 0; at < added.length; at += 2000)
      await call(url, `/${id}/upsert`, bodyOf(added.slice(at, at + 2000)));
  };
  await put(rows);
  return {
    name,
    put,
    drop: async (ids) => void (await call(url, `/${id}/delete`, { ids })),
    rows: async () => rowsOf(await call(url, `/${id}/get`, { include: ['documents', 'metadatas', 'embeddings'] })),
    remake: async (others) => {
      await fetch(`${url}${BASE}/${name}`, { method: 'DELETE' });
      id = await create(url, name);
      await put(others);
    },
  };
}

/** A source of that collection. */
export function sourceOf(url: string, name: string, options: Partial<ChromaOptions> = {}): ChromaSource {
  return new ChromaSource({ url, name, token: undefined, extension: '.mdx', open: false, fields: FIELDS, ...options });
}

/** The rows of a page of these chunks. */
export function pageRows(
  slug: string,
  chunks: readonly string[],
  metadata: Readonly<Record<string, unknown>>,
): RawRow[] {
  return chunks.map((document, at) => ({
    id: `${slug}#${at}`,
    document,
    metadata: { page: slug, chunk_index: at, ...metadata },
  }));
}

export const PUBLICLY = { isPublic: true };

/** Entries by path. */
export async function entriesOf(source: ChromaSource, principal = EVERYBODY): Promise<Map<string, Entry>> {
  const listing = await source.tree(principal, undefined, OPEN_SIGNAL);
  if (listing === 'unchanged') throw new Error('nothing was known');
  return new Map(listing.entries.map((entry) => [entry.path, entry]));
}

/** What each path reads as: its content, or `ERRNO: cause`. */
export async function contentsOf(source: ChromaSource, principal = EVERYBODY): Promise<Record<string, string>> {
  const entries = [...(await entriesOf(source, principal)).values()];
  const reads = await source.readMany(entries, principal, OPEN_SIGNAL);
  return Object.fromEntries(
    reads.map((read, at) => [
      entries[at]?.path,
      'content' in read ? Buffer.from(read.content).toString() : `${read.errno}: ${read.cause}`,
    ]),
  );
}

function bodyOf(rows: readonly RawRow[]): unknown {
  return {
    ids: rows.map((row) => row.id),
    documents: rows.map((row) => row.document),
    metadatas: rows.map((row) => row.metadata ?? null),
    embeddings: rows.map(() => [0.5, 0.5]),
  };
}

async function create(url: string, name: string): Promise<string> {
  return ((await call(url, '', { name })) as { id: string }).id;
}

async function call(url: string, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${url}${BASE}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: JSON_BODY,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

const JSON_BODY = { 'content-type': 'application/json' };

function rowsOf(body: unknown): Awaited<ReturnType<RawCollection['rows']>> {
  const { ids, documents, metadatas, embeddings } = body as {
    ids: string[];
    documents: string[];
    metadatas: Record<string, unknown>[];
    embeddings: number[][];
  };
  return ids.map((id, at) => ({
    id,
    document: documents[at] ?? '',
    metadata: metadatas[at] ?? {},
    embedding: embeddings[at] ?? [],
  }));
}

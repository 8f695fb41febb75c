/** An index of its own on a server, and sources that look at it. */
import assert from 'node:assert/strict';
import { openSearch } from '../../../src/sources/adapters/search/search-source.ts';
import type { SourceConfig } from '../../../src/sources/config.ts';
import type { Entry, Principal, Read, Source } from '../../../src/sources/source.ts';

/** A server of either kind, a real one or the protocol's. */
export interface SearchServer {
  readonly kind: 'opensearch' | 'elastic';
  readonly url: string;
  /** Whether it knows the type `wildcard` (of Elastic's artifacts in Maven it is no part). */
  readonly hasWildcard: boolean;
  /** A real OpenSearch 2.19.6 computes for minutes over some texts with a NUL ("aaa\0b"), and refuses them then. */
  readonly isStuckAtNul?: boolean;
}

export interface Doc {
  readonly id: string;
  readonly [field: string]: unknown;
}

export const EVERYBODY: Principal = { groups: [] };
export const SIGNAL = new AbortController().signal;

const KEYWORD = { type: 'keyword' };

/** The fields that the seed's index has, and those of ours. */
export function mappingOf(server: SearchServer): Record<string, unknown> {
  return {
    path: KEYWORD,
    acl: KEYWORD,
    content: {
      type: 'text',
      fields: { pattern: server.hasWildcard ? { type: 'wildcard' } : { ...KEYWORD, ignore_above: 8_000 } },
    },
    updated_at: { type: 'date' },
    size: { type: 'long' },
    bytes: { type: 'binary' },
    place: KEYWORD,
    n: { type: 'integer' },
    of: { type: 'integer' },
  };
}

let made = 0;

export class TestIndex {
  readonly server: SearchServer;
  readonly name: string;

  private constructor(server: SearchServer, name: string) {
    this.server = server;
    this.name = name;
  }

  static async create(
    server: SearchServer,
    { properties, shards = 1, name }: { properties?: Record<string, unknown>; shards?: number; name?: string } = {},
  ): Promise<TestIndex> {
    made += 1;
    const index = new TestIndex(server, name ?? `i${process.pid}-${made}`);
    await index.ask('PUT', `/${index.name}`, {
      settings: { number_of_shards: shards, number_of_replicas: 0 },
      mappings: { dynamic: false, properties: properties ?? mappingOf(server) },
    });
    return index;
  }

  async put(docs: readonly Doc[]): Promise<void> {
    const lines = docs.flatMap(({ id, ...doc }) => [{ index: { _index: this.name, _id: id } }, doc]);
    await this.#bulk(lines);
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.#bulk(ids.map((id) => ({ delete: { _index: this.name, _id: id } })));
  }

  async drop(): Promise<void> {
    await this.ask('DELETE', `/${this.name}`);
  }

  /** The document as it is in the index. */
  async source(id: string): Promise<Record<string, unknown> | undefined> {
    const answer = await this.ask('POST', '/_mget', { docs: [{ _index: this.name, _id: id }] });
    return (answer as { docs: { _source?: Record<string, unknown> }[] }).docs[0]?._source;
  }

  open(more: Partial<SourceConfig> = {}): Source {
    const { kind, url } = this.server;
    const base = { name: 'test', kind, url, index: this.name, at: '/sources/test', as: [], open: false, fields: {} };
    return openSearch({ ...base, ...more } as SourceConfig, undefined);
  }

  async ask(method: string, path: string, body?: unknown, type = 'application/json'): Promise<unknown> {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const init = text === undefined ? {} : { body: text, headers: { 'content-type': type } };
    const response = await fetch(`${this.server.url}${path}`, { method, ...init });
    const answer = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${answer.slice(0, 500)}`);
    return JSON.parse(answer);
  }

  async #bulk(lines: readonly object[]): Promise<void> {
    for (let i = 0; i < lines.length; i += 4_000) {
      const body = lines.slice(i, i + 4_000).map((line) => `${JSON.stringify(line)}\n`);
      const answer = await this.ask('POST', '/_bulk?refresh=true', body.join(''), 'application/x-ndjson');
      assert.equal((answer as { errors: boolean }).errors, false, JSON.stringify(answer).slice(0, 500));
    }
  }
}

/** The listing, sorted by path. */
export async function entriesOf(source: Source, principal = EVERYBODY): Promise<readonly Entry[]> {
  const listing = await source.tree(principal, undefined, SIGNAL);
  assert.ok(listing !== 'unchanged');
  return [...listing.entries].sort((one, other) => (one.path < other.path ? -1 : 1));
}

export async function pathsOf(source: Source, principal = EVERYBODY): Promise<string[]> {
  return (await entriesOf(source, principal)).map(({ path }) => path);
}

/** Of each path its content as text, or the errno that reading it gives. */
export async function textsOf(source: Source, principal = EVERYBODY): Promise<Record<string, string | number>> {
  const entries = await entriesOf(source, principal);
  const reads = await source.readMany(entries, principal, SIGNAL);
  return Object.fromEntries(entries.map(({ path }, i) => [path, textOf(reads[i])]));
}

export function textOf(read: Read | undefined): string | number {
  assert.ok(read !== undefined);
  return 'content' in read ? Buffer.from(read.content).toString() : read.errno;
}

/** One index of a server: searches by page, in one point in time, and what is known about it. */
import { EACCES, EIO } from '../../../sys/errno.ts';
import type { HttpServer } from '../../http.ts';
import { SourceError } from '../../source.ts';
import {
  foundOf,
  type Hit,
  metadataOf,
  type Page,
  pageOf,
  type Summary,
  summariesOf,
  textOf,
  type Written,
  writtenOf,
} from './answers.ts';
import type { Dialect } from './dialect.ts';
import type { Fields } from './fields.ts';
import { blindSchema, type Schema, schemaOf } from './schema.ts';

export type Query = Readonly<Record<string, unknown>>;

export interface Search {
  readonly query: Query;
  /** The parts of each document that come back. */
  readonly parts: readonly string[];
}

/** Who takes documents as they come: not all of them fit into memory as they are. */
interface Taking {
  readonly take: (hit: Hit) => void;
  readonly signal: AbortSignal;
}

/** Of all visible documents of one shard: how many there are, and the highest and the sum of their sequence numbers. */
export interface ShardState {
  readonly index: string;
  readonly count: number;
  readonly max: number;
  readonly sum: number;
}

/** What a search finds in one shard, and the highest sequence number of all that it searched. */
export interface ShardSearch {
  readonly max: number;
  /** Undefined where there are more than one page of them. */
  readonly hits: readonly Hit[] | undefined;
}

interface IndexOptions {
  readonly server: HttpServer;
  readonly dialect: Dialect;
  readonly index: string;
  readonly fields: Fields;
}

/** The largest page that a server gives unless it is told otherwise. */
const PAGE = 10_000;
/** Between two pages. */
const KEEP_ALIVE = '2m';
const NDJSON = 'application/x-ndjson';

export class IndexClient {
  readonly #options: IndexOptions;
  readonly #name: string;
  readonly #path: string;

  constructor(options: IndexOptions) {
    this.#options = options;
    this.#name = options.index;
    this.#path = encodeURIComponent(options.index);
  }

  /** What the mapping says now. */
  async schema(signal: AbortSignal): Promise<Schema> {
    const { server, fields } = this.#options;
    try {
      const answer = await server.request({ method: 'GET', path: `/${this.#path}` }, signal);
      return schemaOf(metadataOf(answer, this.#name), fields, this.#name);
    } catch (error) {
      // Who may search need not be allowed to look at mappings. Who may not even search is told so by the search.
      if (error instanceof SourceError && error.errno === EACCES) return blindSchema(fields);
      throw error;
    }
  }

  /** All documents that a query finds, as long as they are few; otherwise from one point in time. */
  async find(search: Search, schema: Schema, signal: AbortSignal): Promise<Hit[]> {
    const body = { ...this.#body(search, schema), track_total_hits: true };
    const { hits } = await this.#search(`/${this.#path}/_search`, body, signal);
    if (hits.total?.value === hits.hits.length) return hits.hits;
    const all: Hit[] = [];
    await this.scan(search, schema, { take: (hit) => void all.push(hit), signal });
    return all;
  }

  /** All documents that a query finds in one point in time, however many there are, one after the other. */
  async scan(search: Search, schema: Schema, { take, signal }: Taking): Promise<void> {
    const { server, dialect } = this.#options;
    const opened = await server.request({ method: 'POST', path: dialect.openPath(this.#path, KEEP_ALIVE) }, signal);
    const pit = { id: textOf(opened, dialect.idKey, this.#name) };
    try {
      await this.#pages(this.#body(search, schema), pit, { take, signal });
    } finally {
      // Nobody waits for it: one that is not closed ends by itself.
      server.request(dialect.closing(pit.id), AbortSignal.timeout(5_000)).catch((error: unknown) => error);
    }
  }

  /** The state of each shard's visible documents, in the order of the shards. */
  async states(query: Query, schema: Schema, signal: AbortSignal): Promise<ShardState[]> {
    const answers = await this.#eachShard({ query: () => query, size: 0 }, schema, signal);
    return answers.map(({ index, summary: { hits, aggregations } }) => ({
      index,
      count: hits.total.value,
      max: aggregations.max.value ?? -1,
      sum: aggregations.sum.value ?? 0,
    }));
  }

  /** A search of each shard by itself, with the query that is meant for it; of what that finds, what `filter` finds. */
  async searchShards(
    { query, parts, filter }: { query: (shard: number) => Query; parts: readonly string[]; filter: Query },
    schema: Schema,
    signal: AbortSignal,
  ): Promise<ShardSearch[]> {
    const body = { query, post_filter: filter, size: PAGE, _source: parts };
    const answers = await this.#eachShard(body, schema, signal);
    return answers.map(({ summary: { hits, aggregations } }) => ({
      max: aggregations.max.value ?? -1,
      hits: hits.total.value === hits.hits.length ? hits.hits : undefined,
    }));
  }

  /** Documents by their ids, as they are this very moment. */
  async get(
    ids: readonly { index: string; id: string }[],
    parts: readonly string[],
    signal: AbortSignal,
  ): Promise<(Hit | undefined)[]> {
    const docs = ids.map(({ index, id }) => ({ _index: index, _id: id, _source: parts }));
    const request = { method: 'POST', path: '/_mget', body: JSON.stringify({ docs }) } as const;
    return foundOf(await this.#options.server.request(request, signal), this.#name);
  }

  /** Writes documents, each by itself, in order; a search sees them when this returns. */
  async write(lines: readonly object[], signal: AbortSignal): Promise<Written[]> {
    const path = `/${this.#path}/_bulk?refresh=true`;
    const request = { method: 'POST', path, body: ndjson(lines), type: NDJSON, repeatable: false } as const;
    return writtenOf(await this.#options.server.request(request, signal), this.#name);
  }

  /** One search of each shard, in one request. */
  async #eachShard(
    { query, ...body }: { query: (shard: number) => Query; size: number },
    schema: Schema,
    signal: AbortSignal,
  ): Promise<{ index: string; summary: Summary }[]> {
    const shards = (schema.indices ?? []).flatMap(({ name, shards }) =>
      Array.from({ length: shards }, (_, number) => ({ name, number })),
    );
    const lines = shards.flatMap(({ name, number }, shard) => [
      { index: this.#name, preference: `_shards:${number}` },
      {
        ...body,
        track_total_hits: true,
        query: { bool: { filter: [query(shard), { term: { _index: name } }] } },
        aggs: { max: { max: { field: '_seq_no' } }, sum: { sum: { field: '_seq_no' } } },
      },
    ]);
    const request = { method: 'POST', path: '/_msearch', body: ndjson(lines), type: NDJSON } as const;
    const answer = await this.#options.server.request(request, signal);
    return summariesOf(answer, this.#name).map((summary, i) => ({ index: shards[i]?.name ?? '', summary }));
  }

  async #pages(body: Query, pit: { id: string }, { take, signal }: Taking): Promise<void> {
    let came = 0;
    let total: number | undefined;
    for (let after: readonly unknown[] | undefined; ; ) {
      const page = await this.#search(
        '/_search',
        {
          ...body,
          pit: { id: pit.id, keep_alive: KEEP_ALIVE },
          track_total_hits: total === undefined,
          ...(after === undefined ? {} : { search_after: after }),
        },
        signal,
      );
      total ??= page.hits.total?.value;
      for (const hit of page.hits.hits) take(hit);
      came += page.hits.hits.length;
      after = page.hits.hits.at(-1)?.sort;
      // The server may give the point in time another name with each page; the latest is the one to close.
      pit.id = page.pit_id ?? pit.id;
      if (page.hits.hits.length < PAGE || after === undefined) break;
    }
    if (came !== total) throw new SourceError(EIO, `index '${this.#name}': ${came} of ${total} documents came`);
  }

  #body({ query, parts }: Search, schema: Schema): Query {
    const { order } = this.#options.fields;
    const sort = [schema.path, ...(order === undefined ? [] : [order]), '_seq_no'];
    return {
      size: PAGE,
      query,
      sort: sort.map((field) => ({ [field]: 'asc' })),
      _source: parts,
      seq_no_primary_term: true,
    };
  }

  async #search(path: string, body: Query, signal: AbortSignal): Promise<Page> {
    const request = {
      method: 'POST',
      path: `${path}?allow_partial_search_results=false`,
      body: JSON.stringify(body),
    } as const;
    return pageOf(await this.#options.server.request(request, signal), this.#name);
  }
}

function ndjson(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/**
 * One collection of a Chroma server, over its REST interface, version 2: rows in, rows out. What surprises in it is in
 * the README beside this file.
 */
import { EAGAIN, EIO, ENODEV } from '../../../sys/errno.ts';
import { type HttpAnswer, type HttpRequest, HttpServer } from '../../http.ts';
import { SourceError } from '../../source.ts';
import { asRows, idOf, isRecord, type Row } from './rows.ts';

/** How much one request may ask for and carry. */
export interface Limits {
  /** Rows of one answer with documents, and of one write. */
  readonly rows: number;
  /** Rows of one answer without documents, or with such as are small together. */
  readonly smallRows: number;
  /** Values of one `$in`. */
  readonly values: number;
  /** Bytes of one document. */
  readonly document: number;
}

/** `where` conditions of the server. */
export type Condition = Readonly<Record<string, unknown>>;

export interface Query {
  readonly where?: Condition | undefined;
  /** What the document of a row must contain. */
  readonly document?: Condition;
  readonly ids?: readonly string[];
  /** All documents that it finds are small together. */
  readonly areSmall?: boolean;
  readonly include: readonly ('documents' | 'metadatas' | 'embeddings')[];
}

/** A query that the server does not take: too large, a regular expression beyond it. */
export class RefusedQuery extends SourceError {}

/** The server has a limit of 41 MB for a request, and of 32,766 values for a query. */
const LOCAL: Limits = { rows: 5_000, smallRows: 20_000, values: 5_000, document: 8 * 1024 * 1024 };
/** Quotas of Chroma Cloud. */
const CLOUD: Limits = { rows: 300, smallRows: 300, values: 300, document: 16_000 };
const WRITE_BYTES = 8 * 1024 * 1024;
const SWEEPS = 4;

export interface CollectionOptions {
  /** Of the server, maybe with the path of a tenant's database. */
  readonly url: string;
  readonly name: string;
  readonly token: string | undefined;
  readonly timeoutMs?: number;
  readonly limits?: Partial<Limits>;
}

export class Collection {
  readonly limits: Limits;
  readonly #server: HttpServer;
  readonly #name: string;
  /** Paths take the id; it changes when a collection is made anew under its name. */
  #id: Promise<string> | undefined;

  constructor({ url, name, token, timeoutMs, limits }: CollectionOptions) {
    const { hostname, pathname } = new URL(url);
    this.limits = { ...(hostname.endsWith('.trychroma.com') ? CLOUD : LOCAL), ...limits };
    this.#name = name;
    const database = pathname.includes('/databases/')
      ? ''
      : '/api/v2/tenants/default_tenant/databases/default_database';
    this.#server = new HttpServer({
      url: `${url.replace(/\/+$/, '')}${database}`,
      // Chroma Cloud wants the one, a proxy before a server of one's own the other.
      headers: token === undefined ? {} : { 'x-chroma-token': token, authorization: `Bearer ${token}` },
      ...(token === undefined ? {} : { secret: token }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  }

  /**
   * What `pick` makes of the rows that a query finds. The server numbers rows in the order in which they came; each
   * answer begins with the last row of the one before, so that a row that went away meanwhile is noticed.
   */
  async find<T>(query: Query, pick: (row: Row) => T | undefined, signal: AbortSignal): Promise<T[]> {
    for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
      const found = await this.#sweep(query, pick, signal);
      if (found !== undefined) return found;
    }
    throw new SourceError(EAGAIN, `collection '${this.#name}' changes while it is read`);
  }

  /** Writes rows, in requests of what the server takes at once. What is written is a row's whole metadata. */
  async upsert(rows: readonly Row[], signal: AbortSignal): Promise<void> {
    for (const part of this.batches(rows)) {
      const body = {
        ids: part.map((row) => row.id),
        documents: part.map((row) => row.document),
        metadatas: part.map((row) => row.metadata),
        embeddings: part.map((row) => row.embedding),
      };
      await this.#call('POST', '/upsert', body, signal);
    }
  }

  /** Rows in parts that go in one request each. */
  batches(rows: readonly Row[]): Row[][] {
    const parts: Row[][] = [];
    let bytes = 0;
    for (const row of rows) {
      const size = JSON.stringify(row).length;
      const last = parts.at(-1);
      if (last === undefined || last.length >= this.limits.rows || bytes + size > WRITE_BYTES) {
        parts.push([row]);
        bytes = size;
      } else {
        last.push(row);
        bytes += size;
      }
    }
    return parts;
  }

  /** Removes rows, the first ones first. */
  async remove(ids: readonly string[], signal: AbortSignal): Promise<void> {
    for (let at = 0; at < ids.length; at += this.limits.rows) {
      await this.#call('POST', '/delete', { ids: ids.slice(at, at + this.limits.rows) }, signal);
    }
  }

  /** An embedding for text that has none: the server wants one for each row, and a zero has no direction. */
  async placeholder(signal: AbortSignal): Promise<number[]> {
    const { dimension } = await this.#describe(signal);
    return [1, ...Array<number>(typeof dimension === 'number' ? Math.max(0, dimension - 1) : 0).fill(0)];
  }

  /** What is to be said where rows have no such key. */
  lacks(key: string): SourceError {
    return new SourceError(EIO, `no row of collection '${this.#name}' has '${key}'`);
  }

  close(): void {
    this.#server.close();
  }

  async #sweep<T>(query: Query, pick: (row: Row) => T | undefined, signal: AbortSignal): Promise<T[] | undefined> {
    const found: T[] = [];
    const isLarge = query.include.includes('documents') && query.areSmall !== true;
    const limit = isLarge ? this.limits.rows : this.limits.smallRows;
    let last: string | undefined;
    for (let offset = 0; ; offset += limit - 1) {
      const { where, document, ids, include } = query;
      const body = { where, where_document: document, ids, include, limit, offset };
      const rows = asRows(await this.#call('POST', '/get', body, signal));
      if (rows === undefined)
        throw new SourceError(EIO, `collection '${this.#name}': an answer is not what Chroma says`);
      if (last !== undefined && rows[0]?.id !== last) return undefined;
      for (const row of last === undefined ? rows : rows.slice(1)) {
        const picked = pick(row);
        if (picked !== undefined) found.push(picked);
      }
      if (rows.length < limit) return found;
      last = rows.at(-1)?.id;
    }
  }

  /** One request to the collection; once more if it has been made anew since its id was asked for. */
  async #call(method: 'POST', path: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    for (let tried = 0; ; tried += 1) {
      const id = await this.#resolve(signal);
      const answer = await this.#server.request(
        { method, path: `/collections/${id}${path}`, body: JSON.stringify(body) },
        signal,
      );
      if (answer.status < 300) return answer.body;
      if (answer.status === 404 && tried === 0) this.#id = undefined;
      else throw this.#refusal(answer);
    }
  }

  async #resolve(signal: AbortSignal): Promise<string> {
    this.#id ??= this.#describe(signal).then(({ id }) => id);
    try {
      return await this.#id;
    } catch (error) {
      this.#id = undefined;
      throw error;
    }
  }

  async #describe(signal: AbortSignal): Promise<{ id: string; dimension: unknown }> {
    const request: HttpRequest = { method: 'GET', path: `/collections/${encodeURIComponent(this.#name)}` };
    const answer = await this.#server.request(request, signal);
    if (answer.status !== 200) throw this.#refusal(answer);
    const id = idOf(answer.body);
    if (id === undefined || !isRecord(answer.body)) throw this.#server.unexpected(answer);
    return { id, dimension: answer.body.dimension };
  }

  #refusal(answer: HttpAnswer): SourceError {
    if (answer.status === 404) return new SourceError(ENODEV, `there is no collection '${this.#name}'`);
    const error = this.#server.unexpected(answer);
    return new RefusedQuery(error.errno, error.cause);
  }
}

/** An index of OpenSearch or Elasticsearch as a source: each document, or each path of several documents, is a file. */
import { EFBIG, ENOENT } from '../../../sys/errno.ts';
import { UserError } from '../../../sys/user-error.ts';
import type { SourceConfig } from '../../config.ts';
import { elsewhere } from '../../elsewhere/following.ts';
import { HttpServer } from '../../http.ts';
import {
  type Change,
  type Entry,
  type Listing,
  type Outcome,
  type Principal,
  type Read,
  type Source,
  SourceError,
  type SourceFault,
  unansweredRead,
  type Wanted,
} from '../../source.ts';
import { batchesOf, eachOf } from '../batches.ts';
import { type Hit, Refusal } from './answers.ts';
import { anyOf, coarseQuery } from './coarse.ts';
import { commitAll } from './commit.ts';
import { DIALECTS, type Dialect, type SearchKind } from './dialect.ts';
import {
  byPath,
  contentOf,
  type Document,
  digest,
  entryOf,
  type Listed,
  listing,
  type Reading,
  visible,
  visibleQuery,
} from './documents.ts';
import { listed, read, withDefaults } from './fields.ts';
import { IndexClient, type Query, type ShardState } from './index-client.ts';
import { storedForms } from './paths.ts';
import type { CoarseField, Schema } from './schema.ts';
import { searchUnsure, type Unsure } from './unsure.ts';

/** Files of one reading request; a few wait at once. */
const READ_FILES = 200;
/** Larger scopes are not sent: what is found is looked up in them here. */
const LARGEST_SCOPE = 1_000;

/** Opens the index that a table names. Throws a UserError where it names none. */
export function openSearch(config: SourceConfig, token: string | undefined): Source {
  const { name, kind, url, index, fields, extension, open } = config;
  if (url === undefined || index === undefined || (kind !== 'opensearch' && kind !== 'elastic')) {
    throw new UserError(`source '${name}' names no index`);
  }
  const reading = { fields: withDefaults(fields), extension: extension ?? '', isOpen: open };
  return new SearchSource({ kind, url, index, reading }, token);
}

interface Place {
  readonly kind: SearchKind;
  readonly url: string;
  readonly index: string;
  readonly reading: Reading;
}

/** What the parts of one request share. */
interface Asked {
  readonly schema: Schema;
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

class SearchSource implements Source {
  readonly #server: HttpServer;
  readonly #client: IndexClient;
  readonly #index: string;
  readonly #reading: Reading;
  /** Of the last principal that searched. */
  #unsure: { readonly key: string; readonly known: Unsure | undefined } | undefined;

  constructor({ kind, url, index, reading }: Place, token: string | undefined) {
    const dialect = DIALECTS[kind];
    this.#server = new HttpServer({ url, ...(token === undefined ? {} : credentialsOf(token, dialect)) });
    this.#client = new IndexClient({ server: this.#server, dialect, index, fields: reading.fields });
    this.#index = index;
    this.#reading = reading;
  }

  async tree(principal: Principal, known: string | undefined, signal: AbortSignal): Promise<Listing | 'unchanged'> {
    const schema = await this.#client.schema(signal);
    const query = visibleQuery(this.#reading, schema, principal);
    const states = schema.indices === undefined ? undefined : await this.#client.states(query, schema, signal);
    const version =
      states === undefined ? undefined : digest([principal.groups, this.#reading, schema.indices, states]);
    if (version !== undefined && version === known) return 'unchanged';
    this.#unsure = undefined;
    const tally = new Tally();
    const documents: Listed[] = [];
    const keep = listing(this.#reading, { schema, principal });
    const take = (hit: Hit): void => {
      tally.add(hit);
      const document = keep(hit);
      if (document !== undefined) documents.push(document);
    };
    await this.#client.scan({ query, parts: listed(this.#reading.fields) }, schema, { take, signal });
    const entries = [...byPath(documents)].map(entryOf);
    // The states are of a moment before, maybe of another copy of the shards: only where they say the same is it this tree.
    if (version !== undefined && states !== undefined && tally.isOf(states)) return { version, entries };
    const own = digest([principal.groups, this.#reading, entries]);
    return own === known ? 'unchanged' : { version: own, entries };
  }

  async readMany(entries: readonly Entry[], principal: Principal, signal: AbortSignal): Promise<Read[]> {
    try {
      const schema = await this.#client.schema(signal);
      const asked = { schema, principal, signal };
      return (await eachOf(batchesOf(entries, READ_FILES), (batch) => this.#readBatch(batch, asked))).flat();
    } catch (error) {
      return entries.map(() => unansweredRead(error));
    }
  }

  async candidates(
    { formula, scope }: Wanted,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string> | undefined> {
    const schema = await this.#client.schema(signal);
    // What a file must contain may be spread over its documents, or over the border of two.
    const field = this.#reading.fields.order === undefined ? schema.coarse : undefined;
    if (field === undefined) return undefined;
    const coarse = coarseQuery(formula, field.name);
    if (coarse === undefined) return undefined;
    try {
      const unsure = await this.#unsureOf(field, schema, { principal, signal });
      const found = unsure && (await this.#search({ coarse, unsure, scope }, { schema, principal, signal }));
      const within = found && new Set(scope ?? found);
      return found && new Set(found.filter((path) => within?.has(path)));
    } catch (error) {
      // This server chokes on such a query.
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  }

  async commit(changes: readonly Change[], principal: Principal, signal: AbortSignal): Promise<Outcome[]> {
    const schema = await this.#client.schema(signal);
    const context = { client: this.#client, index: this.#index, reading: this.#reading, schema };
    return commitAll(changes, { ...context, principal, signal });
  }

  close(): Promise<void> {
    this.#server.close();
    return Promise.resolve();
  }

  /** The paths of what a coarse query finds, and of what may match anyway; undefined where there are too many. */
  async #search(
    { coarse, unsure, scope }: { coarse: Query; unsure: Unsure; scope: readonly string[] | undefined },
    { schema, principal, signal }: Asked,
  ): Promise<string[] | undefined> {
    const { fields, extension } = this.#reading;
    const isSmall = scope !== undefined && scope.length <= LARGEST_SCOPE;
    const forms = isSmall ? [{ terms: { [schema.path]: scope.flatMap((path) => storedForms(path, extension)) } }] : [];
    const filter = [visibleQuery(this.#reading, schema, principal), ...forms];
    const query = (shard: number): Query => ({
      bool: { filter: [...filter, anyOf([coarse, ...unsure.since(shard)])] },
    });
    const search = { query, parts: listed(fields), filter: { match_all: {} } };
    const shards = await this.#client.searchShards(search, schema, signal);
    if (shards.some(({ hits }) => hits === undefined)) return undefined;
    const hits = shards.flatMap((shard) => shard.hits ?? []);
    return [...visible(hits, this.#reading, { schema, principal }).keys(), ...unsure.paths];
  }

  /** Kept until the tree is another one. */
  async #unsureOf(
    field: CoarseField,
    schema: Schema,
    { principal, signal }: { principal: Principal; signal: AbortSignal },
  ): Promise<Unsure | undefined> {
    const key = digest([principal.groups, schema.indices, field]);
    if (this.#unsure?.key === key) return this.#unsure.known;
    const context = { client: this.#client, reading: this.#reading, principal };
    const known = await searchUnsure(context, { schema, field }, signal);
    this.#unsure = { key, known };
    return known;
  }

  async #readBatch(batch: readonly Entry[], asked: Asked): Promise<Read[]> {
    try {
      const { schema, principal, signal } = asked;
      const { fields, extension } = this.#reading;
      const forms = batch.flatMap(({ path }) => storedForms(path, extension));
      const paths = { terms: { [schema.path]: forms } };
      const query = { bool: { filter: [visibleQuery(this.#reading, schema, principal), paths] } };
      const hits = await this.#client.find({ query, parts: read(fields) }, schema, signal);
      const files = visible(hits, this.#reading, { schema, principal });
      return batch.map((entry) => this.#readOne(entry, files.get(entry.path), schema));
    } catch (error) {
      // More than one answer may hold: half as much at a time.
      if (isTooLarge(error) && batch.length > 1) {
        const middle = batch.length >> 1;
        const first = await this.#readBatch(batch.slice(0, middle), asked);
        return [...first, ...(await this.#readBatch(batch.slice(middle), asked))];
      }
      return batch.map(() => (isTooLarge(error) ? faultOf(error) : unansweredRead(error)));
    }
  }

  #readOne({ path }: Entry, documents: readonly Document[] | undefined, schema: Schema): Read {
    if (documents === undefined) return { errno: ENOENT, cause: `${path} is not in the index any more` };
    const now = entryOf([path, documents]);
    if (now.pointer !== undefined) return elsewhere(now, now.pointer, now.rev);
    try {
      return { content: contentOf(documents, this.#reading, schema), rev: now.rev };
    } catch (error) {
      return faultOf(error);
    }
  }
}

/** The header that carries a token. A server that repeats one repeats what stands behind the scheme. */
function credentialsOf(token: string, dialect: Dialect): { headers: Record<string, string>; secret: string } {
  const authorization = token.includes(' ') ? token : dialect.authorization(token);
  return { headers: { authorization }, secret: authorization.slice(authorization.indexOf(' ') + 1) };
}

/** How many documents came, and the highest and the sum of their sequence numbers. */
class Tally {
  #count = 0;
  #max = -1;
  #sum = 0;

  add({ _seq_no = -1 }: Hit): void {
    this.#count += 1;
    this.#max = Math.max(this.#max, _seq_no);
    this.#sum += _seq_no;
  }

  /** Whether these documents are the ones that the states count. */
  isOf(states: readonly ShardState[]): boolean {
    const total = (of: (state: ShardState) => number): number => states.reduce((all, state) => all + of(state), 0);
    return (
      total(({ count }) => count) === this.#count &&
      total(({ sum }) => sum) === this.#sum &&
      Math.max(-1, ...states.map(({ max }) => max)) === this.#max
    );
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof SourceError && error.errno === EFBIG;
}

/** What a failure means for a file. Being aborted is none. */
function faultOf(error: unknown): SourceFault {
  if (!(error instanceof SourceError)) throw error;
  return { errno: error.errno, cause: error.cause };
}

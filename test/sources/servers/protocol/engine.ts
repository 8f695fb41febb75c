/** Indices in memory: documents with sequence numbers, what a search sees of them, points in time. */
import { compile, indexed, type Json, mappingOf, type Properties, partOf, Refused, type Stored } from './query.ts';

interface Index {
  readonly name: string;
  readonly uuid: string;
  readonly shards: number;
  readonly mappings: { readonly properties?: Properties };
  readonly live: Map<string, Stored>;
  readonly nextSeqNo: number[];
  /** What the last refresh has shown. */
  searchable: readonly Stored[];
}

export interface Written {
  readonly status: number;
  readonly _seq_no?: number;
  readonly _primary_term?: number;
  readonly error?: Json;
}

const WINDOW = 10_000;

export class Engine {
  readonly #isElastic: boolean;
  readonly #indices = new Map<string, Index>();
  readonly #aliases = new Map<string, string>();
  readonly #pits = new Map<string, { index: Index; documents: readonly Stored[] }>();
  #made = 0;

  constructor(isElastic: boolean) {
    this.#isElastic = isElastic;
  }

  create(name: string, { settings, mappings }: Json): Json {
    if (this.#indices.has(name)) throw new Refused(400, 'resource_already_exists_exception', name);
    const shards = Number((settings as Json | undefined)?.number_of_shards ?? 1);
    this.#made += 1;
    this.#indices.set(name, {
      name,
      uuid: `uuid${String(this.#made).padStart(4, '0')}abcdefghijkl`,
      shards,
      mappings: (mappings ?? {}) as Index['mappings'],
      live: new Map(),
      nextSeqNo: Array.from({ length: shards }, () => 0),
      searchable: [],
    });
    return { acknowledged: true, index: name };
  }

  remove(name: string): Json {
    const index = this.#index(name);
    this.#indices.delete(index.name);
    for (const [id, pit] of this.#pits) if (pit.index === index) this.#pits.delete(id);
    return { acknowledged: true };
  }

  alias(name: string, index: string): void {
    this.#aliases.set(name, index);
  }

  describe(name: string): Json {
    const { name: real, uuid, shards, mappings } = this.#index(name);
    const settings = { index: { uuid, number_of_shards: String(shards), creation_date: '1700000000000' } };
    return { [real]: { aliases: {}, mappings, settings } };
  }

  refresh(name: string): Json {
    const index = this.#index(name);
    index.searchable = [...index.live.values()];
    return { _shards: { failed: 0 } };
  }

  openPit(name: string): string {
    const index = this.#index(name);
    const id = `pit-${this.#pits.size}-${index.uuid}`;
    this.#pits.set(id, { index, documents: index.searchable });
    return id;
  }

  closePit(id: string): void {
    if (!this.#pits.delete(id)) throw new Refused(404, 'search_context_missing_exception', id);
  }

  get openPits(): number {
    return this.#pits.size;
  }

  /** A search of an index, of one shard of it, or of the point in time that the body names. */
  search(name: string | undefined, body: Json, shard?: number): Json {
    const pit = body.pit as { id: string } | undefined;
    if (pit !== undefined && name !== undefined)
      throw new Refused(400, 'action_request_validation_exception', '[indices]');
    const held = pit === undefined ? undefined : this.#pits.get(pit.id);
    if (pit !== undefined && held === undefined) throw new Refused(404, 'search_context_missing_exception', pit.id);
    const index = held?.index ?? this.#index(name ?? '');
    const properties = index.mappings.properties ?? {};
    const isFound = compile((body.query ?? { match_all: {} }) as Json, properties);
    const found = (held?.documents ?? index.searchable).filter(
      (document) => (shard === undefined || document.shard === shard) && isFound(document),
    );
    const isLeft = compile((body.post_filter ?? { match_all: {} }) as Json, properties);
    const left = found.filter(isLeft);
    const hits = this.#page(left, body, { properties, isPit: pit !== undefined });
    const total = body.track_total_hits === true ? { total: { value: left.length, relation: 'eq' } } : {};
    return {
      took: 1,
      timed_out: false,
      _shards: { total: index.shards, successful: index.shards, skipped: 0, failed: 0 },
      ...(pit === undefined ? {} : { pit_id: pit.id }),
      hits: { ...total, hits },
      ...(body.aggs === undefined ? {} : { aggregations: aggregate(body.aggs as Json, found) }),
    };
  }

  get(name: string, id: string): Json {
    const document = this.#index(name).live.get(id);
    if (document === undefined) return { _index: name, _id: id, found: false };
    return { ...hitOf(document), _seq_no: document.seqNo, _primary_term: document.primaryTerm, found: true };
  }

  write(
    action: string,
    { index: name, id, body, guard }: { index: string; id: string; body: Json; guard: Json },
  ): Written {
    const index = this.#index(name);
    const before = index.live.get(id);
    const conflict = { status: 409, error: { type: 'version_conflict_engine_exception', reason: `[${id}]` } };
    if (action === 'create' && before !== undefined) return conflict;
    const { if_seq_no: seqNo, if_primary_term: term } = guard;
    if (action === 'update' && before === undefined)
      return { status: 404, error: { type: 'document_missing_exception' } };
    if (seqNo !== undefined && (before?.seqNo !== seqNo || before?.primaryTerm !== term)) return conflict;
    const shard = [...id].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0) % index.shards;
    const next = index.nextSeqNo[shard] ?? 0;
    index.nextSeqNo[shard] = next + 1;
    if (action === 'delete') index.live.delete(id);
    else {
      const source = action === 'update' ? merge(before?.source ?? {}, body.doc as Json) : body;
      index.live.set(id, { index: index.name, id, source, seqNo: next, primaryTerm: 1, shard });
    }
    return { status: action === 'delete' && before === undefined ? 404 : 200, _seq_no: next, _primary_term: 1 };
  }

  #page(
    found: readonly Stored[],
    body: Json,
    { properties, isPit }: { properties: Properties; isPit: boolean },
  ): Json[] {
    const size = Number(body.size ?? 10);
    if (size > WINDOW) throw new Refused(400, 'illegal_argument_exception', `Result window is too large: ${size}`);
    const fields = ((body.sort ?? []) as Json[]).map((one) => Object.keys(one)[0] ?? '');
    for (const field of fields) {
      const isKnown =
        field === '_seq_no' ||
        ['keyword', 'long', 'date', 'integer'].includes(mappingOf(field, properties)?.[0].type ?? '');
      if (!isKnown)
        throw new Refused(400, 'query_shard_exception', `No mapping found for [${field}] in order to sort on`);
    }
    const after = body.search_after as unknown[] | undefined;
    const keyed = found.map((document, i) => ({
      document,
      key: [
        ...fields.map((field) =>
          field === '_seq_no' ? document.seqNo : (indexed(document, field, properties)[0] ?? null),
        ),
        ...(isPit && this.#isElastic ? [i] : []),
      ],
    }));
    return keyed
      .sort((one, other) => compareKeys(one.key, other.key))
      .filter(({ key }) => after === undefined || compareKeys(key, after) > 0)
      .slice(0, size)
      .map(({ document, key }) => ({
        ...hitOf(document, body._source as string[] | undefined),
        ...(body.seq_no_primary_term === true ? { _seq_no: document.seqNo, _primary_term: document.primaryTerm } : {}),
        sort: key,
      }));
  }

  #index(name: string): Index {
    const index = this.#indices.get(this.#aliases.get(name) ?? name);
    if (index === undefined) throw new Refused(404, 'index_not_found_exception', `no such index [${name}]`);
    return index;
  }
}

function hitOf({ index, id, source }: Stored, parts?: readonly string[]): Json {
  if (parts === undefined) return { _index: index, _id: id, _source: source };
  const kept = parts.filter((name) => partOf(source, name) !== undefined);
  return { _index: index, _id: id, _source: kept.reduce((all: Json, name) => merge(all, shaped(source, name)), {}) };
}

/** The value of a dotted name in the form that the document has. */
function shaped(source: Json, name: string): Json {
  if (name in source) return { [name]: source[name] };
  const dot = name.indexOf('.');
  return { [name.slice(0, dot)]: shaped(source[name.slice(0, dot)] as Json, name.slice(dot + 1)) };
}

function merge(into: Json, from: Json): Json {
  const isObject = (value: unknown): value is Json =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const merged = Object.entries(from).map(([key, value]) => {
    const there = into[key];
    return [key, isObject(there) && isObject(value) ? merge(there, value) : value];
  });
  return { ...into, ...Object.fromEntries(merged) };
}

function aggregate(aggs: Json, found: readonly Stored[]): Json {
  const numbers = found.map(({ seqNo }) => seqNo);
  const figures = {
    max: numbers.length === 0 ? null : numbers.reduce((most, one) => Math.max(most, one)),
    sum: numbers.reduce((sum, one) => sum + one, 0),
  };
  return Object.fromEntries(
    Object.entries(aggs).map(([name, spec]) => [
      name,
      { value: figures[Object.keys(spec as Json)[0] as 'max' | 'sum'] },
    ]),
  );
}

/** Nothing comes last. */
function compareKeys(one: readonly unknown[], other: readonly unknown[]): number {
  for (const [i, left] of one.entries()) {
    const right = other[i];
    if (left === right) continue;
    if (left === null || right === null) return left === null ? 1 : -1;
    if (typeof left === 'number' && typeof right === 'number') return left - right;
    return String(left) < String(right) ? -1 : 1;
  }
  return 0;
}

/** What a query says of one document: the part of the language that the adapter speaks, and nothing else. */

export type Json = Readonly<Record<string, unknown>>;

/** A request that a real server refuses, as it would. */
export class Refused extends Error {
  readonly status: number;
  readonly type: string;

  constructor(status: number, type: string, reason: string) {
    super(reason);
    this.status = status;
    this.type = type;
  }
}

export interface Stored {
  readonly index: string;
  readonly id: string;
  readonly source: Json;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly shard: number;
}

interface Mapping {
  readonly type?: string;
  readonly ignore_above?: number;
  readonly fields?: Readonly<Record<string, Mapping>>;
  readonly properties?: Readonly<Record<string, Mapping>>;
}

export type Properties = Readonly<Record<string, Mapping>>;

const MOST_TERMS = 65_536;
const MOST_CLAUSES = 1_024;

/** What tells whether a document is among what `query` finds. */
export function compile(query: Json, properties: Properties): Predicate {
  const [[kind, body] = ['', {}], ...others] = Object.entries(query);
  if (others.length > 0) throw new Refused(400, 'parsing_exception', 'a query has one key');
  const make = KINDS[kind];
  if (make === undefined) throw new Refused(400, 'parsing_exception', `unknown query [${kind}]`);
  return make(body as Json, properties);
}

type Predicate = (document: Stored) => boolean;

const KINDS: Readonly<Record<string, (body: Json, properties: Properties) => Predicate>> = {
  match_all: () => () => true,
  match_none: () => () => false,
  term: (body, properties) => {
    const [field, value] = only(body);
    if (field === '_index') return ({ index }) => index === value;
    return (document) => indexed(document, field, properties).includes(value);
  },
  terms: (body, properties) => {
    const [field, values] = only(body);
    const isFine = Array.isArray(values) && values.length <= MOST_TERMS;
    if (!isFine) throw new Refused(400, 'illegal_argument_exception', 'more than max_terms_count');
    const terms = new Set<unknown>(values);
    return (document) => indexed(document, field, properties).some((value) => terms.has(value));
  },
  exists:
    ({ field }, properties) =>
    (document) =>
      indexed(document, String(field), properties).length > 0,
  wildcard: (body, properties) => {
    const [field, options] = only(body);
    const { value, case_insensitive } = options as { value: string; case_insensitive?: boolean };
    const isMatch = wildcardMatcher(value, case_insensitive === true);
    // As OpenSearch's: whose text begins with NUL is not found by anything in it.
    const isLost = (text: string): boolean =>
      mappingOf(field, properties)?.[0].type === 'wildcard' && text.startsWith('\0');
    return (document) =>
      indexed(document, field, properties).some((text) => isMatch(String(text)) && !isLost(String(text)));
  },
  range: (body) => {
    const [field, limits] = only(body);
    if (field !== '_seq_no') throw new Refused(400, 'parsing_exception', `no range of ${field}`);
    return ({ seqNo }) => seqNo > Number((limits as Json).gt);
  },
  regexp: (body, properties) => {
    const [field, options] = only(body);
    const { value } = options as { value: string };
    if (value !== '.*[\u0000-\u0001].*') throw new Refused(400, 'parsing_exception', 'this server knows one regexp');
    return (document) =>
      indexed(document, field, properties).some((text) => [...String(text)].some((one) => one < '\u0002'));
  },
  bool: (body, properties) => {
    const list = (key: string): Predicate[] => ((body[key] ?? []) as Json[]).map((one) => compile(one, properties));
    const [filter, should, mustNot] = [list('filter'), list('should'), list('must_not')];
    if (should.length + filter.length > MOST_CLAUSES) throw new Refused(400, 'too_many_clauses', 'clauses');
    const isShouldNeeded = Number(body.minimum_should_match ?? 0) > 0;
    return (document) =>
      filter.every((holds) => holds(document)) &&
      !mustNot.some((holds) => holds(document)) &&
      (!isShouldNeeded || should.some((holds) => holds(document)));
  },
};

function only(body: Json): [string, unknown] {
  const [entry] = Object.entries(body);
  if (entry === undefined) throw new Refused(400, 'parsing_exception', 'no field');
  return entry;
}

/** `*`, `?` and `\` of Lucene; with `fold`, case does not count for ASCII. Linear: no text makes it slow. */
function wildcardMatcher(value: string, fold: boolean): (text: string) => boolean {
  const lower = (text: string): string => (fold ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : text);
  const tokens = [...value.matchAll(/\\(.)|([\s\S])/gsu)].map(([, escaped, plain]) => ({
    character: lower(escaped ?? plain ?? ''),
    isStar: plain === '*',
    isAny: plain === '?',
  }));
  const parts: (typeof tokens)[] = [[]];
  for (const token of tokens) {
    if (token.isStar) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return (text) => {
    const characters = [...lower(text)];
    const fits = (part: typeof tokens, at: number): boolean =>
      at >= 0 &&
      at + part.length <= characters.length &&
      part.every(({ character, isAny }, i) => isAny || character === characters[at + i]);
    const [first = [], ...rest] = parts;
    const last = rest.pop();
    if (last === undefined) return characters.length === first.length && fits(first, 0);
    if (!fits(first, 0)) return false;
    let at = first.length;
    for (const part of rest) {
      while (at <= characters.length && !fits(part, at)) at += 1;
      at += part.length;
    }
    return at + last.length <= characters.length && fits(last, characters.length - last.length);
  };
}

/** The values of a field as the index has them: none where it is not mapped, or a value is too long for it. */
export function indexed({ source }: Stored, field: string, properties: Properties): unknown[] {
  const [mapping, name] = mappingOf(field, properties) ?? [];
  if (mapping === undefined || name === undefined) return [];
  const value = partOf(source, name);
  const values = (Array.isArray(value) ? value : [value]).filter((one) => one !== undefined && one !== null);
  const longest = mapping.ignore_above ?? Number.POSITIVE_INFINITY;
  if (mapping.type === 'keyword' || mapping.type === 'wildcard')
    return values.filter((one) => String(one).length <= longest);
  if (mapping.type === 'text')
    return values.flatMap(
      (one) =>
        String(one)
          .toLowerCase()
          .match(/[\p{L}\p{N}_]+/gu) ?? [],
    );
  return mapping.type === 'binary' ? [] : values;
}

/** A field's mapping and the name of the value that it indexes: a subfield's is the field's. */
export function mappingOf(field: string, properties: Properties): [Mapping, string] | undefined {
  const names = field.split('.');
  let mapping: Mapping | undefined = { properties };
  for (const [i, name] of names.entries()) {
    const inner: Mapping | undefined = mapping?.properties?.[name];
    const sub = mapping?.fields?.[name];
    if (inner === undefined && sub !== undefined) return [sub, names.slice(0, i).join('.')];
    mapping = inner;
  }
  return mapping === undefined ? undefined : [mapping, field];
}

/** By a dotted name, nested or as a key of its own. */
export function partOf(source: Json, name: string): unknown {
  if (name in source) return source[name];
  const dot = name.indexOf('.');
  const inner = dot === -1 ? undefined : source[name.slice(0, dot)];
  return typeof inner === 'object' && inner !== null ? partOf(inner as Json, name.slice(dot + 1)) : undefined;
}

/** From what a search finds to entries: who sees it, what revision it is, and which documents make one file. */
import { createHash } from 'node:crypto';
import { EIO } from '../../../sys/errno.ts';
import { appendTo } from '../../../sys/grouped.ts';
import { sharing } from '../../shared-lists.ts';
import { type Entry, maySee, type Pointer, type Principal, PUBLIC, SourceError } from '../../source.ts';
import type { Hit } from './answers.ts';
import { type Fields, part } from './fields.ts';
import type { Query } from './index-client.ts';
import { entryPath } from './paths.ts';
import type { Schema } from './schema.ts';

/** How documents are read: what the table says. */
export interface Reading {
  readonly fields: Fields;
  readonly extension: string;
  /** Whether everybody sees what says nothing about who may. */
  readonly isOpen: boolean;
}

/** What a listing keeps of one document that the principal sees. */
export interface Listed {
  readonly path: string;
  readonly acl: readonly string[];
  readonly rev: string;
  readonly order: number;
  readonly size: number | undefined;
  readonly mtime: number;
  readonly pointer: Pointer | undefined;
}

/** One document that the principal sees, with what came of it. */
export interface Document extends Listed {
  readonly hit: Hit;
}

/**
 * What keeps hidden documents at the server. Positive terms only: whatever the server does not find, nobody sees. (What
 * says nothing, which `open` shows, is looked at again when it has come: `visible`.)
 */
export function visibleQuery({ fields, isOpen }: Reading, schema: Schema, principal: Principal): Query {
  const terms = { terms: { [schema.acl]: [PUBLIC, ...principal.groups] } };
  const flag = fields.public === undefined ? [] : [{ term: { [fields.public]: true } }];
  const silent = isOpen ? [{ bool: { must_not: [{ exists: { field: schema.acl } }] } }] : [];
  return { bool: { should: [terms, ...flag, ...silent], minimum_should_match: 1 } };
}

/** Says of each document what a listing keeps of it; undefined: it has no path, or the principal may not see it. */
export function listing(
  reading: Reading,
  { schema, principal }: { schema: Schema; principal: Principal },
): (hit: Hit) => Listed | undefined {
  const uuids = new Map(schema.indices?.map(({ name, uuid }) => [name, uuid.slice(0, 8)]));
  const shared = sharing();
  const { fields, extension } = reading;
  return (hit) => {
    const { _index, _seq_no, _primary_term, _source } = hit;
    const path = entryPath(part(_source, fields.path), extension);
    const acl = aclOf(_source, reading);
    if (path === undefined || !maySee(principal, acl)) return undefined;
    return {
      path,
      acl: shared(acl),
      rev: `${_seq_no}.${_primary_term}.${uuids.get(_index) ?? _index}`,
      order: orderOf(_source, fields),
      size: sizeOf(_source, fields),
      mtime: mtimeOf(hit, fields, schema),
      pointer: pointerOf(_source, fields),
    };
  };
}

/** Documents by their paths, each list in order. */
export function byPath<D extends Listed>(documents: readonly D[]): Map<string, D[]> {
  const files = new Map<string, D[]>();
  for (const document of documents) appendTo(files, document.path, document);
  for (const list of files.values()) list.sort((a, b) => a.order - b.order);
  return files;
}

/** The documents among these that have a path and that the principal may see, by their paths, each list in order. */
export function visible(
  hits: readonly Hit[],
  reading: Reading,
  who: { schema: Schema; principal: Principal },
): Map<string, Document[]> {
  const listed = listing(reading, who);
  const documents = hits.map((hit) => ({ ...listed(hit), hit }));
  return byPath(documents.filter((one): one is Document => one.path !== undefined));
}

/** The entry of a path. */
export function entryOf([path, documents]: readonly [string, readonly Listed[]]): Entry {
  const sizes = documents.map(({ size }) => size);
  const [first] = documents;
  const pointer = documents.length === 1 ? first?.pointer : undefined;
  return {
    path,
    kind: 'file',
    size: sizes.reduce((sum, size) => (sum === undefined || size === undefined ? undefined : sum + size), 0),
    mtime: Math.max(...documents.map(({ mtime }) => mtime)),
    rev: revOf(documents),
    // Who sees one of its documents sees the path.
    acl: documents.length === 1 ? (first?.acl ?? []) : [...new Set(documents.flatMap(({ acl }) => acl))],
    ...(pointer === undefined ? {} : { pointer }),
  };
}

/** The revision of a path: that of its document, or a fingerprint of those of all. */
export function revOf(documents: readonly Listed[]): string {
  const revs = documents.map(({ rev }) => rev);
  return revs.length === 1 ? (revs[0] ?? '') : digest(revs);
}

/** The bytes of a path. Throws a `SourceError` where its documents do not make one whole file. */
export function contentOf(documents: readonly Document[], { fields }: Reading, schema: Schema): Uint8Array {
  checkWhole(documents, fields);
  const parts = documents.map(({ path, hit }) => {
    const bytes = bytesOf(hit._source, fields, schema);
    if (bytes === undefined)
      throw new SourceError(EIO, `a document of ${path} has no '${fields.content}' that is text`);
    return bytes;
  });
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}

/** Several documents are one file only where the table says what puts them in order, and none is missing or twice there. */
function checkWhole(documents: readonly Document[], fields: Fields): void {
  const [first] = documents;
  if (first === undefined) return;
  if (documents.length > 1 && fields.order === undefined) {
    throw new SourceError(
      EIO,
      `${documents.length} documents have the path ${first.path}, and no field 'order' joins them`,
    );
  }
  const isGapless = documents.every(({ order }, i) => order === first.order + i);
  const counts = documents.map(({ hit }) =>
    fields.chunks === undefined ? undefined : part(hit._source, fields.chunks),
  );
  const isComplete = counts.every((count) => count === undefined || count === null || count === documents.length);
  if (isGapless && isComplete && (fields.order === undefined || first.order === 0 || first.order === 1)) return;
  throw new SourceError(EIO, `a part of ${first.path} is missing, or there twice`);
}

/** Text, or bytes that are kept in base64; undefined where there is neither. */
function bytesOf(source: unknown, fields: Fields, schema: Schema): Uint8Array | undefined {
  const content = part(source, fields.content);
  if (typeof content === 'string') return Buffer.from(content, schema.isContentBinary ? 'base64' : 'utf8');
  const binary = fields.binary === undefined ? undefined : part(source, fields.binary);
  return typeof binary === 'string' ? Buffer.from(binary, 'base64') : undefined;
}

/** Who may see a document. A list that is there and empty says: nobody. */
function aclOf(source: unknown, { fields, isOpen }: Reading): readonly string[] {
  const acl = part(source, fields.acl);
  const flag = fields.public === undefined ? undefined : part(source, fields.public);
  const isSilent = (acl === undefined || acl === null) && (flag === undefined || flag === null);
  if (isSilent) return isOpen ? [PUBLIC] : [];
  const groups = (Array.isArray(acl) ? acl : [acl]).filter((group): group is string => typeof group === 'string');
  return [...new Set(flag === true ? [PUBLIC, ...groups] : groups)];
}

function orderOf(source: unknown, { order }: Fields): number {
  const number = order === undefined ? 0 : Number(part(source, order) ?? 0);
  return Number.isSafeInteger(number) ? number : -1;
}

function sizeOf(source: unknown, { size }: Fields): number | undefined {
  const bytes = size === undefined ? undefined : part(source, size);
  return typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : undefined;
}

/** What the document says, else when its index was made. */
function mtimeOf({ _index, _source }: Hit, fields: Fields, schema: Schema): number {
  const value = part(_source, fields.mtime);
  const time = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) ? time : (schema.indices?.find(({ name }) => name === _index)?.created ?? 0);
}

function pointerOf(source: unknown, { pointer }: Fields): Pointer | undefined {
  const text = pointer === undefined ? undefined : part(source, pointer);
  if (typeof text !== 'string') return undefined;
  const [, name, path] = /^source:([^/]+)\/(.+)$/.exec(text) ?? [];
  if (name !== undefined && path !== undefined) return { kind: 'source', source: name, path };
  return /^https?:\/\//.test(text) ? { kind: 'http', url: text } : undefined;
}

/** A short text that differs whenever one of these does. */
export function digest(texts: unknown): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 32);
}

/**
 * Writes changes back. Each names the revision that it was made on, and the server compares: `if_seq_no`,
 * `if_primary_term`, or `create` where nothing was. It keeps the order of one path, so one request carries many changes.
 */
import { EACCES, EINVAL, EIO, EROFS } from '../../../sys/errno.ts';
import { audienceOf, type Change, type Outcome, type Principal, SourceError, type SourceFault } from '../../source.ts';
import { faultOf, type Hit, type Written } from './answers.ts';
import { type Document, digest, type Reading, revOf, visible, visibleQuery } from './documents.ts';
import { listed, part, partial } from './fields.ts';
import type { IndexClient } from './index-client.ts';
import { slugOf, storedForms } from './paths.ts';
import type { Schema } from './schema.ts';

export interface CommitContext {
  readonly client: IndexClient;
  readonly index: string;
  readonly reading: Reading;
  readonly schema: Schema;
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

type Write = Extract<Change, { kind: 'write' }>;

/** What goes to the server for one change: the lines of the request, and which document they are about. */
interface Order {
  readonly change: Change;
  readonly lines: readonly object[];
  readonly document: { readonly index: string; readonly id: string };
}

const MOST_CHANGES = 500;
const MOST_BYTES = 16 * 1024 * 1024;
/** Of an `_id`, in bytes. */
const LONGEST_ID = 512;
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Commits changes in order; the outcome of each. Throws when nothing was sent. */
export async function commitAll(changes: readonly Change[], context: CommitContext): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const batch of batchesOf(changes)) outcomes.push(...(await commitBatch(batch, context)));
  return outcomes;
}

async function commitBatch(changes: readonly Change[], context: CommitContext): Promise<Outcome[]> {
  const now = await documentsOf(changes, context);
  const planned = changes.map((change) => plan(change, now.get(change.path) ?? [], context));
  const orders = planned.filter((one): one is Order => 'lines' in one);
  const done = new Map(orders.map((order, i) => [order, i]));
  const outcomes = orders.length === 0 ? [] : await send(orders, context);
  return planned.map((one) => ('lines' in one ? (outcomes[done.get(one) ?? -1] ?? lost()) : one));
}

/** What the principal sees at the paths of these changes. */
async function documentsOf(
  changes: readonly Change[],
  { client, reading, schema, principal, signal }: CommitContext,
): Promise<Map<string, Document[]>> {
  const forms = changes.flatMap(({ path }) => storedForms(path, reading.extension));
  const query = { bool: { filter: [visibleQuery(reading, schema, principal), { terms: { [schema.path]: forms } }] } };
  const { content } = reading.fields;
  // Of content only the form counts in which it is kept, nested or not.
  const parts = [...listed(reading.fields), ...(content.includes('.') ? [content] : [])];
  const hits = await client.find({ query, parts }, schema, signal);
  return visible(hits, reading, { schema, principal });
}

function plan(change: Change, documents: readonly Document[], context: CommitContext): Order | Outcome {
  const [document] = documents;
  const rev = document === undefined ? undefined : revOf(documents);
  if (rev !== change.base) return { kind: 'conflict', rev };
  if (documents.length > 1) return failed({ errno: EROFS, cause: `${change.path} consists of several documents` });
  if (change.kind === 'remove') return document === undefined ? lost() : removal(change, document.hit);
  const body = bodyOf(change.content, document?.hit._source, context);
  if (!('values' in body)) return failed(body);
  return document === undefined ? creation(change, body.values, context) : update(change, body.values, document.hit);
}

function removal(change: Change, hit: Hit): Order {
  return {
    change,
    document: { index: hit._index, id: hit._id },
    lines: [{ delete: { ...place(hit), ...guard(hit) } }],
  };
}

function update(change: Change, values: ReadonlyMap<string, unknown>, hit: Hit): Order {
  const doc = merged(values, hit._source);
  const lines = [{ update: { ...place(hit), ...guard(hit) } }, { doc }];
  return { change, document: { index: hit._index, id: hit._id }, lines };
}

function creation(change: Write, values: ReadonlyMap<string, unknown>, context: CommitContext): Order {
  const { index, principal, reading } = context;
  const slug = slugOf(change.path, reading.extension);
  const id = Buffer.byteLength(slug) <= LONGEST_ID ? slug : digest(slug);
  const audience = audienceOf(change, principal);
  const all = new Map([...values, [reading.fields.path, slug], [reading.fields.acl, audience]]);
  if (reading.fields.order !== undefined) all.set(reading.fields.order, 0);
  if (reading.fields.chunks !== undefined) all.set(reading.fields.chunks, 1);
  return { change, document: { index, id }, lines: [{ create: { _index: index, _id: id } }, merged(all, undefined)] };
}

/** What a document says about its content and what hangs on it, or why it cannot. */
function bodyOf(
  content: Uint8Array,
  before: unknown,
  { reading: { fields }, schema }: CommitContext,
): { values: ReadonlyMap<string, unknown> } | SourceFault {
  const text = schema.isContentBinary ? Buffer.from(content).toString('base64') : decode(content);
  if (text === undefined && fields.binary === undefined) {
    return { errno: EINVAL, cause: "the content is not UTF-8, and the table names no field 'binary' for other bytes" };
  }
  const numeric = typeof part(before, fields.mtime) === 'number';
  const values = new Map<string, unknown>([
    [fields.content, text ?? null],
    [fields.mtime, numeric ? Date.now() : new Date().toISOString()],
  ]);
  if (fields.binary !== undefined)
    values.set(fields.binary, text === undefined ? Buffer.from(content).toString('base64') : null);
  if (fields.size !== undefined) values.set(fields.size, content.length);
  if (fields.pointer !== undefined) values.set(fields.pointer, null);
  return { values };
}

function decode(content: Uint8Array): string | undefined {
  try {
    return DECODER.decode(content);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

async function send(orders: readonly Order[], context: CommitContext): Promise<Outcome[]> {
  const { client, signal } = context;
  try {
    const written = await client.write(
      orders.flatMap(({ lines }) => lines),
      signal,
    );
    if (written.length !== orders.length)
      throw new SourceError(EIO, `${orders.length} changes, ${written.length} answers`);
    const conflicts = await conflictsOf(orders, written, context);
    return orders.map((order, i) => conflicts.get(order) ?? outcomeOf(order, written[i], context));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    // Some may have been written: a second attempt then finds a conflict with itself, and nothing is lost.
    return orders.map(() => failed({ errno: error.errno, cause: error.cause }));
  }
}

function outcomeOf({ change, document }: Order, written: Written | undefined, { schema }: CommitContext): Outcome {
  if (written === undefined) return lost();
  if (written.status >= 300) return failed(faultOf(written));
  if (change.kind === 'remove') return { kind: 'done', rev: undefined };
  const uuid = schema.indices?.find(({ name }) => name === document.index)?.uuid.slice(0, 8);
  return { kind: 'done', rev: `${written._seq_no}.${written._primary_term}.${uuid ?? document.index}` };
}

/** What is there instead of what the changes were made on. Of what these groups may not see nothing is said. */
async function conflictsOf(
  orders: readonly Order[],
  written: readonly Written[],
  { client, reading, schema, principal, signal }: CommitContext,
): Promise<Map<Order, Outcome>> {
  const refused = orders.filter((order, i) => {
    const status = written[i]?.status;
    return status === 409 || (status === 404 && order.change.base !== undefined);
  });
  if (refused.length === 0) return new Map();
  const hits = await client.get(
    refused.map(({ document }) => document),
    listed(reading.fields),
    signal,
  );
  return new Map(
    refused.map((order, i) => {
      const hit = hits[i];
      if (hit === undefined) return [order, { kind: 'conflict', rev: undefined }];
      const [documents] = visible([hit], reading, { schema, principal }).values();
      const hidden: SourceFault = { errno: EACCES, cause: `nobody of these groups may write ${order.change.path}` };
      return [order, documents === undefined ? failed(hidden) : { kind: 'conflict', rev: revOf(documents) }];
    }),
  );
}

function place({ _index, _id, _routing }: Hit): object {
  return { _index, _id, ...(_routing === undefined ? {} : { routing: _routing }) };
}

function guard({ _seq_no, _primary_term }: Hit): object {
  return { if_seq_no: _seq_no, if_primary_term: _primary_term };
}

/** One object of dotted names and their values, in the form that the document has. */
function merged(values: ReadonlyMap<string, unknown>, document: unknown): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const [name, value] of values) mergeInto(all, partial(document, name, value));
  return all;
}

function mergeInto(into: Record<string, unknown>, from: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(from)) {
    const there = into[key];
    const isBoth = typeof there === 'object' && there !== null && typeof value === 'object' && value !== null;
    if (isBoth) mergeInto(there as Record<string, unknown>, value as Record<string, unknown>);
    else into[key] = value;
  }
}

function batchesOf(changes: readonly Change[]): Change[][] {
  const batches: Change[][] = [];
  let bytes = 0;
  for (const change of changes) {
    const size = change.kind === 'write' ? change.content.length : 0;
    const batch = batches.at(-1);
    if (batch === undefined || batch.length === MOST_CHANGES || bytes + size > MOST_BYTES) {
      batches.push([change]);
      bytes = size;
    } else {
      batch.push(change);
      bytes += size;
    }
  }
  return batches;
}

function failed(fault: SourceFault): Outcome {
  return { kind: 'failed', fault };
}

function lost(): Outcome {
  return failed({ errno: EIO, cause: 'the server has not said what became of it' });
}

/** The rows that a page becomes when it is written. */
import { randomBytes } from 'node:crypto';
import { PUBLIC } from '../../source.ts';
import type { Fields } from './fields.ts';
import { type Chunk, contentOf } from './page.ts';
import { type Piece, rechunk } from './rechunk.ts';
import type { Row } from './rows.ts';

export interface PageWrite {
  readonly slug: string;
  readonly content: string;
  /** What the page consists of now. */
  readonly chunks: readonly Chunk[];
  /** Who may see it, if it is new. */
  readonly audience: readonly string[];
  readonly fields: Fields;
  /** Bytes of the largest document. */
  readonly most: number;
  /** What stands for an embedding that nobody has made. */
  readonly placeholder: readonly number[];
}

/** The new rows in their order, and the ids of those that are not needed any more. */
export function newRows(write: PageWrite): { rows: Row[]; surplus: string[] } {
  const { content, fields, most } = write;
  const before = oldRows(write);
  // Chunks that overlap, or do not make a page, cannot stay as they are.
  const isPlain = fields.start === undefined && typeof contentOf(write.chunks, fields) === 'string';
  const pieces = rechunk(content, isPlain ? before.map((row) => row.document) : [], most);
  const kept = new Set(pieces.map((piece) => piece.kept));
  const free = before.filter((_, at) => !kept.has(at));
  let start = 0;
  const rows = pieces.map((piece, order): Row => {
    const old = (piece.kept === undefined ? free.shift() : before[piece.kept]) ?? template(write, before[0]);
    const row = renew(old, { piece, order, of: pieces.length, start }, write);
    start += [...piece.text].length;
    return row;
  });
  return { rows, surplus: free.map((row) => row.id) };
}

/** How a page that is new says who may see it. */
export function aclForNew(audience: readonly string[], fields: Fields): Record<string, unknown> {
  const named = audience.filter((group) => group !== PUBLIC);
  const isPublic = { [fields.public]: audience.includes(PUBLIC) };
  return named.length === 0 ? isPublic : { ...isPublic, [fields.acl]: named };
}

function oldRows({ chunks }: PageWrite): Row[] {
  const ordered = [...chunks].sort((one, other) => (one.order ?? -1) - (other.order ?? -1));
  return ordered.map((chunk) => chunk.row).filter((row) => row !== undefined);
}

/** A row for a chunk that is one more: with what the first one says, or of a new page. */
function template({ slug, audience, fields, placeholder }: PageWrite, first: Row | undefined): Row {
  const metadata = first?.metadata ?? { [fields.path]: slug, ...aclForNew(audience, fields) };
  return { id: `${slug}#${randomBytes(8).toString('hex')}`, document: '', metadata, embedding: placeholder };
}

interface Position {
  readonly piece: Piece;
  readonly order: number;
  readonly of: number;
  readonly start: number;
}

function renew(old: Row, { piece, order, of, start }: Position, { fields, placeholder }: PageWrite): Row {
  const metadata = {
    ...old.metadata,
    [fields.order]: order,
    [fields.chunks]: of,
    [fields.mtime]: now(old.metadata[fields.mtime]),
    ...(fields.start === undefined ? {} : { [fields.start]: start }),
  };
  return {
    ...old,
    document: piece.text,
    metadata,
    embedding: old.embedding.length === 0 ? placeholder : old.embedding,
  };
}

/** The time in the form that the collection has it in. */
function now(before: unknown): string | number {
  if (typeof before === 'string') return new Date().toISOString();
  const isSeconds = typeof before === 'number' && before < 1e11;
  return isSeconds ? Math.floor(Date.now() / 1000) : Date.now();
}

/** A row of a collection as the server says it, which is believed in nothing but its shape. */

export interface Row {
  readonly id: string;
  readonly document: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Empty unless it was asked for. */
  readonly embedding: readonly number[];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The id of a collection, which becomes part of a path. */
export function idOf(body: unknown): string | undefined {
  const id = isRecord(body) ? body.id : undefined;
  return typeof id === 'string' && /^[0-9a-fA-F-]{36}$/.test(id) ? id : undefined;
}

/** The rows of an answer: lists of the same length, side by side. Undefined for what is no such answer. */
export function asRows(body: unknown): Row[] | undefined {
  if (!isRecord(body) || !Array.isArray(body.ids)) return undefined;
  const { ids } = body as { ids: unknown[] };
  const lists = [body.documents, body.metadatas, body.embeddings].map((list) => list ?? ids.map(() => undefined));
  const [documents, metadatas, embeddings] = lists;
  if (!isList(documents, ids.length) || !isList(metadatas, ids.length) || !isList(embeddings, ids.length)) {
    return undefined;
  }
  const rows = ids.map((id, at) => asRow(id, documents[at] ?? '', metadatas[at] ?? {}, embeddings[at] ?? []));
  return rows.every((row) => row !== undefined) ? rows : undefined;
}

function isList(value: unknown, length: number): value is unknown[] {
  return Array.isArray(value) && value.length === length;
}

function asRow(id: unknown, document: unknown, metadata: unknown, embedding: unknown): Row | undefined {
  if (typeof id !== 'string' || typeof document !== 'string') return undefined;
  if (!isRecord(metadata) || !Array.isArray(embedding)) return undefined;
  return { id, document, metadata, embedding: embedding as readonly number[] };
}

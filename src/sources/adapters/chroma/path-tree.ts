/**
 * The path tree that a collection keeps of itself: a document `__path_tree__` that says which pages there are and who may see
 * them. It is JSON, or that in gzip in base64. A tree that is too large for one document lies in `__path_tree__/0`,
 * `__path_tree__/1` and so on, each a tree of its own.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { EIO } from '../../../sys/errno.ts';
import { SourceError } from '../../source.ts';
import type { Collection } from './collection.ts';
import { isRecord, type Row } from './rows.ts';

/** What the tree says of a page: `{isPublic, groups}` and what else there is. */
export type Listed = Readonly<Record<string, unknown>>;

const ID = '__path_tree__';
/** Ids are asked for by name, so this many at once. */
const PARTS_AT_ONCE = 100;
/** What was read is believed for so long: bulk reading asks for it once, and whoever loses a right loses it within that time. */
const FRESH_MS = 1_000;
/** What a document may unpack to. */
const MAX_BYTES = 256 * 1024 * 1024;

interface Part {
  readonly row: Row;
  readonly pages: Readonly<Record<string, unknown>>;
}

export class PathTree {
  readonly #collection: Collection;
  /** The documents as they were last time, with what they unpacked to. */
  #parts: ReadonlyMap<string, Part> = new Map();
  #pages: ReadonlyMap<string, Listed> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(collection: Collection) {
    this.#collection = collection;
  }

  /** The pages by their slugs; undefined in a collection that keeps no tree. */
  async load(signal: AbortSignal): Promise<ReadonlyMap<string, Listed> | undefined> {
    const now = performance.now();
    if (now - this.#readAt >= FRESH_MS) {
      this.#pages = pagesOf(await this.#read(signal));
      this.#readAt = now;
    }
    return this.#pages;
  }

  /** Puts a page into the tree, or with undefined takes it out. The document is read anew for it. */
  async change(slug: string, page: Listed | undefined, signal: AbortSignal): Promise<void> {
    this.#readAt = Number.NEGATIVE_INFINITY;
    const parts = await this.#read(signal);
    const part = parts.find(({ pages }) => Object.hasOwn(pages, slug)) ?? parts.at(-1);
    if (part === undefined) return;
    const { [slug]: _, ...others } = part.pages;
    const document = await pack(page === undefined ? others : { ...others, [slug]: page }, part.row.document);
    await this.#collection.upsert(
      [{ ...part.row, document, embedding: await this.#collection.placeholder(signal) }],
      signal,
    );
  }

  async #read(signal: AbortSignal): Promise<Part[]> {
    const rows = new Map<string, Row>();
    for (let from = 0; rows.size >= from; from += PARTS_AT_ONCE) {
      const numbered = Array.from({ length: PARTS_AT_ONCE }, (_, at) => `${ID}/${from + at}`);
      const ids = from === 0 ? [ID, ...numbered] : numbered;
      const found = await this.#collection.find({ ids, include: ['documents', 'metadatas'] }, (row) => row, signal);
      for (const row of found) rows.set(row.id, row);
    }
    checkNumbers(rows);
    const parts = new Map<string, Part>();
    for (const [id, row] of rows) parts.set(id, await this.#unpack(row));
    this.#parts = parts;
    return [...parts.values()];
  }

  async #unpack(row: Row): Promise<Part> {
    const known = this.#parts.get(row.id);
    return known?.row.document === row.document ? { ...known, row } : { row, pages: await unpack(row) };
  }
}

function pagesOf(parts: readonly Part[]): Map<string, Listed> | undefined {
  if (parts.length === 0) return undefined;
  const pages = parts.flatMap((part) => Object.entries(part.pages));
  return new Map(pages.map(([slug, page]) => [slug, isRecord(page) ? page : {}]));
}

/** A part that is not there is an error: the pages in it would be gone without a word. */
function checkNumbers(rows: ReadonlyMap<string, Row>): void {
  const numbered = rows.size - (rows.has(ID) ? 1 : 0);
  for (let at = 0; at < numbered; at += 1) {
    if (!rows.has(`${ID}/${at}`)) throw new SourceError(EIO, `the path tree lacks '${ID}/${at}'`);
  }
}

async function unpack({ id, document }: Row): Promise<Part['pages']> {
  try {
    const packed = document.trimStart();
    const json = packed.startsWith('{')
      ? packed
      : (await promisify(gunzip)(Buffer.from(packed, 'base64'), { maxOutputLength: MAX_BYTES })).toString();
    const pages: unknown = JSON.parse(json);
    if (isRecord(pages)) return pages;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  throw new SourceError(EIO, `'${id}' of the collection is no path tree`);
}

/** In the form that the document had before. */
async function pack(pages: Part['pages'], before: string): Promise<string> {
  const json = JSON.stringify(pages);
  return before.trimStart().startsWith('{') ? json : (await promisify(gzip)(json)).toString('base64');
}

/** What zlib and JSON say of bytes that are none of theirs. */
function isUnreadable(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  return error instanceof Error && 'code' in error && /^(?:Z_|ERR_BUFFER_TOO_LARGE)/.test(String(error.code));
}

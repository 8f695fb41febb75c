/** Pages of a Chroma collection as files. */
import { createHash } from 'node:crypto';
import { EIO, ENOENT } from '../../../sys/errno.ts';
import { sha256 } from '../../../sys/text/sha256.ts';
import { UserError } from '../../../sys/user-error.ts';
import type { SourceConfig } from '../../config.ts';
import { elsewhere } from '../../elsewhere/following.ts';
import {
  type Change,
  type Entry,
  type Listing,
  type Outcome,
  type Pointer,
  type Principal,
  type Read,
  type Source,
  unansweredRead,
  type Wanted,
} from '../../source.ts';
import { batchesOf, eachOf } from '../batches.ts';
import { Collection, type CollectionOptions, RefusedQuery } from './collection.ts';
import { Committer } from './committer.ts';
import { countOf, type Fields, timeOf } from './fields.ts';
import { type Chunk, contentOf, shapeOf, shortOf } from './page.ts';
import { type Page, Pages } from './pages.ts';
import { PathTree } from './path-tree.ts';
import { search } from './search.ts';
import { pathsOf, possiblePaths, slugsOf } from './slugs.ts';

export interface ChromaOptions extends CollectionOptions {
  readonly extension: string;
  readonly open: boolean;
  readonly fields: Fields;
}

/** Slugs by their paths, and paths by their slugs. What is not in it may have any name that is possible. */
interface Names {
  readonly slugs: ReadonlyMap<string, string>;
  readonly paths: ReadonlyMap<string, string>;
}

/** Pages of one reading request: to find them costs the server about as much for few as for many. */
const READ_PAGES = 2_500;
/** While one answer is read the server makes the next: each can be large. */
const READ_AT_ONCE = 2;
/** A search among more paths than that is one among all. */
const NARROW = 1_000;

/** Opens a source of kind `chroma`. Nothing is asked of the server yet. Throws a UserError. */
export function openChroma(config: SourceConfig, token: string | undefined): Source {
  const { url = '', collection: name = '', extension = '.mdx', open, fields } = config;
  if (fields.content !== undefined) {
    throw new UserError(`source '${config.name}': 'content' cannot be set`, 'in Chroma the content is the document');
  }
  return new ChromaSource({
    url,
    name,
    token,
    extension,
    open,
    fields: {
      path: fields.path ?? 'page',
      order: fields.order ?? 'chunk_index',
      acl: fields.acl ?? 'groups',
      public: fields.public ?? 'isPublic',
      mtime: fields.mtime ?? 'updated_at',
      chunks: fields.chunks ?? 'chunks',
      start: fields.start,
    },
  });
}

export class ChromaSource implements Source {
  readonly #collection: Collection;
  readonly #pages: Pages;
  readonly #committer: Committer;
  readonly #fields: Fields;
  readonly #extension: string;
  /** As of the last tree, by the groups it was for. */
  readonly #names = new Map<string, Names>();

  constructor(options: ChromaOptions) {
    const { fields, extension, open } = options;
    this.#fields = fields;
    this.#extension = extension;
    this.#collection = new Collection(options);
    const tree = new PathTree(this.#collection);
    this.#pages = new Pages(this.#collection, tree, fields, open);
    this.#committer = new Committer({ collection: this.#collection, pages: this.#pages, tree, fields, extension });
  }

  async tree(principal: Principal, known: string | undefined, signal: AbortSignal): Promise<Listing | 'unchanged'> {
    const pages = await this.#pages.load({ principal, include: 'sizes' }, signal);
    const slugs = pathsOf(pages.keys(), this.#extension);
    const paths = new Map([...slugs].map(([path, slug]) => [slug, path]));
    this.#names.set(keyOf(principal), { slugs, paths });
    const entries: Entry[] = [];
    for (const path of [...slugs.keys()].sort()) {
      const slug = slugs.get(path) ?? '';
      const page = pages.get(slug);
      if (page !== undefined) entries.push(entryOf(path, page, this.#fields));
      // Its chunks make way for the entries: of many pages both at once are too much.
      pages.delete(slug);
    }
    const version = versionOf(entries);
    return version === known ? 'unchanged' : { version, entries };
  }

  async readMany(entries: readonly Entry[], principal: Principal, signal: AbortSignal): Promise<Read[]> {
    const batches = batchesOf(entries, READ_PAGES);
    return (await eachOf(batches, (batch) => this.#readBatch(batch, principal, signal), READ_AT_ONCE)).flat();
  }

  async candidates(
    { formula, scope, take }: Wanted,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string> | undefined> {
    const isNarrow = scope !== undefined && scope.length <= NARROW;
    const names = this.#names.get(keyOf(principal));
    const slugs = isNarrow ? scope.flatMap((path) => this.#slugsOf(path, names)) : undefined;
    // Of other formulas the server is asked more than once.
    const chunks = take !== undefined && formula.kind === 'literal' ? new Map<string, Chunk[]>() : undefined;
    const hits = await search(formula, async (document) => {
      try {
        return await this.#pages.matching({ document, slugs, principal, chunks }, signal);
      } catch (error) {
        if (error instanceof RefusedQuery) return undefined;
        throw error;
      }
    });
    if (hits === undefined) return undefined;
    for (const [slug, found] of chunks ?? []) {
      for (const path of this.#pathsOf(slug, names)) {
        const read = this.#read({ path }, { slug, chunks: found, acl: [], listed: undefined });
        if ('content' in read) take?.({ path, ...read });
      }
    }
    const pointers = formula.kind === 'none' ? [] : await this.#pages.pointers(principal, signal);
    const paths = new Set([...hits, ...pointers].flatMap((slug) => this.#pathsOf(slug, names)));
    return scope === undefined ? paths : new Set(scope.filter((path) => paths.has(path)));
  }

  async commit(changes: readonly Change[], principal: Principal, signal: AbortSignal): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const change of changes) outcomes.push(await this.#committer.commit(change, principal, signal));
    return outcomes;
  }

  async close(): Promise<void> {
    this.#collection.close();
  }

  async #readBatch(entries: readonly Entry[], principal: Principal, signal: AbortSignal): Promise<Read[]> {
    const names = this.#names.get(keyOf(principal));
    const slugs = entries.map(({ path }) => this.#slugsOf(path, names));
    try {
      const pages = await this.#pages.load({ slugs: slugs.flat(), principal, include: 'documents' }, signal);
      const pageOf = (i: number): Page | undefined => slugs[i]?.flatMap((slug) => pages.get(slug) ?? [])[0];
      return entries.map((entry, i) => this.#read(entry, pageOf(i)));
    } catch (error) {
      return entries.map(() => unansweredRead(error));
    }
  }

  #read({ path }: Pick<Entry, 'path'>, page: Page | undefined): Read {
    if (page === undefined) return { errno: ENOENT, cause: `'${path}' is not there` };
    const now = entryOf(path, page, this.#fields);
    if (now.pointer !== undefined) return elsewhere(now, now.pointer, now.rev);
    const content = contentOf(page.chunks, this.#fields);
    if (typeof content !== 'string') return { errno: EIO, cause: `'${path}' ${content.problem}` };
    return { content: Buffer.from(content), rev: now.rev };
  }

  #slugsOf(path: string, names: Names | undefined): string[] {
    const slug = names?.slugs.get(path);
    return slug === undefined ? slugsOf(path, this.#extension) : [slug];
  }

  #pathsOf(slug: string, names: Names | undefined): string[] {
    const path = names?.paths.get(slug);
    return path === undefined ? possiblePaths(slug, this.#extension) : [path];
  }
}

function keyOf({ groups }: Principal): string {
  return JSON.stringify([...groups].sort());
}

function entryOf(path: string, { chunks, acl, listed }: Page, fields: Fields): Entry {
  const pointer = pointerOf(listed?.pointer);
  const shape = shapeOf(chunks, fields);
  const mtime = Math.max(shape.mtime, timeOf(listed?.[fields.mtime]) ?? 0);
  if (pointer !== undefined) {
    const rev = hashOf(JSON.stringify(listed));
    return { path, kind: 'file', size: countOf(listed?.size), mtime, rev, acl, pointer };
  }
  const size = typeof shape.size === 'number' ? shape.size : undefined;
  return { path, kind: 'file', size, mtime, rev: shape.rev, acl };
}

/** `https://…`, or `source:NAME/path`. */
function pointerOf(value: unknown): Pointer | undefined {
  if (typeof value !== 'string') return undefined;
  const [, source, path] = /^source:([^/]+)\/(.+)$/s.exec(value) ?? [];
  if (source !== undefined && path !== undefined) return { kind: 'source', source, path };
  return /^https?:\/\//.test(value) ? { kind: 'http', url: value } : undefined;
}

function versionOf(entries: readonly Entry[]): string {
  const hash = createHash('sha256');
  for (const { path, size, mtime, rev, acl } of entries) {
    hash.update(`${JSON.stringify([path, size ?? null, mtime, rev, acl])}\n`);
  }
  return shortOf(hash.digest('base64url'));
}

function hashOf(text: string): string {
  return shortOf(sha256(text));
}

/** The pages of a collection that a principal may see: asked for with the principal's groups, and looked at again here. */

import { appendTo } from '../../../sys/grouped.ts';
import { sharing } from '../../shared-lists.ts';
import { maySee, type Principal, PUBLIC } from '../../source.ts';
import type { Collection, Condition } from './collection.ts';
import { aclOf, type Fields } from './fields.ts';
import { aclOfPage, type Chunk, chunkOf } from './page.ts';
import type { Listed, PathTree } from './path-tree.ts';
import type { Row } from './rows.ts';

export interface Page {
  readonly slug: string;
  readonly acl: readonly string[];
  readonly chunks: readonly Chunk[];
  /** What the path tree says of it, in a collection that keeps one. */
  readonly listed: Listed | undefined;
}

/** Which pages, for whom, and what of them. */
export interface Selection {
  /** All if undefined. */
  readonly slugs?: readonly string[];
  /** Everything if undefined: what a commit has to know before it writes. */
  readonly principal: Principal | undefined;
  readonly include: 'sizes' | 'documents' | 'embeddings';
}

/** What a search asks for. */
export interface Matching {
  /** On the document of a chunk. */
  readonly document: Condition;
  /** All if undefined. */
  readonly slugs: readonly string[] | undefined;
  readonly principal: Principal;
  /** Gets the chunks that meet it, by their slugs, perhaps not all of a page: all documents are small together. */
  readonly chunks?: Map<string, Chunk[]> | undefined;
}

interface Hit {
  readonly slug: string;
  readonly chunk: Chunk | undefined;
}

export class Pages {
  readonly #collection: Collection;
  readonly #tree: PathTree;
  readonly #fields: Fields;
  /** The groups that what says nothing about groups admits. */
  readonly #silent: readonly string[];

  constructor(collection: Collection, tree: PathTree, fields: Fields, open: boolean) {
    this.#collection = collection;
    this.#tree = tree;
    this.#fields = fields;
    this.#silent = open ? [PUBLIC] : [];
  }

  /** The pages by their slugs. */
  async load(selection: Selection, signal: AbortSignal): Promise<Map<string, Page>> {
    const tree = await this.#tree.load(signal);
    const { principal } = selection;
    const slugs = tree === undefined ? selection.slugs : this.#listedSlugs(tree, selection);
    const strange: Row[] = [];
    const chunks = await this.#chunks(
      { scopes: this.#scopes(slugs, tree, principal), strange },
      selection.include,
      signal,
    );
    // A page that is listed is there, also with none of its chunks.
    const groups = new Map<string, Chunk[]>();
    for (const slug of slugs ?? []) if (tree?.has(slug)) groups.set(slug, []);
    for (const chunk of chunks) appendTo(groups, chunk.slug, chunk);
    const all = [...groups].map(([slug, group]) => this.#page(slug, group, tree));
    const pages = all.filter((page) => !principal || maySee(principal, page.acl));
    // The field has another name by now, or always had: no reason to show that all pages are gone.
    const isStrange = (row: Row): boolean =>
      !principal || maySee(principal, aclOf(row.metadata, this.#fields) ?? this.#silent);
    if (slugs === undefined && pages.length === 0 && strange.some(isStrange))
      throw this.#collection.lacks(this.#fields.path);
    return new Map(pages.map((page) => [page.slug, page]));
  }

  /** The slugs of pages that the principal may see with a chunk that meets a condition. */
  async matching({ document, slugs, principal, chunks }: Matching, signal: AbortSignal): Promise<Set<string>> {
    const tree = await this.#tree.load(signal);
    const among = tree === undefined ? slugs : this.#listedSlugs(tree, { slugs, principal });
    const include = chunks === undefined ? (['metadatas'] as const) : (['documents', 'metadatas'] as const);
    const pick = (row: Row): Hit | undefined => {
      const slug = this.#visibleSlug(row, tree, principal);
      return slug === undefined ? undefined : { slug, chunk: chunks && chunkOf(row, this.#fields) };
    };
    const found = new Set<string>();
    for (const where of this.#scopes(among, tree, principal)) {
      const query = { where, document, include, areSmall: true };
      for (const { slug, chunk } of await this.#collection.find(query, pick, signal)) {
        found.add(slug);
        if (chunk === undefined) continue;
        const group = chunks?.get(slug);
        if (group === undefined) chunks?.set(slug, [chunk]);
        else group.push(chunk);
      }
    }
    return found;
  }

  /** What lies elsewhere, by the path tree: no query finds its content. */
  async pointers(principal: Principal, signal: AbortSignal): Promise<string[]> {
    const tree = await this.#tree.load(signal);
    if (tree === undefined) return [];
    return this.#listedSlugs(tree, { principal }).filter((slug) => tree.get(slug)?.pointer !== undefined);
  }

  #page(slug: string, chunks: readonly Chunk[], tree: ReadonlyMap<string, Listed> | undefined): Page {
    const listed = tree?.get(slug);
    if (tree === undefined) return { slug, chunks, listed, acl: aclOfPage(chunks, [PUBLIC], this.#silent) };
    // Chunks beside a tree need no groups of their own; if they have any, these count too.
    return { slug, chunks, listed, acl: aclOfPage(chunks, this.#listedAcl(listed), [PUBLIC]) };
  }

  #listedAcl(listed: Listed | undefined): readonly string[] {
    return listed === undefined ? [] : (aclOf(listed, this.#fields) ?? this.#silent);
  }

  #listedSlugs(
    tree: ReadonlyMap<string, Listed>,
    { slugs, principal }: { slugs?: readonly string[] | undefined; principal: Principal | undefined },
  ): string[] {
    if (principal === undefined) return [...(slugs ?? tree.keys())];
    const sees = (slug: string): boolean => maySee(principal, this.#listedAcl(tree.get(slug)));
    return [...(slugs ?? tree.keys())].filter((slug) => tree.has(slug) && sees(slug));
  }

  /** Conditions that together cover the pages. They are all positive: a negated one also holds for rows without the key. */
  #scopes(
    slugs: readonly string[] | undefined,
    tree: ReadonlyMap<string, Listed> | undefined,
    principal: Principal | undefined,
  ): (Condition | undefined)[] {
    // Rows that say nothing cannot be asked for, so an open collection is pruned here alone; beside a tree, slugs decide.
    const isFiltered = principal !== undefined && tree === undefined && this.#silent.length === 0;
    const acl = isFiltered ? this.#admits(principal) : undefined;
    if (slugs === undefined) return [acl];
    const { values } = this.#collection.limits;
    const scopes: Condition[] = [];
    for (let at = 0; at < slugs.length; at += values) {
      const among = { [this.#fields.path]: { $in: slugs.slice(at, at + values) } };
      scopes.push(acl === undefined ? among : { $and: [among, acl] });
    }
    return scopes;
  }

  #admits({ groups }: Principal): Condition {
    const named = [...new Set([PUBLIC, ...groups])].map((group) => ({ [this.#fields.acl]: { $contains: group } }));
    return { $or: [{ [this.#fields.public]: true }, ...named] };
  }

  /** What belongs to no page is put into `strange`. */
  async #chunks(
    { scopes, strange }: { readonly scopes: readonly (Condition | undefined)[]; readonly strange: Row[] },
    include: Selection['include'],
    signal: AbortSignal,
  ): Promise<Chunk[]> {
    const shared = sharing();
    const isBare = include === 'sizes' && this.#fields.start === undefined;
    const pick = (row: Row): Chunk | undefined => {
      const chunk = chunkOf(row, this.#fields);
      if (chunk === undefined) strange.push({ ...row, document: '' });
      return chunk && { ...chunk, acl: chunk.acl && shared(chunk.acl), row: isBare ? undefined : row };
    };
    const kinds = ['documents', 'metadatas', ...(include === 'embeddings' ? ['embeddings' as const] : [])] as const;
    const chunks: Chunk[] = [];
    for (const where of scopes) {
      for (const chunk of await this.#collection.find({ where, include: kinds }, pick, signal)) chunks.push(chunk);
    }
    return chunks;
  }

  #visibleSlug(row: Row, tree: ReadonlyMap<string, Listed> | undefined, principal: Principal): string | undefined {
    const slug = row.metadata[this.#fields.path];
    if (typeof slug !== 'string') return undefined;
    const own = aclOf(row.metadata, this.#fields) ?? (tree === undefined ? this.#silent : [PUBLIC]);
    return maySee(principal, own) && (tree === undefined || tree.has(slug)) ? slug : undefined;
  }
}

/**
 * Writes pages back. Chroma has no compare-and-set: a page is read right before it is written, and again after. What
 * somebody else writes between the two is lost, what he writes right after is a conflict. A page is never whole by
 * mistake: each chunk says how many there are, and where a page does not go in one request, its first chunk is put out
 * of use before and written last.
 */
import { EEXIST, EINVAL, EROFS } from '../../../sys/errno.ts';
import { audienceOf, type Change, maySee, type Outcome, type Principal, SourceError } from '../../source.ts';
import type { Collection } from './collection.ts';
import type { Fields } from './fields.ts';
import { aclForNew, newRows } from './new-rows.ts';
import { contentOf, shapeOf } from './page.ts';
import type { Page, Pages } from './pages.ts';
import type { PathTree } from './path-tree.ts';
import { newSlug, slugsOf } from './slugs.ts';

interface CollectionFacts {
  readonly collection: Collection;
  readonly pages: Pages;
  readonly tree: PathTree;
  readonly fields: Fields;
  readonly extension: string;
}

/** What is at the path of a change. */
interface There {
  /** What the principal sees there. */
  readonly page: Page | undefined;
  /** If nothing: what nobody may write over, a page for others, or chunks that the path tree does not list. */
  readonly unseen: Page | undefined;
  readonly keepsTree: boolean;
}

export class Committer {
  readonly #facts: CollectionFacts;

  constructor(facts: CollectionFacts) {
    this.#facts = facts;
  }

  /** Makes one change. Throws only when aborted. */
  async commit(change: Change, principal: Principal, signal: AbortSignal): Promise<Outcome> {
    try {
      const there = await this.#look(change.path, principal, signal);
      if (there.page?.listed?.pointer !== undefined) throw new SourceError(EROFS, `'${change.path}' lies elsewhere`);
      const rev = there.page === undefined ? undefined : shapeOf(there.page.chunks, this.#facts.fields).rev;
      if (rev !== change.base) return { kind: 'conflict', rev };
      if (change.kind === 'remove') return await this.#remove(there.page, signal);
      return await this.#write(
        change.path,
        textOf(change),
        { ...there, audience: audienceOf(change, principal) },
        signal,
      );
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      return { kind: 'failed', fault: { errno: error.errno, cause: error.cause } };
    }
  }

  async #look(path: string, principal: Principal, signal: AbortSignal): Promise<There> {
    const { pages, tree, extension } = this.#facts;
    const slugs = slugsOf(path, extension);
    const found = await pages.load({ slugs, principal: undefined, include: 'embeddings' }, signal);
    const keepsTree = (await tree.load(signal)) !== undefined;
    const known = slugs.map((slug) => found.get(slug)).filter((page) => page !== undefined);
    const page = known.find(({ acl, listed }) => maySee(principal, acl) && (!keepsTree || listed !== undefined));
    return { page, unseen: page === undefined ? known[0] : undefined, keepsTree };
  }

  async #write(
    path: string,
    content: string,
    { page, unseen, keepsTree, audience }: There & { audience: readonly string[] },
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { tree, fields, extension } = this.#facts;
    const slug = page?.slug ?? unseen?.slug ?? newSlug(path, extension);
    if (unseen === undefined) await this.#store({ slug, content, page, audience }, signal);
    else if (!keepsTree || unseen.listed !== undefined || contentOf(unseen.chunks, fields) !== content) {
      throw new SourceError(EEXIST, `'${path}' is taken by what this view may not see`);
    }
    // Only now: what is listed has its chunks. After a try that was cut short just this is left to do.
    if (page === undefined && keepsTree) {
      await tree.change(slug, { [fields.acl]: [], ...aclForNew(audience, fields) }, signal);
    }
    return this.#verify(slug, content, signal);
  }

  async #store(
    write: { slug: string; content: string; page: Page | undefined; audience: readonly string[] },
    signal: AbortSignal,
  ): Promise<void> {
    const { collection, fields } = this.#facts;
    const chunks = write.page?.chunks ?? [];
    const placeholder = await collection.placeholder(signal);
    const most = collection.limits.document;
    const { rows, surplus } = newRows({ ...write, chunks, fields, most, placeholder });
    const isOne = collection.batches(rows).length === 1;
    const first = chunks.find((chunk) => chunk.order === 0)?.row;
    if (!isOne && first !== undefined) {
      await collection.upsert([{ ...first, metadata: { ...first.metadata, [fields.chunks]: 0 } }], signal);
    }
    await collection.upsert(isOne ? rows : [...rows.slice(1), ...rows.slice(0, 1)], signal);
    await collection.remove(surplus, signal);
  }

  async #remove(page: Page | undefined, signal: AbortSignal): Promise<Outcome> {
    if (page === undefined) return { kind: 'done', rev: undefined };
    const { collection, tree } = this.#facts;
    // First of all it is not listed any more; then its first chunk goes, without which there is no page.
    if (page.listed !== undefined) await tree.change(page.slug, undefined, signal);
    const ordered = [...page.chunks].sort((one, other) => (one.order ?? -1) - (other.order ?? -1));
    const ids = ordered.map((chunk) => chunk.id);
    await collection.remove(ids, signal);
    return { kind: 'done', rev: undefined };
  }

  /** Whether the collection has now what was written. */
  async #verify(slug: string, content: string, signal: AbortSignal): Promise<Outcome> {
    const { pages, fields } = this.#facts;
    const found = await pages.load({ slugs: [slug], principal: undefined, include: 'documents' }, signal);
    const chunks = found.get(slug)?.chunks;
    if (chunks === undefined) return { kind: 'conflict', rev: undefined };
    const { rev } = shapeOf(chunks, fields);
    return { kind: contentOf(chunks, fields) === content ? 'done' : 'conflict', rev };
  }
}

function textOf({ path, content }: { path: string; content: Uint8Array }): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SourceError(EINVAL, `'${path}' is not UTF-8 text, and Chroma holds nothing else`);
  }
}

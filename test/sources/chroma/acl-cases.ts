/** Whoever may not see a page sees a collection that never had it: names, sizes, versions, contents, search results. */
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { type Entry, maySee, type Principal } from '../../../src/sources/source.ts';
import { fc } from '../../random/fast-check.ts';
import { FIELDS, makeCollection, OPEN_SIGNAL, pageRows, type RawRow, sourceOf } from './collections.ts';

const GROUPS = ['admin', 'billing', 'public', 'ops'];

interface TestPage {
  readonly slug: string;
  readonly chunks: readonly string[];
  readonly acl: Readonly<Record<string, unknown>>;
}

const groups = fc.subarray(GROUPS);
const acl = fc.record({ isPublic: fc.boolean(), groups }, { requiredKeys: [] });
const chunks = fc.array(fc.constantFrom('alpha\n', 'beta\n', 'gam', 'ma\n', 'secret'), { minLength: 1, maxLength: 3 });
const slug = fc.constantFrom('a', 'a.mdx', 'a/b', 'c/d/e', 'c/f', 'g', 'h/i', 'h/j.json', 'k', '/l');
const pages = fc.uniqueArray(fc.record({ slug, chunks, acl }), { selector: (page) => page.slug, maxLength: 8 });
const world = fc.record({
  pages,
  as: fc.subarray(GROUPS.filter((group) => group !== 'public')),
  keepsTree: fc.boolean(),
});

/** Random collections and principals. */
export async function hiddenIsAbsent(url: string, runs: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(world, async ({ pages, as, keepsTree }) => {
      const principal = { groups: as };
      const visible = pages.filter((page) => sees(page, principal));
      const whole = await observe(url, { pages, keepsTree, principal }, pages);
      const pruned = await observe(url, { pages: visible, keepsTree, principal }, pages);
      assert.deepEqual(whole, pruned);
      assert.equal(whole.entries.length, new Set(visible.map((page) => page.slug)).size);
    }),
    { numRuns: runs, endOnFailure: true },
  );
}

function sees({ acl }: TestPage, principal: Principal): boolean {
  return acl.isPublic === true || (Array.isArray(acl.groups) && maySee(principal, acl.groups));
}

interface World {
  readonly pages: readonly TestPage[];
  readonly keepsTree: boolean;
  readonly principal: Principal;
}

/** All that a principal can learn; `guesses`: pages that somebody may try by name. */
async function observe(url: string, { pages, keepsTree, principal }: World, guesses: readonly TestPage[]) {
  const rows = pages.flatMap((page) => pageRows(page.slug, page.chunks, keepsTree ? {} : page.acl));
  const { name } = await makeCollection(url, keepsTree ? [...rows, treeOf(pages)] : rows);
  const source = sourceOf(url, name);
  const listing = await source.tree(principal, undefined, OPEN_SIGNAL);
  assert.ok(listing !== 'unchanged');
  const entries = [...listing.entries].sort((one, other) => (one.path < other.path ? -1 : 1));
  const tried = [...entries, ...guesses.flatMap((page) => guessesOf(page.slug))];
  const reads = await source.readMany(tried, principal, OPEN_SIGNAL);
  const found = await Promise.all(
    ['secret', 'gamma', 'alpha', '__path_tree__', 'H4sI'].map(async (text) => {
      const formula = { kind: 'literal', text, fold: false } as const;
      const all = await source.candidates({ formula, scope: undefined }, principal, OPEN_SIGNAL);
      const scope = tried.map((entry) => entry.path);
      const some = await source.candidates({ formula, scope }, principal, OPEN_SIGNAL);
      return [[...(all ?? ['?'])].sort(), [...(some ?? ['?'])].sort()];
    }),
  );
  return { version: listing.version, entries, reads, found };
}

function guessesOf(slug: string): Entry[] {
  const paths = [slug, `${slug}.mdx`, `${slug}/../${slug}`, '__path_tree__'];
  return paths.map((path) => ({ path, kind: 'file', size: 1, mtime: 0, rev: '', acl: ['public'] }));
}

function treeOf(pages: readonly TestPage[]): RawRow {
  const tree = Object.fromEntries(pages.map((page) => [page.slug, page.acl]));
  return {
    id: '__path_tree__',
    document: gzipSync(JSON.stringify(tree)).toString('base64'),
    metadata: { [FIELDS.public]: true },
  };
}

/** What the adapter makes of a collection: the same on Chroma's own server and on the one that speaks its protocol. */
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import type { Revised } from '../../../src/sources/source.ts';
import { EIO } from '../../../src/sys/errno.ts';
import {
  contentsOf,
  EVERYBODY,
  entriesOf,
  FIELDS,
  makeCollection,
  OPEN_SIGNAL,
  PUBLICLY,
  pageRows,
  type RawRow,
  sourceOf,
} from './collections.ts';

export interface Case {
  readonly title: string;
  run(url: string): Promise<void>;
}

const literal = (text: string, fold = false) => ({ kind: 'literal', text, fold }) as const;

export const CASES: readonly Case[] = [
  {
    title: 'a page is its chunks in their order, whatever order they came in',
    async run(url) {
      const rows = pageRows('guide/start', ['# Über\n', 'zwei\n', 'drei'], { ...PUBLICLY, updated_at: 1_700_000_000 });
      const { name } = await makeCollection(url, [...rows].reverse());
      const source = sourceOf(url, name);
      const entry = (await entriesOf(source)).get('guide/start.mdx');
      assert.deepEqual(
        { ...entry, rev: '' },
        {
          path: 'guide/start.mdx',
          kind: 'file',
          size: Buffer.byteLength('# Über\nzwei\ndrei'),
          mtime: 1_700_000_000_000,
          rev: '',
          acl: ['public'],
        },
      );
      assert.deepEqual(await contentsOf(source), { 'guide/start.mdx': '# Über\nzwei\ndrei' });
    },
  },
  {
    title: 'any text comes back byte for byte',
    async run(url) {
      const odd = ['\ufeffBOM\r\n', 'nul \0 quote " \\ % _ \u2028', '', '語😀\n', ' \t '];
      const { name } = await makeCollection(url, [
        ...pageRows('odd', odd, PUBLICLY),
        ...pageRows('empty', [''], PUBLICLY),
      ]);
      const source = sourceOf(url, name);
      assert.deepEqual(await contentsOf(source), { 'odd.mdx': odd.join(''), 'empty.mdx': '' });
      assert.equal((await entriesOf(source)).get('empty.mdx')?.size, 0);
    },
  },
  {
    title: 'a page that lacks a chunk, or has one too many, is EIO and says why',
    async run(url) {
      const rows = (slug: string, of?: number): RawRow[] =>
        pageRows(slug, ['a', 'b', 'c'], of === undefined ? PUBLICLY : { ...PUBLICLY, chunks: of });
      const { name } = await makeCollection(url, [
        ...rows('first').slice(1),
        ...rows('middle').filter((_, at) => at !== 1),
        ...rows('last', 3).slice(0, 2),
        ...rows('twice'),
        { id: 'again', document: 'B', metadata: { page: 'twice', chunk_index: 1, ...PUBLICLY } },
        ...rows('unnumbered'),
        { id: 'lost', document: '?', metadata: { page: 'unnumbered', ...PUBLICLY } },
        { id: 'alone', document: 'alone', metadata: { page: 'alone', ...PUBLICLY } },
      ]);
      const source = sourceOf(url, name);
      assert.deepEqual(await contentsOf(source), {
        'alone.mdx': 'alone',
        'first.mdx': `${EIO}: 'first.mdx' lacks chunk 0`,
        'last.mdx': `${EIO}: 'last.mdx' has 2 chunks, and one that says it has 3`,
        'middle.mdx': `${EIO}: 'middle.mdx' lacks chunk 1`,
        'twice.mdx': `${EIO}: 'twice.mdx' has chunk 1 twice`,
        'unnumbered.mdx': `${EIO}: 'unnumbered.mdx' has a chunk without a number`,
      });
      assert.equal((await entriesOf(source)).get('first.mdx')?.size, undefined);
    },
  },
  {
    title: 'chunks that overlap are cut where the table says how',
    async run(url) {
      const at = (slug: string, parts: readonly [number, string][]): RawRow[] =>
        parts.map(([start, document], order) => ({
          id: `${slug}${order}`,
          document,
          metadata: { page: slug, chunk_index: order, start_index: start, ...PUBLICLY },
        }));
      const { name } = await makeCollection(url, [
        ...at('good', [
          [0, 'one 😀two'],
          [5, 'two three'],
          [6, 'wo'],
          [14, ' four'],
        ]),
        ...at('gap', [
          [0, 'one'],
          [4, 'two'],
        ]),
        ...at('lie', [
          [0, 'one'],
          [2, 'two'],
        ]),
      ]);
      const source = sourceOf(url, name, { fields: { ...FIELDS, start: 'start_index' } });
      assert.deepEqual(await contentsOf(source), {
        'gap.mdx': `${EIO}: 'gap.mdx' lacks characters 3 to 4`,
        'good.mdx': 'one 😀two three four',
        'lie.mdx': `${EIO}: 'lie.mdx' has chunk 1, which differs from the one before where both have the text`,
      });
      assert.equal((await entriesOf(source)).get('good.mdx')?.size, Buffer.byteLength('one 😀two three four'));
    },
  },
  {
    title: 'slugs become paths, each once, and none that is no path',
    async run(url) {
      const slugs = ['/lead/ing', 'api/v2.json', 'both', 'both.mdx', '../up', 'a//b', 'nul\0', 'x'.repeat(256), '.'];
      const { name } = await makeCollection(
        url,
        slugs.flatMap((slug) => pageRows(slug, [`of ${slug}`], PUBLICLY)),
      );
      const expected = {
        'api/v2.json': 'of api/v2.json',
        both: 'of both',
        'both.mdx': 'of both.mdx',
        'lead/ing.mdx': 'of /lead/ing',
      };
      const source = sourceOf(url, name);
      assert.deepEqual(await contentsOf(source), expected);
      const found = await source.candidates({ formula: literal('of both'), scope: undefined }, EVERYBODY, OPEN_SIGNAL);
      assert.deepEqual([...(found ?? [])].sort(), ['both', 'both.mdx']);
      const plain = await contentsOf(sourceOf(url, name, { extension: '' }));
      assert.deepEqual(Object.keys(plain).sort(), ['api/v2.json', 'both', 'both.mdx', 'lead/ing']);
    },
  },
  {
    title: 'a path tree says which pages there are, as JSON, packed, or in parts',
    async run(url) {
      const tree = {
        'auth/oauth': { isPublic: true, groups: [] },
        'internal/billing': { isPublic: false, groups: ['admin', 'billing'] },
        'api-specs/v2.json': { isPublic: true, groups: [], pointer: 'https://example.com/v2.json', size: 120 },
        silent: {},
        lost: { isPublic: true },
      };
      const pages = ['auth/oauth', 'internal/billing', 'silent', 'unlisted'].flatMap((slug) =>
        pageRows(slug, [slug], {}),
      );
      const pack = (value: unknown): string => gzipSync(JSON.stringify(value)).toString('base64');
      const [first, ...others] = Object.entries(tree);
      const forms: RawRow[][] = [
        [{ id: '__path_tree__', document: JSON.stringify(tree) }],
        [{ id: '__path_tree__', document: pack(tree) }],
        [
          { id: '__path_tree__/0', document: pack(Object.fromEntries([first ?? []])) },
          { id: '__path_tree__/1', document: pack(Object.fromEntries(others)) },
        ],
      ];
      for (const form of forms) {
        const { name } = await makeCollection(url, [...pages, ...form]);
        const source = sourceOf(url, name);
        const all = {
          'auth/oauth.mdx': 'auth/oauth',
          'api-specs/v2.json': "22: 'api-specs/v2.json' lies elsewhere",
          'lost.mdx': `${EIO}: 'lost.mdx' has no chunks`,
        };
        assert.deepEqual(await contentsOf(source), all);
        const inside = { groups: ['billing'] };
        assert.deepEqual(await contentsOf(source, inside), { ...all, 'internal/billing.mdx': 'internal/billing' });
        const pointer = (await entriesOf(source)).get('api-specs/v2.json');
        assert.deepEqual(pointer?.pointer, { kind: 'http', url: 'https://example.com/v2.json' });
        assert.equal(pointer?.size, 120);
        // What lies elsewhere may match anything.
        const found = await source.candidates({ formula: literal('internal'), scope: undefined }, inside, OPEN_SIGNAL);
        assert.deepEqual([...(found ?? [])].sort(), ['api-specs/v2.json', 'internal/billing.mdx']);
      }
    },
  },
  {
    title: 'a path tree that cannot be read is EIO',
    async run(url) {
      for (const document of ['not base64', gzipSync('no JSON').toString('base64'), '{"a"', '']) {
        const { name } = await makeCollection(url, [{ id: '__path_tree__', document }]);
        await assert.rejects(entriesOf(sourceOf(url, name)), {
          errno: EIO,
          cause: /'__path_tree__' .* is no path tree/,
        });
      }
      const { name } = await makeCollection(url, [{ id: '__path_tree__/1', document: '{}' }]);
      await assert.rejects(entriesOf(sourceOf(url, name)), {
        errno: EIO,
        cause: "the path tree lacks '__path_tree__/0'",
      });
    },
  },
  {
    title: 'a version stands for a tree, and a revision for a content',
    async run(url) {
      const rows = [...pageRows('a', ['one\n', 'two\n'], PUBLICLY), ...pageRows('b', ['b'], { groups: ['x'] })];
      const collection = await makeCollection(url, rows);
      const source = sourceOf(url, collection.name);
      const first = await source.tree(EVERYBODY, undefined, OPEN_SIGNAL);
      assert.ok(first !== 'unchanged');
      assert.equal(await source.tree(EVERYBODY, first.version, OPEN_SIGNAL), 'unchanged');
      await collection.put(pageRows('b', ['hidden'], { groups: ['x'] }));
      assert.equal(
        await source.tree(EVERYBODY, first.version, OPEN_SIGNAL),
        'unchanged',
        'nobody learns of what is hidden',
      );
      await collection.put([{ id: 'a#1', document: 'TWO\n', metadata: {} }]);
      const second = await source.tree(EVERYBODY, first.version, OPEN_SIGNAL);
      assert.ok(second !== 'unchanged' && second.version !== first.version);
      assert.notEqual(second.entries[0]?.rev, first.entries[0]?.rev);
      const [read] = await source.readMany(first.entries, EVERYBODY, OPEN_SIGNAL);
      assert.ok(read && 'content' in read && read.rev === second.entries[0]?.rev);
    },
  },
  {
    title: 'many rows are read in many answers, none twice and none left out',
    async run(url) {
      const rows = Array.from({ length: 40 }, (_, at) => pageRows(`p${at}`, ['x', `${at}`], PUBLICLY)).flat();
      const { name } = await makeCollection(url, rows);
      const source = sourceOf(url, name, { limits: { rows: 7, smallRows: 9, values: 5 } });
      const expected = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`p${at}.mdx`, `x${at}`]));
      assert.deepEqual(await contentsOf(source), expected);
      const candidates = await source.candidates({ formula: literal('x'), scope: undefined }, EVERYBODY, OPEN_SIGNAL);
      assert.deepEqual([...(candidates ?? [])].sort(), Object.keys(expected).sort());
    },
  },
  {
    title: 'contents come with candidates: those of pages all of whose chunks match, as they are read',
    async run(url) {
      const rows = [
        ...pageRows('one', ['a needle\n'], PUBLICLY),
        ...pageRows('both', ['needle 1\n', 'needle 2\n'], PUBLICLY),
        ...pageRows('half', ['needle\n', 'hay\n'], PUBLICLY),
        ...pageRows('none', ['hay\n'], PUBLICLY),
        ...pageRows('closed', ['needle\n'], { groups: ['staff'] }),
      ];
      const { name } = await makeCollection(url, rows);
      const source = sourceOf(url, name);
      const entries = await entriesOf(source);
      const taken: string[] = [];
      const take = ({ path, content, rev }: Revised): void => {
        if (entries.get(path)?.rev === rev) taken.push(`${path} ${Buffer.from(content)}`);
      };
      const wanted = { formula: literal('needle'), scope: undefined, take };
      const found = await source.candidates(wanted, EVERYBODY, OPEN_SIGNAL);
      assert.deepEqual([...(found ?? [])].sort(), ['both.mdx', 'half.mdx', 'one.mdx']);
      assert.deepEqual(taken.sort(), ['both.mdx needle 1\nneedle 2\n', 'one.mdx a needle\n']);
    },
  },
  {
    title: 'a collection that is made anew under an open source is the new one',
    async run(url) {
      const collection = await makeCollection(url, pageRows('old', ['old'], PUBLICLY));
      const source = sourceOf(url, collection.name);
      const before = await entriesOf(source);
      await collection.remake(pageRows('new', ['new'], PUBLICLY));
      assert.deepEqual(await contentsOf(source), { 'new.mdx': 'new' });
      const [gone] = await source.readMany([...before.values()], EVERYBODY, OPEN_SIGNAL);
      assert.deepEqual(gone, { errno: 2, cause: "'old.mdx' is not there" });
    },
  },
  {
    title: 'without such a collection every call is ENODEV',
    async run(url) {
      const source = sourceOf(url, 'no-such-collection');
      const cause = "there is no collection 'no-such-collection'";
      await assert.rejects(entriesOf(source), { errno: 19, cause });
      const entry = { path: 'a', kind: 'file', size: 1, mtime: 0, rev: '', acl: [] } as const;
      assert.deepEqual(await source.readMany([entry], EVERYBODY, OPEN_SIGNAL), [
        { errno: 19, cause, unanswered: true },
      ]);
      await assert.rejects(source.candidates({ formula: literal('x'), scope: undefined }, EVERYBODY, OPEN_SIGNAL), {
        errno: 19,
        cause,
      });
    },
  },
];

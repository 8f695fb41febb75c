/** What holds of listings and contents on every server. */
import assert from 'node:assert/strict';
import { SourceError } from '../../../src/sources/source.ts';
import { EINVAL, EIO, ENOENT } from '../../../src/sys/errno.ts';
import {
  EVERYBODY,
  entriesOf,
  mappingOf,
  pathsOf,
  type SearchServer,
  SIGNAL,
  TestIndex,
  textOf,
  textsOf,
} from './test-index.ts';

export type Case = (server: SearchServer) => Promise<void>;

const PUBLIC = ['public'];

export const READING: Readonly<Record<string, Case>> = {
  'tree() lists what the groups may see, and nothing else': async (server) => {
    const index = await TestIndex.create(server);
    await index.put([
      { id: '1', path: 'guide/oauth.mdx', content: 'a', acl: PUBLIC, updated_at: '2024-05-06T07:08:09Z', size: 1 },
      { id: '2', path: '/billing/prices.md', content: 'b', acl: ['billing', 'admin'], updated_at: 1_700_000_000_000 },
      { id: '3', path: 'internal/audit.md', content: 'c', acl: 'admin' },
      { id: '4', path: 'nobody.md', content: 'd', acl: [] },
      { id: '5', path: 'silent.md', content: 'e' },
      { id: '6', path: 'odd.md', content: 'f', acl: [['billing']] },
    ]);
    const source = index.open({ fields: { size: 'size' } as object });
    const [oauth] = await entriesOf(source);
    assert.deepEqual(
      { ...oauth, rev: '' },
      {
        path: 'guide/oauth.mdx',
        kind: 'file',
        size: 1,
        mtime: Date.parse('2024-05-06T07:08:09Z'),
        rev: '',
        acl: PUBLIC,
      },
    );
    assert.match(oauth?.rev ?? '', /^0\.1\./);
    assert.deepEqual(await pathsOf(source, { groups: ['billing'] }), ['billing/prices.md', 'guide/oauth.mdx']);
    assert.deepEqual(await pathsOf(source, { groups: ['admin', 'unheard of'] }), [
      'billing/prices.md',
      'guide/oauth.mdx',
      'internal/audit.md',
    ]);
    assert.deepEqual(await pathsOf(index.open({ open: true })), ['guide/oauth.mdx', 'silent.md']);
    const [prices] = await entriesOf(source, { groups: ['billing'] });
    assert.deepEqual([prices?.size, prices?.mtime], [undefined, 1_700_000_000_000]);
    const [, , audit] = await entriesOf(source, { groups: ['admin'] });
    assert.ok((audit?.mtime ?? 0) > 1_600_000_000_000, 'without a time of its own it is as old as the index');
  },

  'tree() says "unchanged" until something visible differs': async (server) => {
    const index = await TestIndex.create(server, { shards: 3 });
    const docs = Array.from({ length: 20 }, (_, i) => ({
      id: `d${i}`,
      path: `p${i}`,
      content: 'x',
      acl: i < 10 ? PUBLIC : ['admin'],
    }));
    await index.put(docs);
    const source = index.open();
    const version = async (): Promise<string> => {
      const listing = await source.tree(EVERYBODY, undefined, SIGNAL);
      return listing === 'unchanged' ? '' : listing.version;
    };
    const first = await version();
    assert.equal(await source.tree(EVERYBODY, first, SIGNAL), 'unchanged');
    await index.put([{ id: 'd15', path: 'p15', content: 'hidden', acl: ['admin'] }]);
    assert.equal(await source.tree(EVERYBODY, first, SIGNAL), 'unchanged', 'what nobody sees makes no difference');
    await index.put([{ id: 'd5', path: 'p5', content: 'changed', acl: PUBLIC }]);
    const second = await version();
    await index.remove(['d6']);
    const third = await version();
    await index.put([{ id: 'new', path: 'p6', content: 'x', acl: PUBLIC }]);
    const fourth = await version();
    await index.put([{ id: 'new', path: 'p6', content: 'x', acl: ['admin'] }]);
    const fifth = await version();
    assert.equal(new Set([first, second, third, fourth]).size, 4);
    assert.equal(fifth, third, 'the same is to be seen as before p6 came back');
    assert.notEqual(
      await source.tree({ groups: ['admin'] }, fifth, SIGNAL),
      'unchanged',
      'a version is one of these groups',
    );
  },

  'an index that was made anew has other revisions and another version, also behind an alias': async (server) => {
    const first = await TestIndex.create(server);
    const second = await TestIndex.create(server);
    for (const index of [first, second]) await index.put([{ id: '1', path: 'a', content: index.name, acl: PUBLIC }]);
    const alias = `${first.name}-alias`;
    await first.ask('POST', '/_aliases', { actions: [{ add: { alias, index: first.name } }] });
    const source = first.open({ index: alias });
    const before = await source.tree(EVERYBODY, undefined, SIGNAL);
    assert.ok(before !== 'unchanged');
    const remove = { remove: { alias, index: first.name } };
    await first.ask('POST', '/_aliases', { actions: [remove, { add: { alias, index: second.name } }] });
    const after = await source.tree(EVERYBODY, before.version, SIGNAL);
    assert.ok(after !== 'unchanged');
    assert.notEqual(after.entries[0]?.rev, before.entries[0]?.rev);
    assert.deepEqual(await textsOf(source), { a: second.name });
  },

  'more than 10,000 files are listed, read and found whole': async (server) => {
    const index = await TestIndex.create(server, { shards: 2 });
    const docs = Array.from({ length: 10_010 }, (_, i) => ({
      id: `${i}`,
      path: `d${i % 100}/f${i}`,
      content: `file ${i}`,
      acl: PUBLIC,
    }));
    await index.put(docs);
    const source = index.open();
    const entries = await entriesOf(source);
    assert.deepEqual(new Set(entries.map(({ path }) => path)), new Set(docs.map(({ path }) => path)));
    const some = entries.filter((_, i) => i % 10 === 0);
    const reads = await source.readMany(some, EVERYBODY, SIGNAL);
    assert.deepEqual(
      reads.map(textOf),
      some.map(({ path }) => `file ${path.replace(/.*f/, '')}`),
    );
    const formula = { kind: 'literal', text: 'file', fold: false } as const;
    const found = await source.candidates?.({ formula, scope: undefined }, EVERYBODY, SIGNAL);
    assert.equal(found?.size, docs.length);
  },

  'readMany() gives exact bytes: text, none at all, base64, and one fault for each that cannot be read': async (
    server,
  ) => {
    const index = await TestIndex.create(server);
    const text = 'ünï\r\n\u0000 \u{1f600}\n\n no newline';
    const bytes = Buffer.from([0, 255, 254, 10, 128]);
    await index.put([
      { id: '1', path: 'text', content: text, acl: PUBLIC },
      { id: '2', path: 'empty', content: '', acl: PUBLIC },
      { id: '3', path: 'binary', bytes: bytes.toString('base64'), acl: PUBLIC },
      { id: '4', path: 'none', acl: PUBLIC },
      { id: '5', path: 'twice', content: 'a', acl: PUBLIC },
      { id: '6', path: 'twice', content: 'b', acl: PUBLIC },
      { id: '7', path: 'elsewhere', place: 'https://example.org/x', acl: PUBLIC },
      { id: '8', path: 'other', place: 'source:docs/a/b', acl: PUBLIC },
      { id: '9', path: 'secret', content: 's', acl: ['admin'] },
    ]);
    const source = index.open({ fields: { binary: 'bytes', pointer: 'place' } as object });
    const entries = await entriesOf(source);
    assert.deepEqual(
      entries.flatMap(({ path, pointer }) => (pointer === undefined ? [] : [[path, pointer]])),
      [
        ['elsewhere', { kind: 'http', url: 'https://example.org/x' }],
        ['other', { kind: 'source', source: 'docs', path: 'a/b' }],
      ],
    );
    assert.deepEqual(await textsOf(source), {
      binary: bytes.toString(),
      elsewhere: EINVAL,
      empty: '',
      none: EIO,
      other: EINVAL,
      text,
      twice: EIO,
    });
    const admin = await entriesOf(source, { groups: ['admin'] });
    const secret = admin.filter(({ path }) => path === 'secret');
    assert.deepEqual((await source.readMany(secret, EVERYBODY, SIGNAL)).map(textOf), [ENOENT]);
    assert.deepEqual((await source.readMany(secret, { groups: ['admin'] }, SIGNAL)).map(textOf), ['s']);
    const reads = await source.readMany(
      entries.filter(({ path }) => path === 'binary'),
      EVERYBODY,
      SIGNAL,
    );
    assert.deepEqual(
      reads.map((read) => ('content' in read ? Buffer.from(read.content) : read)),
      [bytes],
    );
  },

  'a slug without an extension gets the one of the table, in whatever form it is kept': async (server) => {
    const index = await TestIndex.create(server);
    const paths = [
      'auth/oauth',
      '/auth/keys',
      'v1.2/intro',
      'data/x.json',
      '.env',
      '/full.mdx',
      'a/../b',
      'a//b',
      'a/',
      '/',
      '',
      `x/${'é'.repeat(128)}`,
    ];
    await index.put(paths.map((path, i) => ({ id: `${i}`, path, content: path, acl: PUBLIC })));
    await index.put([{ id: 'n', path: 7, content: 'number', acl: PUBLIC }]);
    const source = index.open({ extension: '.mdx' });
    assert.deepEqual(await textsOf(source), {
      '.env.mdx': '.env',
      'auth/keys.mdx': '/auth/keys',
      'auth/oauth.mdx': 'auth/oauth',
      'data/x.json': 'data/x.json',
      'full.mdx': '/full.mdx',
      'v1.2/intro.mdx': 'v1.2/intro',
    });
  },

  'several documents of one path are joined in order; a gap or one twice is an error, never a shorter file': async (
    server,
  ) => {
    const index = await TestIndex.create(server);
    const chunk = (path: string, n: number, of?: number, acl: readonly string[] = PUBLIC) => ({
      id: `${path}-${n}-${of}`,
      path,
      n,
      content: `${n},`,
      acl,
      ...(of === undefined ? {} : { of }),
    });
    await index.put([
      ...[10, 2, 0, 1, 3, 4, 5, 6, 7, 8, 9].map((n) => chunk('whole', n, 11)),
      ...[2, 1].map((n) => chunk('one-based', n)),
      ...[0, 2].map((n) => chunk('gap', n)),
      ...[0, 1].map((n) => chunk('short', n, 3)),
      chunk('twice', 0, 2),
      chunk('twice', 0, 1),
      chunk('late', 2),
      chunk('mixed', 0, 2),
      chunk('mixed', 1, 2, ['admin']),
    ]);
    const source = index.open({ fields: { order: 'n', chunks: 'of' } as object });
    const texts = {
      gap: EIO,
      late: EIO,
      mixed: EIO,
      'one-based': '1,2,',
      short: EIO,
      twice: EIO,
      whole: '0,1,2,3,4,5,6,7,8,9,10,',
    };
    assert.deepEqual(await textsOf(source), texts);
    assert.deepEqual(await textsOf(source, { groups: ['admin'] }), { ...texts, mixed: '0,1,' });
  },

  'an index without the path, and one that is not there, are errors and no empty trees': async (server) => {
    const properties = { ...mappingOf(server), path: { type: 'text' } };
    const index = await TestIndex.create(server, { properties });
    const isFault = (pattern: RegExp) => (error: unknown) => {
      assert.ok(error instanceof SourceError, String(error));
      assert.equal(error.errno, EIO);
      assert.match(error.cause, pattern);
      return true;
    };
    await assert.rejects(index.open().tree(EVERYBODY, undefined, SIGNAL), isFault(/has no field 'path' that holds/));
    const nowhere = index.open({ index: 'not-there' });
    await assert.rejects(nowhere.tree(EVERYBODY, undefined, SIGNAL), isFault(/'not-there'.*404.*index_not_found/));
    const [read] = await nowhere.readMany(
      [{ path: 'a', kind: 'file', size: 1, mtime: 0, rev: '', acl: PUBLIC }],
      EVERYBODY,
      SIGNAL,
    );
    assert.equal(textOf(read), EIO);
  },

  'fields may be nested, or dotted keys, and a path analysed with a keyword beside': async (server) => {
    const properties = {
      doc: {
        properties: {
          slug: { type: 'text', fields: { raw: { type: 'keyword' } } },
          body: { type: 'text' },
          who: { type: 'keyword' },
        },
      },
    };
    const index = await TestIndex.create(server, { properties });
    await index.put([
      { id: '1', doc: { slug: 'Some/Path one', body: 'nested', who: PUBLIC } },
      { id: '2', 'doc.slug': 'flat', 'doc.body': 'dotted', 'doc.who': PUBLIC },
    ]);
    const source = index.open({ fields: { path: 'doc.slug', content: 'doc.body', acl: 'doc.who' } });
    assert.deepEqual(await textsOf(source), { 'Some/Path one': 'nested', flat: 'dotted' });
    const literal = { kind: 'literal', text: 'nested', fold: false } as const;
    assert.equal(
      await source.candidates?.({ formula: literal, scope: undefined }, EVERYBODY, SIGNAL),
      undefined,
      'an analysed text says nothing',
    );
  },
};

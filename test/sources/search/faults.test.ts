/** Each way in which a server can fail: errno and cause, nothing half told, and no word of the credentials. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { openSearch } from '../../../src/sources/adapters/search/search-source.ts';
import type { SourceConfig } from '../../../src/sources/config.ts';
import { type Entry, type Source, SourceError } from '../../../src/sources/source.ts';
import { EACCES, EAGAIN, EIO, type Errno, errnoName } from '../../../src/sys/errno.ts';
import { eventually } from '../../support/leaks.ts';
import type { Fault } from '../servers/protocol/faults.ts';
import { SearchProtocolServer } from '../servers/protocol/search-protocol.ts';
import { EVERYBODY, entriesOf, SIGNAL, TestIndex, textOf, textsOf } from './test-index.ts';

const TOKEN = 'c2VjcmV0LXRva2Vu';
const LITERAL = { kind: 'literal', text: 'words', fold: false } as const;

describe('a search server that fails', () => {
  let protocol: SearchProtocolServer;
  let index: TestIndex;
  let source: Source;
  let entries: readonly Entry[];

  before(async () => {
    protocol = await SearchProtocolServer.start('elastic');
    index = await TestIndex.create({ kind: 'elastic', url: protocol.url, hasWildcard: true });
    await index.put(['a', 'b', 'c'].map((path) => ({ id: path, path, content: 'words', acl: ['public'] })));
    protocol.authorization = `ApiKey ${TOKEN}`;
    source = openSearch(configOf(protocol.url), TOKEN);
    entries = await entriesOf(source);
  });
  after(async () => {
    await source.close();
    await protocol.stop();
  });
  afterEach(() => protocol.faults.clear());

  function configOf(url: string): SourceConfig {
    return {
      name: 'x',
      kind: 'elastic',
      url,
      index: index.name,
      at: '/x',
      as: [],
      open: false,
      fields: {},
    } as SourceConfig;
  }

  /** What listing, reading, searching and writing say; each has to be a fault. */
  async function faultsOf(): Promise<string[]> {
    const caught = (error: unknown): string => {
      assert.ok(error instanceof SourceError, String(error));
      return say(error);
    };
    const change = { kind: 'write', path: 'new', content: Buffer.from('x'), base: undefined } as const;
    const [read] = await source.readMany(entries, EVERYBODY, SIGNAL);
    const told = [
      await source.tree(EVERYBODY, undefined, SIGNAL).then(() => 'a tree', caught),
      read !== undefined && 'errno' in read ? say(read) : 'content',
      (await source
        .commit?.([change], EVERYBODY, SIGNAL)
        .then(([one]) => (one?.kind === 'failed' ? say(one.fault) : one?.kind), caught)) ?? '',
    ];
    for (const one of told) assert.ok(!one.includes(TOKEN) && !one.includes('\n'), one);
    return told;
  }

  function say({ errno, cause }: { errno: Errno; cause: string }): string {
    return `${errnoName(errno)} ${cause}`;
  }

  const everything = /./;
  const searches = /_search/;
  const cases: readonly [string, RegExp, Fault, Errno, RegExp][] = [
    ['refuses the credentials', everything, { kind: 'status', status: 401, body: { error: TOKEN } }, EACCES, /401/],
    ['forbids', everything, { kind: 'status', status: 403 }, EACCES, /403/],
    [
      'is overloaded for longer than anybody waits',
      everything,
      { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
      EAGAIN,
      /429/,
    ],
    ['is not available', everything, { kind: 'status', status: 503, headers: { 'retry-after': '0' } }, EAGAIN, /503/],
    ['fails inside', everything, { kind: 'status', status: 500 }, EIO, /500/],
    ['breaks the connection', everything, { kind: 'reset' }, EIO, /broke the connection/],
    ['breaks off in the middle', everything, { kind: 'truncate' }, EIO, /broke the connection/],
    ['answers with half a JSON', everything, { kind: 'malformed' }, EIO, /no JSON/],
    ['answers with something else', everything, { kind: 'edit', edit: () => ({ hello: 1 }) }, EIO, /another form/],
    [
      'runs out of time',
      searches,
      { kind: 'edit', edit: (body) => ({ ...body, timed_out: true }) },
      EIO,
      /out of time/,
    ],
    [
      'misses a shard',
      searches,
      { kind: 'edit', edit: (body) => ({ ...body, _shards: { failed: 1 } }) },
      EIO,
      /not all shards/,
    ],
    [
      'has lost the index',
      searches,
      { kind: 'status', status: 404, body: { error: { type: 'index_not_found_exception', reason: 'no such index' } } },
      EIO,
      /index_not_found/,
    ],
  ];

  for (const [title, pattern, fault, errno, cause] of cases) {
    test(`that ${title} gives ${errnoName(errno)}`, async () => {
      protocol.faults.add(pattern, fault);
      for (const told of await faultsOf()) {
        assert.ok(told.startsWith(`${errnoName(errno)} `), told);
        assert.match(told, cause);
      }
      protocol.faults.clear();
      assert.deepEqual(await textsOf(source), { a: 'words', b: 'words', c: 'words' }, 'and nothing is left of it');
    });
  }

  test('that nobody reaches gives EIO', async () => {
    const gone = await SearchProtocolServer.start('elastic');
    const { url } = gone;
    await gone.stop();
    const nobody = openSearch(configOf(url), TOKEN);
    await assert.rejects(nobody.tree(EVERYBODY, undefined, SIGNAL), {
      errno: EIO,
      cause: `${url} refuses connections`,
    });
    const reads = await nobody.readMany(entries, EVERYBODY, SIGNAL);
    assert.deepEqual(reads.map(textOf), [EIO, EIO, EIO]);
  });

  test('that hangs is given up as soon as the signal says so', async () => {
    protocol.faults.add(everything, { kind: 'hang' });
    const reason = new Error('nobody waits any more');
    const asks: ((signal: AbortSignal) => Promise<unknown> | undefined)[] = [
      (signal) => source.tree(EVERYBODY, undefined, signal),
      (signal) => source.readMany(entries, EVERYBODY, signal),
      (signal) => source.candidates?.({ formula: LITERAL, scope: undefined }, EVERYBODY, signal),
      (signal) => source.commit?.([], EVERYBODY, signal),
    ];
    for (const ask of asks) {
      const control = new AbortController();
      setTimeout(() => control.abort(reason), 20);
      await assert.rejects(ask(control.signal) ?? Promise.resolve(), reason);
    }
  });

  test('that is busy twice, or slow, is asked again and answers', async () => {
    protocol.faults.add(searches, { kind: 'status', status: 429, headers: { 'retry-after': '0' } }, 2);
    protocol.faults.add(searches, { kind: 'slow', ms: 30 }, 2);
    assert.deepEqual(await textsOf(source), { a: 'words', b: 'words', c: 'words' });
  });

  test('that chokes on a coarse query leaves everything to the reader', async () => {
    protocol.faults.add(/_msearch/, {
      kind: 'status',
      status: 500,
      body: { error: { type: 'null_pointer_exception' } },
    });
    assert.equal(await source.candidates?.({ formula: LITERAL, scope: undefined }, EVERYBODY, SIGNAL), undefined);
    protocol.faults.clear();
    assert.equal((await source.candidates?.({ formula: LITERAL, scope: undefined }, EVERYBODY, SIGNAL))?.size, 3);
  });

  test('that shows no mapping to these credentials is still read, and searched file by file', async () => {
    protocol.faults.add(/^GET /, { kind: 'status', status: 403 });
    assert.deepEqual(await textsOf(source), { a: 'words', b: 'words', c: 'words' });
    const listing = await source.tree(EVERYBODY, undefined, SIGNAL);
    assert.ok(listing !== 'unchanged');
    assert.equal(await source.tree(EVERYBODY, listing.version, SIGNAL), 'unchanged');
    assert.equal(await source.candidates?.({ formula: LITERAL, scope: undefined }, EVERYBODY, SIGNAL), undefined);
  });

  test('that loses documents between two pages, or a point in time, gives EIO and no shorter tree', async () => {
    const lose = (body: Record<string, unknown>): unknown => ({
      ...body,
      hits: { total: { value: 3, relation: 'eq' }, hits: [] },
    });
    protocol.faults.add(/^POST \/_search/, { kind: 'edit', edit: lose });
    const { openPits } = protocol.engine;
    await assert.rejects(source.tree(EVERYBODY, undefined, SIGNAL), { errno: EIO });
    assert.ok(await eventually(() => protocol.engine.openPits === openPits), 'points in time are closed');
  });

  test('a commit that is broken off is not sent again', async () => {
    protocol.faults.add(/_bulk/, { kind: 'reset' });
    protocol.asked.length = 0;
    const change = { kind: 'write', path: 'again', content: Buffer.from('x'), base: undefined } as const;
    const [outcome] = (await source.commit?.([change], EVERYBODY, SIGNAL)) ?? [];
    assert.equal(outcome?.kind, 'failed');
    assert.equal(protocol.asked.filter(({ path }) => path.includes('_bulk')).length, 1);
  });

  test('a document that the server refuses fails alone, and its words are not repeated', async () => {
    const refuse = (body: Record<string, unknown>): unknown => {
      const items = body.items as Record<string, unknown>[];
      const error = { type: 'document_parsing_exception', reason: 'prefix of the term: [my secret text]' };
      return {
        ...body,
        errors: true,
        items: items.map((item, i) => (i === 0 ? { create: { status: 400, error } } : item)),
      };
    };
    protocol.faults.add(/_bulk/, { kind: 'edit', edit: refuse }, 1);
    const write = (path: string) =>
      ({ kind: 'write', path, content: Buffer.from('my secret text'), base: undefined }) as const;
    const outcomes = await source.commit?.([write('one'), write('two')], EVERYBODY, SIGNAL);
    assert.deepEqual(
      outcomes?.map(({ kind }) => kind),
      ['failed', 'done'],
    );
    const [first] = outcomes ?? [];
    assert.ok(
      first?.kind === 'failed' && /document_parsing/.test(first.fault.cause) && !/secret/.test(first.fault.cause),
    );
  });
});

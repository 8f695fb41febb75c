/** What holds of commits on every server. */
import assert from 'node:assert/strict';
import type { Change, Outcome } from '../../../src/sources/source.ts';
import { EACCES, EINVAL, EROFS } from '../../../src/sys/errno.ts';
import type { Case } from './reading.ts';
import { EVERYBODY, entriesOf, mappingOf, SIGNAL, TestIndex, textsOf } from './test-index.ts';

const PUBLIC = ['public'];

function write(path: string, text: string | Uint8Array, base: string | undefined): Change {
  return { kind: 'write', path, content: Buffer.from(text as string), base };
}

function short(outcomes: readonly Outcome[] | undefined): unknown[] {
  return (outcomes ?? []).map((outcome) => (outcome.kind === 'failed' ? outcome.fault.errno : outcome.kind));
}

export const WRITING: Readonly<Record<string, Case>> = {
  'commit() writes, creates and removes, and gives the revisions that the next listing has': async (server) => {
    const index = await TestIndex.create(server, { shards: 2 });
    await index.put([
      {
        id: 'one',
        path: 'a',
        content: 'a',
        acl: ['public', 'x'],
        other: { kept: 1 },
        updated_at: 1_700_000_000_000,
        size: 1,
      },
      { id: 'two', path: 'b', content: 'b', acl: PUBLIC },
      { id: 'three', path: 'c', content: 'c', acl: PUBLIC },
    ]);
    const source = index.open({ fields: { size: 'size' } as object });
    const [a, b] = await entriesOf(source);
    const changes: Change[] = [
      write('a', 'ä\n', a?.rev),
      { kind: 'remove', path: 'b', base: b?.rev ?? '' },
      write('new/file.txt', 'new', undefined),
    ];
    const outcomes = await source.commit?.(changes, EVERYBODY, SIGNAL);
    assert.deepEqual(short(outcomes), ['done', 'done', 'done']);
    assert.deepEqual(await textsOf(source), { a: 'ä\n', c: 'c', 'new/file.txt': 'new' });
    const after = await entriesOf(source);
    assert.deepEqual(
      after.map(({ path, size, rev }) => [path, size, rev]),
      [
        ['a', 3, outcomes?.[0]?.kind === 'done' ? outcomes[0].rev : 'none'],
        ['c', undefined, after[1]?.rev],
        ['new/file.txt', 3, outcomes?.[2]?.kind === 'done' ? outcomes[2].rev : 'none'],
      ],
    );
    const kept = await index.source('one');
    assert.deepEqual([kept?.other, kept?.acl, typeof kept?.updated_at], [{ kept: 1 }, ['public', 'x'], 'number']);
    assert.ok(Number(kept?.updated_at) > 1_700_000_000_000);
    assert.deepEqual((await index.source('new/file.txt'))?.acl, PUBLIC);
  },

  'commit() names each conflict and writes the rest': async (server) => {
    const index = await TestIndex.create(server);
    await index.put(['a', 'b', 'c', 'd'].map((path) => ({ id: path, path, content: path, acl: PUBLIC })));
    const source = index.open();
    const [a, b, c, d] = await entriesOf(source);
    await index.put([
      { id: 'a', path: 'a', content: 'theirs', acl: PUBLIC },
      { id: 'e', path: 'e', content: 'theirs', acl: PUBLIC },
    ]);
    await index.remove(['b']);
    const outcomes = await source.commit?.(
      [
        write('a', 'mine', a?.rev),
        write('b', 'mine', b?.rev),
        write('c', 'mine', c?.rev),
        write('e', 'mine', undefined),
        { kind: 'remove', path: 'a', base: a?.rev ?? '' },
        { kind: 'remove', path: 'd', base: d?.rev ?? '' },
      ],
      EVERYBODY,
      SIGNAL,
    );
    assert.deepEqual(short(outcomes), ['conflict', 'conflict', 'done', 'conflict', 'conflict', 'done']);
    const now = await entriesOf(source);
    assert.deepEqual(outcomes?.[0], { kind: 'conflict', rev: now.find(({ path }) => path === 'a')?.rev });
    assert.deepEqual(outcomes?.[1], { kind: 'conflict', rev: undefined });
    assert.deepEqual(await textsOf(source), { a: 'theirs', c: 'mine', e: 'theirs' });
  },

  'commit() finds a conflict that no search shows yet': async (server) => {
    const index = await TestIndex.create(server);
    await index.put(['a', 'b'].map((path) => ({ id: path, path, content: path, acl: PUBLIC })));
    await index.put([{ id: 'hidden', path: 'hidden', content: 'theirs', acl: ['admin'] }]);
    const source = index.open();
    const [a, b] = await entriesOf(source);
    // Without a refresh: the index has it, and searches do not.
    const lines = [
      { index: { _index: index.name, _id: 'a' } },
      { path: 'a', content: 'theirs', acl: PUBLIC },
      { delete: { _index: index.name, _id: 'b' } },
      { index: { _index: index.name, _id: 'c' } },
      { path: 'c', content: 'theirs', acl: PUBLIC },
    ];
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await index.ask('POST', '/_bulk', body, 'application/x-ndjson');
    const changes = [
      write('a', 'mine', a?.rev),
      write('b', 'mine', b?.rev),
      write('c', 'mine', undefined),
      write('hidden', 'mine', undefined),
    ];
    const outcomes = await source.commit?.(changes, EVERYBODY, SIGNAL);
    assert.deepEqual(short(outcomes), ['conflict', 'conflict', 'conflict', EACCES]);
    const revs = outcomes?.map((outcome) => (outcome.kind === 'conflict' ? outcome.rev : 'none'));
    assert.deepEqual([typeof revs?.[0], revs?.[1], typeof revs?.[2]], ['string', undefined, 'string']);
    assert.equal((await index.source('hidden'))?.content, 'theirs');
    await index.ask('POST', `/${index.name}/_refresh`);
    assert.deepEqual(await textsOf(source), { a: 'theirs', c: 'theirs' });
  },

  'commit() keeps what is no text in base64 where the table says so, and refuses it where it does not': async (
    server,
  ) => {
    const index = await TestIndex.create(server);
    const bytes = Buffer.from([0xff, 0, 0xc3]);
    const plain = await index.open().commit?.([write('x', bytes, undefined)], EVERYBODY, SIGNAL);
    assert.deepEqual(short(plain), [EINVAL]);
    const source = index.open({ fields: { binary: 'bytes', pointer: 'place' } as object });
    const read = async (): Promise<unknown> => {
      const [content] = await source.readMany(await entriesOf(source), EVERYBODY, SIGNAL);
      return content !== undefined && 'content' in content ? Buffer.from(content.content) : content;
    };
    await source.commit?.([write('x', bytes, undefined)], EVERYBODY, SIGNAL);
    assert.deepEqual(await read(), bytes);
    const [before] = await entriesOf(source);
    await source.commit?.([write('x', '\ufefftext', before?.rev)], EVERYBODY, SIGNAL);
    assert.deepEqual(await read(), Buffer.from('\ufefftext'));
    await index.put([{ id: 'p', path: 'p', place: 'http://127.0.0.1/', acl: PUBLIC }]);
    const [pointer] = await entriesOf(source);
    assert.deepEqual(short(await source.commit?.([write('p', 'own', pointer?.rev)], EVERYBODY, SIGNAL)), ['done']);
    assert.equal((await textsOf(source)).p, 'own');
  },

  'commit() leaves a path of several documents alone, and writes nested fields where they are': async (server) => {
    const properties = { ...mappingOf(server), doc: { properties: { body: { type: 'text' } } } };
    const index = await TestIndex.create(server, { properties });
    await index.put([
      { id: '1', path: 'long', n: 0, doc: { body: 'a' }, acl: PUBLIC },
      { id: '2', path: 'long', n: 1, doc: { body: 'b' }, acl: PUBLIC },
      { id: '3', path: 'nested', n: 0, doc: { body: 'a', title: 'kept' }, acl: PUBLIC },
      { id: '4', path: 'dotted', n: 0, 'doc.body': 'a', acl: PUBLIC },
    ]);
    const source = index.open({ fields: { content: 'doc.body', order: 'n' } });
    const [dotted, long, nested] = await entriesOf(source);
    const changes = [
      write('long', 'x', long?.rev),
      write('nested', 'x', nested?.rev),
      write('dotted', 'x', dotted?.rev),
      write('new', 'x', undefined),
    ];
    assert.deepEqual(short(await source.commit?.(changes, { groups: ['team'] }, SIGNAL)), [
      EROFS,
      'done',
      'done',
      'done',
    ]);
    assert.deepEqual((await index.source('3'))?.doc, { body: 'x', title: 'kept' });
    assert.equal((await index.source('4'))?.['doc.body'], 'x');
    assert.deepEqual(await textsOf(source, { groups: ['team'] }), { dotted: 'x', long: 'ab', nested: 'x', new: 'x' });
    assert.deepEqual(Object.keys(await textsOf(source)), ['dotted', 'long', 'nested'], 'new is seen by who wrote it');
  },
};

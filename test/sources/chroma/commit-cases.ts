/** What a commit makes of a collection. */
import assert from 'node:assert/strict';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { ChromaSource } from '../../../src/sources/adapters/chroma/chroma-source.ts';
import type { Change, Outcome, Principal } from '../../../src/sources/source.ts';
import { EEXIST, EINVAL, EROFS } from '../../../src/sys/errno.ts';
import type { Case } from './cases.ts';
import {
  contentsOf,
  EVERYBODY,
  entriesOf,
  makeCollection,
  OPEN_SIGNAL,
  PUBLICLY,
  pageRows,
  sourceOf,
} from './collections.ts';

const OPS = { groups: ['ops'] };
const LINES = Array.from({ length: 60 }, (_, at) => `line ${at} ${'x'.repeat(90)}\n`);

export const COMMIT_CASES: readonly Case[] = [
  {
    title: 'commit() writes what changed, and leaves the other chunks as they are',
    async run(url) {
      const chunks = [0, 20, 40].map((from) => LINES.slice(from, from + 20).join(''));
      const collection = await makeCollection(
        url,
        pageRows('p', chunks, { ...PUBLICLY, title: 'T', updated_at: '2026-01-01' }),
      );
      const source = sourceOf(url, collection.name);
      const content = LINES.join('')
        .replace('line 30 ', 'line thirty ')
        .replace('line 31 ', `${LINES.join('')}line 31 `);
      const before = await collection.rows();
      const outcome = await write(source, 'p.mdx', content);
      assert.equal(outcome.kind, 'done');
      assert.deepEqual(await contentsOf(source), { 'p.mdx': content });
      const entry = (await entriesOf(source)).get('p.mdx');
      assert.equal(entry?.size, content.length);
      assert.ok(entry.mtime > Date.now() - 60_000);
      assert.deepEqual(outcome, { kind: 'done', rev: entry.rev });
      const rows = (await collection.rows()).sort((one, other) => order(one) - order(other));
      assert.ok(rows.length > 4);
      assert.deepEqual(
        [rows[0], rows.at(-1)].map((row) => [row?.id, row?.document]),
        [
          ['p#0', chunks[0]],
          ['p#2', chunks[2]],
        ],
      );
      assert.deepEqual(rows[0]?.embedding, before[0]?.embedding);
      for (const { document, metadata } of rows) {
        assert.ok(document.endsWith('\n'), 'cut after lines');
        assert.deepEqual([metadata.title, metadata.isPublic, metadata.chunks], ['T', true, rows.length]);
      }
    },
  },
  {
    title: 'commit() shortens, empties and removes pages',
    async run(url) {
      const collection = await makeCollection(url, pageRows('p', ['a\n', 'b\n', 'c\n'], PUBLICLY));
      const source = sourceOf(url, collection.name);
      for (const content of ['a\nc\n', 'c\n', '', 'new\n']) {
        assert.equal((await write(source, 'p.mdx', content)).kind, 'done');
        assert.deepEqual(await contentsOf(source), { 'p.mdx': content });
      }
      assert.deepEqual(await remove(source, 'p.mdx'), { kind: 'done', rev: undefined });
      assert.deepEqual(await collection.rows(), []);
    },
  },
  {
    title: 'commit() makes new pages, for those who wrote them',
    async run(url) {
      const { name } = await makeCollection(url, []);
      const source = sourceOf(url, name);
      assert.equal((await write(source, 'a/new.mdx', 'for all\n')).kind, 'done');
      assert.equal((await write(source, 'a/plain.txt', 'for ops\n', OPS)).kind, 'done');
      assert.deepEqual(await contentsOf(source), { 'a/new.mdx': 'for all\n' });
      assert.deepEqual(await contentsOf(source, OPS), { 'a/new.mdx': 'for all\n', 'a/plain.txt': 'for ops\n' });
    },
  },
  {
    title: 'commit() writes nothing over what somebody has changed, made or removed meanwhile',
    async run(url) {
      const collection = await makeCollection(
        url,
        ['p', 'q'].flatMap((slug) => pageRows(slug, ['mine'], PUBLICLY)),
      );
      const source = sourceOf(url, collection.name);
      const entries = await entriesOf(source);
      const base = entries.get('p.mdx')?.rev;
      await collection.put([...pageRows('p', ['theirs'], {}), ...pageRows('r', ['theirs too'], PUBLICLY)]);
      await collection.drop(['q#0']);
      const now = await entriesOf(source);
      const content = Buffer.from('ours');
      const changes: Change[] = [
        { kind: 'write', path: 'p.mdx', content, base },
        { kind: 'remove', path: 'p.mdx', base: base ?? '' },
        { kind: 'write', path: 'q.mdx', content, base: entries.get('q.mdx')?.rev },
        { kind: 'write', path: 'r.mdx', content, base: undefined },
      ];
      const outcomes = await source.commit(changes, EVERYBODY, OPEN_SIGNAL);
      const [p, r] = [now.get('p.mdx')?.rev, now.get('r.mdx')?.rev];
      assert.deepEqual(
        outcomes,
        [p, p, undefined, r].map((rev) => ({ kind: 'conflict', rev })),
      );
      assert.deepEqual(await contentsOf(source), { 'p.mdx': 'theirs', 'r.mdx': 'theirs too' });
    },
  },
  {
    title: 'commit() does not touch what the principal may not see, and takes no bytes that are no text',
    async run(url) {
      const hidden = pageRows('h', ['hidden'], { isPublic: false, groups: ['ops'] });
      const collection = await makeCollection(url, hidden);
      const source = sourceOf(url, collection.name);
      const outcomes = await source.commit(
        [
          { kind: 'write', path: 'h.mdx', content: Buffer.from('over'), base: undefined },
          { kind: 'write', path: 'b.mdx', content: Buffer.from([0xff]), base: undefined },
        ],
        EVERYBODY,
        OPEN_SIGNAL,
      );
      assert.deepEqual(outcomes.map(faultOf), [EEXIST, EINVAL]);
      assert.deepEqual(
        (await collection.rows()).map((row) => row.document),
        ['hidden'],
      );
    },
  },
  {
    title: 'commit() keeps the path tree up to date, and finishes what was cut short',
    async run(url) {
      const tree = { p: { isPublic: true, groups: [] }, far: { isPublic: true, pointer: 'https://example.com/x' } };
      const packed = { id: '__path_tree__', document: gzipSync(JSON.stringify(tree)).toString('base64') };
      const collection = await makeCollection(url, [
        ...pageRows('p', ['p'], {}),
        ...pageRows('left', ['left\n'], {}),
        packed,
      ]);
      const source = sourceOf(url, collection.name);
      assert.equal((await write(source, 'n.mdx', 'new\n', OPS)).kind, 'done');
      assert.deepEqual(faultOf(await write(source, 'left.mdx', 'other\n')), EEXIST);
      assert.equal((await write(source, 'left.mdx', 'left\n')).kind, 'done');
      assert.equal((await remove(source, 'p.mdx')).kind, 'done');
      assert.deepEqual(faultOf(await write(source, 'far.mdx', 'x')), EROFS);
      const stored = (await collection.rows()).find((row) => row.id === '__path_tree__')?.document ?? '';
      assert.deepEqual(JSON.parse(gunzipSync(Buffer.from(stored, 'base64')).toString()), {
        far: tree.far,
        n: { isPublic: false, groups: ['ops'] },
        left: { isPublic: true, groups: [] },
      });
      assert.deepEqual(Object.keys(await contentsOf(source, OPS)).sort(), ['far.mdx', 'left.mdx', 'n.mdx']);
    },
  },
  {
    title: 'commit() writes pages larger than a request, in an order that shows them broken until they are whole',
    async run(url) {
      const { name } = await makeCollection(url, pageRows('p', ['old\n'], PUBLICLY));
      const source = sourceOf(url, name, { limits: { rows: 3, document: 1_000 } });
      const content = `${LINES.join('')}${'é'.repeat(3_000)}`;
      assert.equal((await write(source, 'p.mdx', content)).kind, 'done');
      assert.deepEqual(await contentsOf(source), { 'p.mdx': content });
    },
  },
];

async function write(source: ChromaSource, path: string, content: string, principal = EVERYBODY): Promise<Outcome> {
  const base = (await entriesOf(source, principal)).get(path)?.rev;
  return one(source, { kind: 'write', path, content: Buffer.from(content), base }, principal);
}

async function remove(source: ChromaSource, path: string): Promise<Outcome> {
  const base = (await entriesOf(source)).get(path)?.rev ?? '';
  return one(source, { kind: 'remove', path, base }, EVERYBODY);
}

async function one(source: ChromaSource, change: Change, principal: Principal): Promise<Outcome> {
  const [outcome] = await source.commit([change], principal, OPEN_SIGNAL);
  assert.ok(outcome);
  return outcome;
}

function faultOf(outcome: Outcome): number | undefined {
  return outcome.kind === 'failed' ? outcome.fault.errno : undefined;
}

function order({ metadata }: { metadata: Record<string, unknown> }): number {
  return Number(metadata.chunk_index);
}

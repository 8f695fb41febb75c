/** Listings, sizes and times come from the tree: the server is asked for no content. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { session } from '../support/session.ts';
import { makeCollection, PUBLICLY, pageRows } from './chroma/collections.ts';
import { startProtocolServer } from './servers/chroma-protocol.ts';

test('ls, find and stat of a source ask its server for no page', async (t) => {
  const server = await startProtocolServer();
  const s = await session(t, { onStopped: server.stop });
  const paths = Array.from({ length: 30 }, (_, at) => `guide-${at % 3}/page-${at}.md`);
  const rows = paths.flatMap((path, at) => pageRows(path, ['x'.repeat(at + 1)], PUBLICLY));
  const { name } = await makeCollection(server.url, rows);
  await s.succeed(['source', 'add', 'docs', 'chroma', '--url', server.url, '--collection', name]);
  const pagesAsked = (): number => server.asked.filter(({ body }) => JSON.stringify(body).includes('"$in"')).length;
  const sizes = paths.map((path, at) => `${at + 1} ${path}`).sort();
  const listed = await s.sh("cd /sources/docs; ls -lR > ~/listed; find * -type f -printf '%s %p\\n' | LC_ALL=C sort");
  assert.deepEqual(listed.trimEnd().split('\n').sort(), sizes);
  assert.equal(pagesAsked(), 0);
  assert.equal(await s.sh('cat /sources/docs/guide-2/page-5.md'), 'x'.repeat(6));
  assert.ok(pagesAsked() > 0, 'a page that is read is asked for');
});

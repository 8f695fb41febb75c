/** What `status` says of sources, and what becomes of them at the end. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { STATUS } from '../../src/cli/schemas/listings.ts';
import { assertFits } from '../cli/schemas/fits.ts';
import { eventually, isGone } from '../support/leaks.ts';
import { MAIN, session } from '../support/session.ts';
import { makeCollection, PUBLICLY, pageRows } from './chroma/collections.ts';
import { startProtocolServer } from './servers/chroma-protocol.ts';

test('status --json says what is shown of a source, and why and since when it is down; what rules hide is told nobody inside', async (t) => {
  const server = await startProtocolServer();
  const s = await session(t, {
    onStopped: server.stop,
    rules: 'default_rules = false\n[rules]\n"/sources/hidden" = "hidden"\n',
  });
  const { name } = await makeCollection(server.url, pageRows('a.md', ['a\n'], PUBLICLY));
  const more = ['chroma', '--url', server.url, '--collection', name];
  for (const source of ['docs', 'hidden']) await s.succeed(['source', 'add', source, ...more]);
  assert.equal(await s.sh('cat /sources/docs/a.md'), 'a\n');
  await s.succeed(['source', 'refresh']);
  const sourcesIn = (text: string): unknown => {
    const status = JSON.parse(text) as { sources?: { asOf?: string }[] };
    assertFits(STATUS, status, 'status');
    return status.sources?.map(({ asOf, ...source }) => ({ ...source, isDated: asOf !== undefined }));
  };
  const [docs, hidden] = ['docs', 'hidden'].map((one) => ({
    name: one,
    at: `/sources/${one}`,
    files: 1,
    isDated: true,
  }));
  assert.deepEqual(sourcesIn(await s.succeed(['status', '--json'])), [docs, hidden]);
  assert.deepEqual(sourcesIn(await s.sh(`'${process.execPath}' '${MAIN}' status --json`)), [docs]);
  server.fault = () => ({ kind: 'status', status: 500 });
  await s.cli(['source', 'refresh', 'docs']);
  const [down] = JSON.parse(await s.succeed(['status', '--json'])).sources as {
    down?: { why: string; since: string };
  }[];
  assert.match(down?.down?.why ?? '', /500/);
  assert.ok(Date.parse(down?.down?.since ?? '') > 0);
});

test('source add and remove say when the view of a running session follows, and how a source that cannot be read goes', async (t) => {
  const server = await startProtocolServer();
  const s = await session(t, { onStopped: server.stop });
  const { name } = await makeCollection(server.url, pageRows('a.md', ['a\n'], PUBLICLY));
  const add = async (collection: string) =>
    s.cli(['source', 'add', 'docs', 'chroma', '--url', server.url, '--collection', collection]);
  const remove = async () => s.cli(['source', 'remove', 'docs']);
  const later = "the view of this session takes that up after 'yolofs stop'\n";
  const added = "source 'docs' is at /sources/docs\n";
  const removed = "source 'docs' is no longer in your configuration\n";
  const refusal = [
    "yolofs: source: source 'docs' cannot be read: there is no collection 'nope' (ENODEV)\n",
    "hint: it stays in the configuration; 'yolofs source remove docs' takes it out\n",
  ].join('');
  assert.equal((await add('nope')).stderr, added + refusal);
  await s.sh('true');
  assert.equal((await remove()).stderr, removed + later);
  const { code, stderr } = await add(name);
  assert.equal(stderr, `${added}${later}docs: 1 file for the public; takes commits, narrows searches down\n`);
  assert.equal(code, 0);
  assert.match(await s.succeed(['doctor']), /^ok +source +docs: 1 file at \/sources\/docs$/m);
  await s.succeed(['stop']);
  assert.equal(await s.sh('cat /sources/docs/a.md'), 'a\n');
  await s.succeed(['stop']);
  assert.equal((await remove()).stderr, removed);
});

test('a source whose files name nobody who may see them says how they are shown', async (t) => {
  const s = await session(t);
  const dir = join(s.root, 'pages');
  mkdirSync(dir);
  writeFileSync(join(dir, 'a.md'), 'a\n');
  const add = async (...words: string[]): Promise<string> =>
    (await s.cli(['source', 'add', 'pages', 'memory', '--dir', dir, ...words])).stderr;
  const hint = "'--as GROUP' shows a group's, '--open' what names no group";
  assert.ok((await add()).endsWith(`pages: 0 files for the public; takes commits, ${hint}\n`));
  await s.succeed(['source', 'remove', 'pages']);
  assert.ok((await add('--open')).endsWith('pages: 1 file for the public; takes commits\n'));
});

test('yolofs stop waits for no server: what hangs is hung up on', async (t) => {
  const server = await startProtocolServer();
  const s = await session(t, { onStopped: server.stop });
  const { name } = await makeCollection(server.url, pageRows('a.md', ['a\n'], PUBLICLY));
  await s.succeed(['source', 'add', 'docs', 'chroma', '--url', server.url, '--collection', name]);
  await s.sh('ls /sources/docs');
  const isAsked = new Promise<void>((resolve) => {
    server.fault = () => {
      resolve();
      return { kind: 'hang' };
    };
  });
  const reader = s.cli(['run', '--quiet', '-c', 'cat /sources/docs/a.md']);
  await isAsked;
  const pid = await s.daemonPid();
  await s.succeed(['stop']);
  assert.ok(await eventually(() => isGone(pid), 60_000), 'the daemon has ended');
  assert.notEqual((await reader).code, 0);
  server.fault = () => undefined;
  assert.equal(await s.sh('cat /sources/docs/a.md'), 'a\n');
});

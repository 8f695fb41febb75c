/** The daemon is killed in the midst of a commit to a source, after each request that its server has got. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noProcessNaming } from '../support/leaks.ts';
import { type Session, session } from '../support/session.ts';
import { makeCollection, PUBLICLY, pageRows, type RawCollection } from './chroma/collections.ts';
import { type Asked, startProtocolServer } from './servers/chroma-protocol.ts';

const AT = '/sources/docs';
/** What is committed, and what was there before; undefined: nothing. */
const OLD: Readonly<Record<string, string | undefined>> = { 'a.md': 'a old\n', 'b.md': 'b old\n', 'c.md': undefined };
const NEW: Readonly<Record<string, string | undefined>> = { 'a.md': 'a new\n', 'b.md': undefined, 'c.md': 'c new\n' };
const NAMES = Object.keys(OLD);

test('kill -9 at each request of a commit: each document is old or new, nothing staged is lost, the next commit completes it', async (t) => {
  const server = await startProtocolServer();
  const s = await session(t, { onStopped: server.stop, noisy: true });
  const collection = await makeCollection(server.url, rowsOf(OLD));
  await s.succeed(['source', 'add', 'docs', 'chroma', '--url', server.url, '--collection', collection.name]);
  const whole: Asked[] = [];
  for (let at = 0, isOver = false; !isOver; at += 1) {
    await restore(s, collection);
    await s.sh(`cd ${AT}; echo 'a new' > a.md; rm b.md; echo 'c new' > c.md`);
    const pid = await s.daemonPid();
    let writes = 0;
    let isKilled = false;
    // What comes after an odd number is lost on its way, what comes after an even one is done and nobody hears of it.
    server.fault = (asked) => {
      if (!/\/(upsert|delete)$/.test(asked.path)) return isKilled ? { kind: 'hang' } : undefined;
      whole.push(asked);
      if (writes++ !== Math.floor(at / 2)) return undefined;
      process.kill(pid, 'SIGKILL');
      isKilled = true;
      return at % 2 === 0 ? { kind: 'hang' } : undefined;
    };
    const { code } = await s.cli(['commit', '--yes']);
    server.fault = () => undefined;
    isOver = !isKilled;
    assert.equal(code === 0, isOver, `request ${at}`);
    if (isKilled) {
      assert.ok(await noProcessNaming(s.root, 60_000));
      const now = await documentsOf(collection);
      for (const name of NAMES)
        assert.ok([OLD[name], NEW[name]].includes(now[name]), `request ${at}: ${name}: ${now[name]}`);
      assert.deepEqual(await shown(s), NEW, `request ${at}: what was staged is shown`);
      assert.deepEqual(await documentsOf(collection), OLD, `request ${at}: the source has got back what it had`);
      await s.succeed(['commit', '--yes']);
    }
    assert.deepEqual(await documentsOf(collection), NEW, `request ${at}`);
    assert.deepEqual(await shown(s), NEW);
    assert.deepEqual(await s.changes(), []);
  }
  assert.ok(whole.length > 6, 'there was something to kill at');
});

test('what somebody else has written since the daemon was killed stays, and is a conflict', async (t) => {
  const server = await startProtocolServer();
  const s = await session(t, { onStopped: server.stop, noisy: true });
  const collection = await makeCollection(server.url, rowsOf(OLD));
  await s.succeed(['source', 'add', 'docs', 'chroma', '--url', server.url, '--collection', collection.name]);
  await restore(s, collection);
  await s.sh(`cd ${AT}; echo 'a new' > a.md; echo 'c new' > c.md`);
  const pid = await s.daemonPid();
  let isKilled = false;
  server.fault = ({ path }) => {
    if (isKilled) return { kind: 'hang' };
    isKilled = path.endsWith('/upsert');
    if (isKilled) process.kill(pid, 'SIGKILL');
    return undefined;
  };
  assert.notEqual((await s.cli(['commit', '--yes'])).code, 0);
  assert.ok(await noProcessNaming(s.root, 60_000));
  server.fault = () => undefined;
  assert.equal((await documentsOf(collection))['a.md'], 'a new\n');
  await collection.drop((await collection.rows()).map(({ id }) => id));
  await collection.put(rowsOf({ ...OLD, 'a.md': 'theirs\n' }));
  const refused = await s.cli(['commit', '--yes']);
  assert.match(refused.stderr, /1 conflict.*\/sources\/docs\/a\.md: modified here, modified outside/s);
  assert.deepEqual(await documentsOf(collection), { ...OLD, 'a.md': 'theirs\n' });
  assert.deepEqual(await shown(s), { ...NEW, 'b.md': 'b old\n' });
  await s.succeed(['commit', '--yes', '--ours', `${AT}/a.md`]);
  assert.deepEqual(await documentsOf(collection), { ...NEW, 'b.md': 'b old\n' });
});

/** Somebody else has the documents as they were again, which the view shows. */
async function restore(s: Session, collection: RawCollection): Promise<void> {
  const ids = (await collection.rows()).map(({ id }) => id);
  if (ids.length > 0) await collection.drop(ids);
  await collection.put(rowsOf(OLD));
  await s.sh(`ls ${AT}`);
  await s.succeed(['source', 'refresh', 'docs']);
  assert.deepEqual(await shown(s), OLD);
}

function rowsOf(documents: Readonly<Record<string, string | undefined>>): ReturnType<typeof pageRows> {
  return NAMES.flatMap((name) => {
    const text = documents[name];
    return text === undefined ? [] : pageRows(name, [text.slice(0, 2), text.slice(2)], PUBLICLY);
  });
}

async function documentsOf(collection: RawCollection): Promise<Record<string, string | undefined>> {
  const rows = await collection.rows();
  const ofName = (name: string): string | undefined => {
    const own = rows.filter(({ metadata }) => metadata.page === name);
    own.sort((one, other) => Number(one.metadata.chunk_index) - Number(other.metadata.chunk_index));
    return own.length === 0 ? undefined : own.map(({ document }) => document).join('');
  };
  return Object.fromEntries(NAMES.map((name) => [name, ofName(name)]));
}

async function shown(s: Session): Promise<Record<string, string | undefined>> {
  const lines = await s.sh(`cd ${AT}; for f in *; do echo "$f $(cat $f)"; done`);
  const found = new Map(
    lines
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(0, 4), `${line.slice(5)}\n`]),
  );
  return Object.fromEntries(NAMES.map((name) => [name, found.get(name)]));
}

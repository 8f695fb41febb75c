/** The daemon is killed in the midst of a commit to a source, after each request that its server has got. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noProcessNaming } from '../support/leaks.ts';
import { session } from '../support/session.ts';
import { makeCollection } from './chroma/collections.ts';
import { type Asked, startProtocolServer } from './servers/chroma-protocol.ts';
import { AT, documentsOf, NAMES, NEW, OLD, restore, rowsOf, shown } from './three-documents.ts';

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

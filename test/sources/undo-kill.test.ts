/** The daemon is killed in the midst of an undo that writes to a source, at each request by which it does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noProcessNaming } from '../support/leaks.ts';
import { session } from '../support/session.ts';
import { makeCollection } from './chroma/collections.ts';
import { startProtocolServer } from './servers/chroma-protocol.ts';
import { AT, documentsOf, NAMES, NEW, OLD, restore, rowsOf, shown } from './three-documents.ts';

test('kill -9 at each request of an undo: each document is old or new, the commit holds again, the next undo takes it back', async (t) => {
  const server = await startProtocolServer();
  const s = await session(t, { onStopped: server.stop, noisy: true });
  const collection = await makeCollection(server.url, rowsOf(OLD));
  await s.succeed(['source', 'add', 'docs', 'chroma', '--url', server.url, '--collection', collection.name]);
  await restore(s, collection);
  await s.sh(`cd ${AT}; echo 'a new' > a.md; rm b.md; echo 'c new' > c.md`);
  for (let at = 0, isOver = false; !isOver; at += 1) {
    await s.commit();
    assert.deepEqual(await documentsOf(collection), NEW);
    const pid = await s.daemonPid();
    let writes = 0;
    let isKilled = false;
    // What comes after an odd number is lost on its way, what comes after an even one is done and nobody hears of it.
    server.fault = (asked) => {
      if (!/\/(upsert|delete)$/.test(asked.path)) return isKilled ? { kind: 'hang' } : undefined;
      if (writes++ !== Math.floor(at / 2)) return undefined;
      process.kill(pid, 'SIGKILL');
      isKilled = true;
      return at % 2 === 0 ? { kind: 'hang' } : undefined;
    };
    const { code } = await s.cli(['undo']);
    server.fault = () => undefined;
    isOver = !isKilled;
    assert.equal(code === 0, isOver, `request ${at}`);
    if (isOver) assert.ok(at > 4, 'there was something to kill at');
    else {
      assert.ok(await noProcessNaming(s.root, 60_000));
      const now = await documentsOf(collection);
      for (const name of NAMES)
        assert.ok([OLD[name], NEW[name]].includes(now[name]), `request ${at}: ${name}: ${now[name]}`);
      assert.deepEqual(await shown(s), NEW, `request ${at}: what was committed is shown`);
      assert.deepEqual(await documentsOf(collection), NEW, `request ${at}: the source has what was committed again`);
      assert.deepEqual(await s.changes(), [], `request ${at}: nothing is staged`);
      await s.succeed(['undo']);
    }
    assert.deepEqual(await documentsOf(collection), OLD, `request ${at}`);
    assert.deepEqual(await shown(s), NEW, 'what was committed is staged again');
  }
});

/** A source's server takes its time in the midst of a commit: the view is served as always, and what is staged meanwhile is no part of it. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { session } from '../support/session.ts';
import { makeCollection, PUBLICLY, pageRows } from './chroma/collections.ts';
import { type ProtocolServer, startProtocolServer } from './servers/chroma-protocol.ts';

const AT = '/sources/docs';

/** Answers to writes are withheld from now on: `reached` when one is, `letGo` gives them. */
function withhold(server: ProtocolServer): { readonly reached: Promise<void>; readonly letGo: () => void } {
  let letGo = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    server.fault = ({ path }) => {
      if (!/\/(upsert|delete)$/.test(path)) return undefined;
      resolve();
      return { kind: 'withheld', until };
    };
  });
  return { reached, letGo };
}

test('while a server withholds its answer to a commit, and to its undo, files are read and written, runs begin and end', async (t) => {
  const server = await startProtocolServer();
  const s = await session(t, { onStopped: server.stop });
  const collection = await makeCollection(server.url, [
    ...pageRows('a.md', ['a old\n'], PUBLICLY),
    ...pageRows('b.md', ['b old\n'], PUBLICLY),
  ]);
  await s.succeed(['source', 'add', 'docs', 'chroma', '--url', server.url, '--collection', collection.name]);
  await s.sh(`echo 'a new' > ${AT}/a.md; echo committed > file`);
  const committing = withhold(server);
  const commit = s.succeed(['commit', '--yes']);
  await committing.reached;
  // Each of these ends before the answer is given.
  assert.equal(await s.sh(`cat ${AT}/b.md ${AT}/a.md file`), 'b old\na new\ncommitted\n');
  await s.sh(`echo later >> ${AT}/a.md; echo later >> file; echo other > other`);
  assert.match(await s.succeed(['status']), /other/);
  committing.letGo();
  await commit;
  const documents = async (): Promise<string[]> => (await collection.rows()).map(({ document }) => document).sort();
  assert.deepEqual(await documents(), ['a new\n', 'b old\n']);
  assert.equal(readFileSync(join(s.project, 'file'), 'utf8'), 'committed\n');
  assert.equal(await s.sh(`cat ${AT}/a.md file other`), 'a new\nlater\ncommitted\nlater\nother\n');
  assert.deepEqual((await s.changes()).map(({ path }) => path).sort(), ['file', 'other', `${AT}/a.md`].sort());

  const undoing = withhold(server);
  const undo = s.succeed(['undo']);
  await undoing.reached;
  assert.equal(await s.sh(`echo last >> other; cat ${AT}/b.md ${AT}/a.md other`), 'b old\na new\nlater\nother\nlast\n');
  undoing.letGo();
  await undo;
  assert.deepEqual(await documents(), ['a old\n', 'b old\n']);
  assert.equal(await s.sh(`cat ${AT}/a.md file other`), 'a new\nlater\ncommitted\nlater\nother\nlast\n');
  server.fault = () => undefined;
});

const LINES = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';

test('while a server withholds its answer to an undo over what somebody has changed, files are read and written', async (t) => {
  const server = await startProtocolServer();
  const s = await session(t, { onStopped: server.stop });
  const collection = await makeCollection(server.url, [
    ...pageRows('a.md', ['a old\n'], PUBLICLY),
    ...pageRows('m.md', [LINES], PUBLICLY),
  ]);
  await s.succeed(['source', 'add', 'docs', 'chroma', '--url', server.url, '--collection', collection.name]);
  await s.sh(`echo 'a new' > ${AT}/a.md; sed -i s/2/two/ ${AT}/m.md`);
  await s.commit();
  const theirs = `${LINES.replace('2', 'two')}theirs\n`;
  await collection.put([...pageRows('a.md', ['a theirs\n'], PUBLICLY), ...pageRows('m.md', [theirs], PUBLICLY)]);
  await s.succeed(['source', 'refresh', 'docs']);
  const documents = async (): Promise<string[]> => (await collection.rows()).map(({ document }) => document).sort();
  const undo = ['undo', '--ours', `${AT}/a.md`, '--merge'];

  server.fault = ({ path }) => (/\/upsert$/.test(path) ? { kind: 'status', status: 400, body: 'no' } : undefined);
  assert.equal((await s.cli(undo)).code, 1);
  assert.deepEqual(await documents(), [theirs, 'a theirs\n'], 'what is refused changes nothing');
  assert.equal(await s.sh(`cat ${AT}/a.md ${AT}/m.md`), `a theirs\n${theirs}`);
  assert.deepEqual(await s.changes(), []);

  const undoing = withhold(server);
  const undone = s.succeed(undo);
  await undoing.reached;
  // This ends before the answer is given.
  assert.equal(
    await s.sh(`echo meanwhile > file; echo mine >> ${AT}/a.md; cat ${AT}/a.md ${AT}/m.md file`),
    `a theirs\nmine\n${theirs}meanwhile\n`,
  );
  undoing.letGo();
  await undone;
  server.fault = () => undefined;
  assert.deepEqual(await documents(), [`${LINES}theirs\n`, 'a old\n']);
  assert.equal(await s.sh(`cat ${AT}/a.md ${AT}/m.md file`), `a theirs\nmine\n${theirs}meanwhile\n`);
  assert.deepEqual((await s.changes()).map(({ path }) => path).sort(), ['file', `${AT}/a.md`, `${AT}/m.md`].sort());
  await s.succeed(['undo']);
  assert.deepEqual(await documents(), [theirs, 'a theirs\n']);
  assert.equal(await s.sh(`cat ${AT}/a.md ${AT}/m.md file`), `a theirs\nmine\n${theirs}meanwhile\n`);
});

test('what makes a commit impossible while a server is asked gives the source back what it had', async (t) => {
  const server = await startProtocolServer();
  const s = await session(t, { onStopped: server.stop });
  const collection = await makeCollection(server.url, pageRows('a.md', ['a old\n'], PUBLICLY));
  await s.succeed(['source', 'add', 'docs', 'chroma', '--url', server.url, '--collection', collection.name]);
  await s.sh('echo old > file');
  await s.commit();
  await s.sh(`echo 'a new' > ${AT}/a.md; echo 'b new' > ${AT}/b.md; echo ours > file`);
  const committing = withhold(server);
  const commit = s.cli(['commit', '--yes']);
  await committing.reached;
  writeFileSync(join(s.project, 'file'), 'somebody else has written it\n');
  server.fault = () => undefined;
  committing.letGo();
  const { code, stderr } = await commit;
  assert.equal(code, 1);
  assert.match(stderr, /1 conflict.*file: modified here, modified outside/s);
  assert.deepEqual(
    (await collection.rows()).map(({ document }) => document),
    ['a old\n'],
  );
  assert.equal(await s.sh(`cat ${AT}/a.md ${AT}/b.md file`), 'a new\nb new\nours\n');
  await s.succeed(['commit', '--yes', '--ours', 'file']);
  assert.deepEqual((await collection.rows()).map(({ document }) => document).sort(), ['a new\n', 'b new\n']);
});

test('a session that is stopped while a server is asked ends at once, and the next one gives back', async (t) => {
  const server = await startProtocolServer();
  const s = await session(t, { onStopped: server.stop });
  const collection = await makeCollection(server.url, pageRows('a.md', ['a old\n'], PUBLICLY));
  await s.succeed(['source', 'add', 'docs', 'chroma', '--url', server.url, '--collection', collection.name]);
  await s.sh(`echo 'a new' > ${AT}/a.md`);
  const committing = withhold(server);
  const commit = s.cli(['commit', '--yes']);
  await committing.reached;
  await s.succeed(['stop']);
  assert.equal((await commit).code, 1);
  server.fault = () => undefined;
  committing.letGo();
  const texts = async (): Promise<string[]> => (await collection.rows()).map(({ document }) => document);
  assert.deepEqual(await texts(), ['a new\n']);
  assert.equal(await s.sh(`cat ${AT}/a.md`), 'a new\n');
  assert.deepEqual(await texts(), ['a old\n']);
  await s.commit();
  assert.deepEqual(await texts(), ['a new\n']);
});

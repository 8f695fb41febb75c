/** A model's source in a real view: real programs make, read, change, review and commit what the model answers. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { type Session, session } from '../../support/session.ts';
import { type ChatServer, chatServer, type Request, type Turn } from '../servers/chat-protocol.ts';
import { reply } from './replies.ts';

/** The operation that a request is about. */
function operationOf({ messages }: Request): string {
  return /Now: (.*)$/.exec(messages.at(-1)?.content ?? '')?.[1] ?? '?';
}

/** A cook: knows two recipes, keeps an index of what is written, and lets nobody at the passwords. */
function cook(request: Request): Turn {
  const operation = operationOf(request);
  switch (operation) {
    case 'find "recipes"':
      return { say: reply({ directories: ['recipes'] }) };
    case 'find "recipes/pancakes.md"':
      return { say: reply({ files: { 'recipes/pancakes.md': '# Pancakes\n\n2 eggs\n' } }) };
    case 'find "secrets.txt"':
      return { say: reply({ error: 'EACCES', reason: 'these are nobody’s business' }) };
    case 'write "passwd"':
      return { say: reply({ error: 'EACCES', reason: 'passwd is a system file' }) };
    case 'list "recipes"':
      return { say: reply({ names: ['waffles.md'] }) };
    case 'written "recipes/pie.md"':
      return { say: reply({ files: { 'recipes/index.md': '- pie\n' } }) };
    default:
      return { say: operation.startsWith('find ') ? reply({ error: 'ENOENT', reason: 'no such thing' }) : reply({}) };
  }
}

async function kitchen(t: TestContext, script = cook): Promise<{ s: Session; server: ChatServer }> {
  const server = await chatServer(t, script);
  const s = await session(t);
  await s.succeed(['source', 'add', 'kitchen', 'llm', '--url', server.url, '--model', 'scripted']);
  return { s, server };
}

describe('a model as a directory of the view', () => {
  test('makes what is read, once; it is staged, with its true size', async (t) => {
    const { s, server } = await kitchen(t);
    const first = await s.succeed([
      'run',
      '-c',
      'cd /sources/kitchen; cat recipes/pancakes.md; stat -c %s recipes/pancakes.md',
    ]);
    assert.equal(first, '# Pancakes\n\n2 eggs\n19\n');
    const asked = server.requests.map(operationOf).filter((operation) => operation.startsWith('find'));
    assert.deepEqual(asked, ['find "recipes"', 'find "recipes/pancakes.md"']);
    const again = await s.succeed(['run', '-c', 'cat /sources/kitchen/recipes/pancakes.md']);
    assert.equal(again, '# Pancakes\n\n2 eggs\n');
    assert.deepEqual(
      server.requests.map(operationOf).filter((operation) => operation.startsWith('find')),
      asked,
    );
    const { changes } = JSON.parse(await s.succeed(['status', '--json'])) as { changes: { path: string }[] };
    assert.ok(changes.some(({ path }) => path === '/sources/kitchen/recipes/pancakes.md'));
  });

  test('refuses, and audit says why', async (t) => {
    const { s } = await kitchen(t);
    const read = await s.cli(['run', '-c', 'cd /sources/kitchen; cat secrets.txt; echo x > passwd; ls -A']);
    assert.match(read.stderr, /secrets\.txt: Permission denied/);
    assert.match(read.stderr, /passwd: Permission denied/);
    assert.equal(read.stdout, '');
    const audit = await s.succeed(['audit']);
    assert.match(audit, /these are nobody’s business/);
    assert.match(audit, /passwd is a system file/);
  });

  test('keeps what is written as it is, and other files follow', async (t) => {
    const { s } = await kitchen(t);
    const script = [
      'cd /sources/kitchen; mkdir recipes; printf "pie\\0\\377" > recipes/pie.md',
      'od -An -tx1 recipes/pie.md; cat recipes/index.md; ls recipes',
      'mv recipes/pie.md recipes/tart.md; rm recipes/index.md; ls recipes',
    ];
    const stdout = await s.succeed(['run', '-c', script.join('; ')]);
    assert.equal(stdout, ' 70 69 65 00 ff\n- pie\nindex.md\npie.md\nwaffles.md\ntart.md\nwaffles.md\n');
  });

  test('goes back and forth in time like everything else', async (t) => {
    const { s } = await kitchen(t);
    await s.succeed(['run', '-c', 'cat /sources/kitchen/recipes/pancakes.md']);
    await s.succeed(['run', '-c', 'echo salt >> /sources/kitchen/recipes/pancakes.md']);
    await s.succeed(['travel', '1']);
    assert.equal(await s.succeed(['run', '-c', 'cat /sources/kitchen/recipes/pancakes.md']), '# Pancakes\n\n2 eggs\n');
    await s.succeed(['travel', '2']);
    assert.equal(
      await s.succeed(['run', '-c', 'cat /sources/kitchen/recipes/pancakes.md']),
      '# Pancakes\n\n2 eggs\nsalt\n',
    );
  });

  test('is pinned by a commit, for every session and without the model', async (t) => {
    const { s, server } = await kitchen(t);
    await s.succeed(['run', '-c', 'cat /sources/kitchen/recipes/pancakes.md']);
    await s.succeed(['commit', '--yes']);
    assert.equal((await s.succeed(['status'])).includes('pancakes'), false);
    const asked = server.requests.length;
    await s.succeed(['stop']);
    const stdout = await s.succeed(['run', '-c', 'cat /sources/kitchen/recipes/pancakes.md']);
    assert.equal(stdout, '# Pancakes\n\n2 eggs\n');
    assert.equal(server.requests.length, asked);
    await s.succeed(['undo']);
  });

  test('is checked by asking its server, not the model', async (t) => {
    const { s, server } = await kitchen(t);
    assert.equal(await s.succeed(['source', 'check']), 'kitchen: 0 files for the public; takes commits\n');
    assert.equal(server.requests.length, 0);
    const silent = await chatServer(t, cook, { listing: 404 });
    await s.succeed(['source', 'add', 'silent', 'llm', '--url', silent.url, '--model', 'scripted']);
    const locked = await chatServer(t, cook, { listing: 401 });
    const added = await s.cli(['source', 'add', 'locked', 'llm', '--url', locked.url, '--model', 'scripted']);
    assert.equal(added.code, 1);
    await s.cli(['source', 'add', 'down', 'llm', '--url', 'http://127.0.0.1:1/v1', '--model', 'scripted']);
    const checked = await s.cli(['source', 'check']);
    assert.equal(checked.code, 1);
    assert.deepEqual(checked.stdout.split('\n'), [
      "down: the model's server cannot be reached (EIO)",
      'kitchen: 0 files for the public; takes commits',
      "locked: the model's server answered 401: the token is missing or not accepted (EACCES)",
      'silent: 0 files for the public; takes commits',
      '',
    ]);
    const doctor = await s.cli(['doctor']);
    assert.match(doctor.stdout, /down.*the model's server cannot be reached/);
  });

  test('that does not answer holds up nobody else, and can be interrupted', async (t) => {
    const { s } = await kitchen(t, () => 'hang');
    const script = 'timeout -s INT 1 cat /sources/kitchen/a.md; echo $?; echo still here > x; cat x; ls /sources';
    const stdout = await s.succeed(['run', '-c', `(cat /sources/kitchen/b.md &) ; ${script}; pkill -f b.md`]);
    assert.equal(stdout, '124\nstill here\nkitchen\n');
  });

  test('that is down is EIO, with the cause, and what is there stays readable', async (t) => {
    let isDown = false;
    const { s } = await kitchen(t, (request) =>
      isDown ? { status: 503, headers: { 'retry-after-ms': '1' } } : cook(request),
    );
    await s.succeed(['run', '-c', 'cat /sources/kitchen/recipes/pancakes.md']);
    isDown = true;
    const { stdout, stderr } = await s.cli(['run', '-c', 'cd /sources/kitchen/recipes; cat other.md; cat pancakes.md']);
    assert.match(stderr, /other\.md: Input\/output error/);
    assert.equal(stdout, '# Pancakes\n\n2 eggs\n');
    assert.match(await s.succeed(['audit']), /answered 503/);
  });
});

/** Files of a source whose contents lie elsewhere, in a real view. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { session } from '../../support/session.ts';
import { makeCollection, PUBLICLY, pageRows } from '../chroma/collections.ts';
import { startProtocolServer } from '../servers/chroma-protocol.ts';

const SPEC = '{"token": "quokka"}\n';

test('what lies elsewhere is fetched when it is read, and only where the person lets it lie', async (t) => {
  const asked: string[] = [];
  const files = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.end(SPEC);
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  const server = await startProtocolServer();
  const onStopped = async (): Promise<void> => {
    files.close();
    await server.stop();
  };
  const s = await session(t, { onStopped });
  const dir = join(s.project, '..', 'tree');
  mkdirSync(dir);
  writeFileSync(join(dir, 'other.md'), 'of the other source\n');
  const tree = {
    'page.md': PUBLICLY,
    'spec.json': { ...PUBLICLY, pointer: `${origin}/spec.json`, size: SPEC.length },
    'unsized.json': { ...PUBLICLY, pointer: `${origin}/unsized.json` },
    'other.md': { ...PUBLICLY, pointer: 'source:tree/other.md' },
    'secret.json': { isPublic: false, groups: ['admin'], pointer: `${origin}/secret.json` },
  };
  const { name } = await makeCollection(server.url, [
    ...pageRows('page.md', ['a quokka\n'], PUBLICLY),
    { id: '__path_tree__', document: JSON.stringify(tree) },
  ]);
  await s.succeed(['source', 'add', 'tree', 'memory', '--dir', dir, '--open']);
  await s.succeed(['source', 'add', 'docs', 'chroma', '--url', server.url, '--collection', name, '--extension', '']);
  const refused = await s.sh('cd /sources/docs; ls; cat page.md; cat spec.json other.md secret.json 2>&1 || true');
  assert.match(refused, /^other\.md\npage\.md\nspec\.json\nunsized\.json\na quokka\n/);
  assert.match(refused, /spec\.json: Permission denied\n.*other\.md: Permission denied\n.*secret\.json: No such file/s);
  assert.match(await s.succeed(['audit']), /name it in the source's 'pointers' to follow it/);
  assert.deepEqual(asked, []);
  await s.succeed(['stop']);
  appendFileSync(join(s.home, '.config/yolofs/config.toml'), `pointers = ["${origin}", "source:tree"]\n`);
  const read = await s.sh('cd /sources/docs; stat -c %s spec.json; cat page.md; cat spec.json other.md unsized.json');
  assert.equal(read, `${SPEC.length}\na quokka\n${SPEC}of the other source\n${SPEC}`);
  assert.deepEqual(asked, ['/spec.json', '/unsized.json'], 'each when it was read, once');
  assert.equal(
    (await s.cli(['grep', '-rl', 'quokka', '/sources/docs'])).stdout.split('\n').sort().join(' ').trim(),
    ['page.md', 'spec.json', 'unsized.json'].map((one) => `/sources/docs/${one}`).join(' '),
  );
});

test('what a project proposes leads into no network by itself', async (t) => {
  const s = await session(t);
  const dir = join(s.project, '..', 'tree');
  mkdirSync(dir);
  const table = `\n[sources.docs]\nkind = "memory"\ndir = "${dir}"\npointers = ["http://127.0.0.1:9000"]\n`;
  appendFileSync(join(s.project, '.yolofs.toml'), table);
  await s.succeed(['source', 'add', '--from-project', 'docs']);
  const taken = readFileSync(join(s.home, '.config/yolofs/config.toml'), 'utf8');
  assert.match(taken, /\[sources\.docs\]/);
  assert.doesNotMatch(taken, /pointers/);
});

/** The examples of README.md (Sources), as they stand there but for the addresses, over servers that speak the real protocols. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { PROGRAM, type Session, session } from '../support/session.ts';
import { REPOSITORY } from '../support/source-files.ts';
import { makeCollection } from './chroma/collections.ts';
import { reply } from './llm/replies.ts';
import { TestIndex } from './search/test-index.ts';
import { chatServer } from './servers/chat-protocol.ts';
import { startProtocolServer } from './servers/chroma-protocol.ts';
import { SearchProtocolServer } from './servers/protocol/search-protocol.ts';

const readme = readFileSync(join(REPOSITORY, 'README.md'), 'utf8');
const section = /^## Sources\n([\s\S]*?)^## /m.exec(readme)?.[1] ?? '';
/** Indented by four: two of a shell, one program. */
const [chroma = '', llm = '', embedded = ''] = [...section.matchAll(/(?:^(?: {4}.*)?\n)+/gm)]
  .map(([block]) => block.replace(/^ {4}/gm, '').trim())
  .filter((block) => block !== '');

const PAGES = {
  'auth/oauth.mdx': '# OAuth\nUse the access_token.\n',
  'auth/keys.mdx': '# Keys\n',
} as const;

/** The lines of an example, each carried out by a shell; what each has said. */
async function carriedOut(s: Session, example: string): Promise<Map<string, string>> {
  const bin = join(s.root, 'bin');
  mkdirSync(bin);
  symlinkSync(PROGRAM, join(bin, 'yolofs'));
  const said = new Map<string, string>();
  for (const line of example.split('\n')) {
    const env = { PATH: `${bin}:${process.env.PATH}` };
    const { code, stdout, stderr } = await s.native(['bash', '-c', line], { env });
    assert.equal(code, 0, `${line}\n${stdout}${stderr}`);
    said.set(line.replace(/^yolofs (source \w+|\w+).*$/, '$1'), stdout);
  }
  return said;
}

async function chromaExample(t: TestContext): Promise<void> {
  const server = await startProtocolServer();
  t.after(() => server.stop());
  const rows = Object.entries(PAGES).map(([page, document]) => ({
    id: page,
    document,
    metadata: { page, chunk_index: 0, isPublic: false, groups: ['billing'] },
  }));
  const { name } = await makeCollection(server.url, rows);
  const example = chroma
    .replace('http://127.0.0.1:8123', server.url)
    .replace('--collection docs', `--collection ${name}`);
  const said = await carriedOut(await session(t), example);
  assert.equal(said.get('grep'), '/sources/docs/auth/oauth.mdx:2:Use the access_token.\n');
  assert.match(said.get('diff') ?? '', /^\+Tokens end after an hour\.$/m);
}

async function llmExample(t: TestContext): Promise<void> {
  const server = await chatServer(t, ({ messages }) => {
    const asked = /Now: find "(.*)"$/.exec(messages.at(-1)?.content ?? '')?.[1];
    if (asked === 'recipes') return { say: reply({ directories: [asked] }) };
    return { say: asked === undefined ? reply({}) : reply({ files: { [asked]: '# Pancakes\n' } }) };
  });
  const s = await session(t);
  const said = await carriedOut(s, llm.replace('http://127.0.0.1:11434/v1', server.url));
  assert.match(said.get('diff') ?? '', /^\+a pinch of salt$/m);
  assert.equal(await s.sh('cat /sources/kitchen/recipes/pancakes.md'), '# Pancakes\na pinch of salt\n');
}

async function embeddedExample(t: TestContext): Promise<void> {
  const protocol = await SearchProtocolServer.start('opensearch');
  t.after(() => protocol.stop());
  const index = await TestIndex.create({ kind: 'opensearch', url: protocol.url, hasWildcard: true });
  await index.put(Object.entries(PAGES).map(([path, content]) => ({ id: path, path, content, acl: ['billing'] })));
  const s = await session(t);
  // What a program resolves that has yolofs installed.
  mkdirSync(join(s.root, 'app/node_modules'), { recursive: true });
  symlinkSync(REPOSITORY, join(s.root, 'app/node_modules/yolofs'));
  const program = join(s.root, 'app/main.mjs');
  writeFileSync(
    program,
    embedded.replace('http://127.0.0.1:9200', protocol.url).replace("index: 'docs'", `index: '${index.name}'`),
  );
  const { stdout, stderr } = await s.native([process.execPath, program]);
  assert.equal(stdout, '# OAuth\n 0\n', stderr);
}

describe('the examples of README.md on sources', () => {
  test('a Chroma collection in a view', chromaExample);
  test('a model in a view', llmExample);
  test('OpenSearch in a program', embeddedExample);
});

/** `[sources.NAME]` in the person's file: defaults, and what is refused, with its place and without secrets. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'smol-toml';
import { parseSources, readToken } from '../../src/sources/config.ts';
import { UserError } from '../../src/sys/user-error.ts';

const DOCS = 'kind = "chroma"\nurl = "http://127.0.0.1:8123"\ncollection = "docs"\n';

describe('tables of sources', () => {
  test('what is left out has the defaults of the contract', () => {
    const [docs] = sourcesOf(`[sources.docs]\n${DOCS}`);
    assert.deepEqual(docs, {
      ...{ name: 'docs', kind: 'chroma', at: '/sources/docs', url: 'http://127.0.0.1:8123', collection: 'docs' },
      ...{ as: [], open: false, fields: {} },
    });
  });

  test('all that it may say', () => {
    const [docs] = sourcesOf(
      `[sources.docs]\n${DOCS}at = "/docs/"\nas = ["billing"]\ntoken = "env:T"\nextension = ".mdx"\nopen = true\n` +
        'fields = { path = "page", order = "n", content = "c", acl = "groups", public = "isPublic", mtime = "t" }\n',
    );
    assert.equal(docs?.at, '/docs');
    assert.deepEqual(docs?.as, ['billing']);
    assert.deepEqual(docs?.fields, {
      path: 'page',
      order: 'n',
      content: 'c',
      acl: 'groups',
      public: 'isPublic',
      mtime: 't',
    });
  });

  const refused: readonly (readonly [string, RegExp])[] = [
    ['kind = "redis"', /f\.toml:2:1: sources\.docs\.kind: has to be one of opensearch/],
    [`${DOCS}colection = "x"`, /f\.toml:5:1: there is no setting 'sources\.docs\.colection'/],
    [`${DOCS}at = "docs"`, /sources\.docs\.at: has to be an absolute path/],
    [`${DOCS}token = "sk-very-secret"`, /f\.toml:5:1: sources\.docs\.token: has to be env:NAME or file:\/path/],
    ['kind = "chroma"\nurl = "http://ann:very-secret@h/"', /sources\.docs\.url: has to be an http or https address/],
    ['kind = "chroma"\nurl = "ftp://h/"', /sources\.docs\.url: has to be/],
    ['kind = "chroma"\nurl = "http://h/"', /sources\.docs: a source of kind 'chroma' needs 'collection'/],
    [`${DOCS}pointers = ["file:///etc"]`, /sources\.docs\.pointers: has to be an origin/],
    [`${DOCS}pointers = ["http://h/path"]`, /sources\.docs\.pointers: has to be an origin/],
    [`${DOCS}fields = { page = "x" }`, /there is no setting 'sources\.docs\.fields\.page'/],
    [
      `${DOCS}[sources.more]\nat = "/sources/docs/more"\n${DOCS}`,
      /sources\.more: \/sources\/docs\/more belongs to 'docs'/,
    ],
    [`${DOCS}[sources."../x"]\n${DOCS}`, /is no name for a source/],
  ];
  for (const [text, message] of refused) {
    test(`refused: ${JSON.stringify(text.slice(-40))}`, () => {
      assert.throws(
        () => sourcesOf(`[sources.docs]\n${text}\n`),
        (error) => {
          assert.ok(error instanceof UserError);
          assert.match(error.message, message);
          assert.doesNotMatch(`${error.message} ${error.hint}`, /very-secret/);
          return true;
        },
      );
    });
  }

  test('a secret comes from the environment or a file, and its absence is told without it', () => {
    const [env] = sourcesOf(`[sources.docs]\n${DOCS}token = "env:DOCS_TOKEN"\n`);
    assert.ok(env);
    assert.equal(readToken(env, { DOCS_TOKEN: 'abc' }), 'abc');
    assert.throws(() => readToken(env, {}), /source 'docs': there is nothing in env:DOCS_TOKEN/);
    const dir = mkdtempSync(join(tmpdir(), 'yolofs-token-'));
    try {
      writeFileSync(join(dir, 'token'), 'def\n');
      const [file] = sourcesOf(`[sources.docs]\n${DOCS}token = "file:${dir}/token"\n`);
      assert.ok(file);
      assert.equal(readToken(file, {}), 'def');
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});

function sourcesOf(text: string): ReturnType<typeof parseSources> {
  return parseSources(parse(text).sources, { text, file: 'f.toml' });
}

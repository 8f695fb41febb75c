/** A model behind OpenAI's protocol: what it is asked, what is believed of its replies, and what a failure is called. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { LlmModel } from '../../../src/sources/adapters/llm/llm.ts';
import type { Operation, Scene } from '../../../src/sources/model/model.ts';
import { SourceError } from '../../../src/sources/source.ts';
import { errnoName } from '../../../src/sys/errno.ts';
import { type ChatServer, chatServer, type Request, type Turn } from '../servers/chat-protocol.ts';
import { reply } from './replies.ts';

const NEVER = new AbortController().signal;
const EMPTY = sceneOf({});
const PANCAKES: Operation = { kind: 'find', path: 'recipes/pancakes.md' };
const BAKED = reply({ files: { 'recipes/pancakes.md': '# Pancakes\n' } });

interface Setting {
  readonly model: LlmModel;
  readonly server: ChatServer;
  readonly kept: string;
}

async function setting(t: TestContext, script: (request: Request, index: number) => Turn, more = {}): Promise<Setting> {
  const server = await chatServer(t, script);
  const kept = mkdtempSync(join(tmpdir(), 'yolofs-test-llm-'));
  t.after(() => rmSync(kept, { recursive: true }));
  const limits = { requests: 100, tokens: 1e6 };
  const model = new LlmModel({
    url: server.url,
    token: 'sesame',
    model: 'scripted',
    patience: 5000,
    limits,
    kept,
    ...more,
  });
  t.after(() => model.close());
  return { model, server, kept };
}

function sceneOf(files: Readonly<Record<string, string>>): Scene {
  const known = Object.entries(files).map(([path, text]) => ({ path, content: Buffer.from(text) }));
  return { paths: Object.keys(files).sort(), more: 0, files: known };
}

/** NAME: cause, of what a call throws. */
async function faultOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof SourceError, String(error));
    return `${errnoName(error.errno)}: ${error.cause}`;
  }
  return 'no fault';
}

describe('LlmModel', () => {
  test('makes the file that a program wants to read', async (t) => {
    const { model, server } = await setting(t, () => ({ say: BAKED, chunk: 7 }));
    const answer = await model.answer(PANCAKES, EMPTY, NEVER);
    assert.deepEqual(answer.effects, [
      { kind: 'file', path: 'recipes/pancakes.md', content: Buffer.from('# Pancakes\n') },
    ]);
    assert.equal(answer.refusal, undefined);
    assert.equal(server.tokens[0], 'Bearer sesame');
    assert.equal(server.requests[0]?.response_format?.type, 'json_schema');
    assert.deepEqual(model.used, { requests: 1, tokens: 100 + BAKED.length });
  });

  test('takes bytes that are no text', async (t) => {
    const data = Buffer.from([0, 255, 10, 128]);
    const file = { path: 'x.bin', encoding: 'base64', data: data.toString('base64') };
    const { model } = await setting(t, () => ({ say: JSON.stringify({ files: [file] }) }));
    const { effects } = await model.answer({ kind: 'find', path: 'x.bin' }, EMPTY, NEVER);
    assert.deepEqual(effects, [{ kind: 'file', path: 'x.bin', content: data }]);
  });

  test('refuses with an errno and a reason, and stays with it', async (t) => {
    const { model, server } = await setting(t, () => ({ say: reply({ error: 'EACCES', reason: 'a system\nfile' }) }));
    for (let i = 0; i < 2; i++) {
      const { refusal } = await model.answer({ kind: 'write', path: 'passwd' }, EMPTY, NEVER);
      assert.equal(`${errnoName(refusal?.errno ?? (0 as never))} ${refusal?.cause}`, 'EACCES a system file');
    }
    assert.equal(server.requests.length, 1);
  });

  test('knows what happened before, and what files hold', async (t) => {
    const { model, server } = await setting(t, (_, index) => ({ say: index === 0 ? reply({}) : BAKED }));
    const scene = sceneOf({ 'recipes/flour.md': 'wheat "fine"\n', 'z/far.md': 'far' });
    await model.answer({ kind: 'written', path: 'recipes/flour.md' }, scene, NEVER);
    await model.answer(PANCAKES, scene, NEVER);
    const [first, second] = server.requests.map(({ messages }) => messages.map(({ content }) => content));
    assert.equal(second?.[0], first?.[0], 'the instructions are the same, so that a server can keep them');
    assert.equal(second?.[1], 'What happened so far:\nwritten "recipes/flour.md" -> ok');
    assert.equal(
      second?.[2],
      'What is there:\n"recipes/flour.md"\n"z/far.md"\n\nContent of "recipes/flour.md": "wheat \\"fine\\"\\n"\n\n' +
        'Content of "z/far.md": "far"\n\nNow: find "recipes/pancakes.md"',
    );
  });

  test('says which other files a write changes, in order', async (t) => {
    const said = reply({ files: { 'index.md': '1 recipe\n' }, directories: ['old'], removed: ['todo.md'] });
    const { model } = await setting(t, () => ({ say: said }));
    const written = { kind: 'written', path: 'recipes/pie.md' } as const;
    assert.deepEqual((await model.answer(written, EMPTY, NEVER)).effects, [
      { kind: 'remove', path: 'todo.md' },
      { kind: 'directory', path: 'old' },
      { kind: 'file', path: 'index.md', content: Buffer.from('1 recipe\n') },
    ]);
  });

  test('names what belongs into a directory', async (t) => {
    const { model } = await setting(t, () => ({ say: reply({ names: ['pie.md', 'soups/'] }) }));
    assert.deepEqual((await model.answer({ kind: 'list', path: '' }, EMPTY, NEVER)).names, ['pie.md', 'soups/']);
  });

  test('answers the same question without the model, also another time', async (t) => {
    const { model, server, kept } = await setting(t, () => ({ say: BAKED }));
    const first = await model.answer(PANCAKES, EMPTY, NEVER);
    const limits = { requests: 0, tokens: 0 };
    const again = new LlmModel({
      url: 'http://127.0.0.1:9',
      token: undefined,
      model: 'scripted',
      patience: 1,
      limits,
      kept,
    });
    assert.deepEqual(await again.answer(PANCAKES, EMPTY, NEVER), first);
    assert.equal(server.requests.length, 1);
    assert.deepEqual(
      readdirSync(kept).map((name) => readFileSync(join(kept, name), 'utf8')),
      [BAKED],
    );
  });

  test('is asked one thing at a time', async (t) => {
    let [open, most] = [0, 0];
    const { model } = await setting(t, ({ messages }) => {
      most = Math.max(most, ++open);
      setTimeout(() => open--, 20);
      const [, path] = /find "(.*)"$/.exec(messages.at(-1)?.content ?? '') ?? [];
      return { say: reply({ files: { [path ?? '']: 'x' } }), chunk: 1000, pauseMs: 25 };
    });
    const paths = ['a', 'b', 'c'];
    const answers = await Promise.all(paths.map((path) => model.answer({ kind: 'find', path }, EMPTY, NEVER)));
    assert.deepEqual(
      answers.map(({ effects }) => effects[0]?.path),
      paths,
    );
    assert.equal(most, 1);
  });
});

describe('a reply that makes no sense', () => {
  const BAD: Readonly<Record<string, string>> = {
    'is no JSON': 'Sure! Here is your file:',
    'is cut off': '{"error":null,"fil',
    'makes another file': reply({ files: { other: 'x' } }),
    'leads out of the source': reply({ files: { 'recipes/pancakes.md': 'x', '../../etc/passwd': 'x' } }),
    'has an absolute path': reply({ files: { 'recipes/pancakes.md': 'x', '/etc/passwd': 'x' } }),
    'removes the root': reply({ files: { 'recipes/pancakes.md': 'x' }, removed: [''] }),
    'has a NUL in a name': reply({ files: { 'recipes/pancakes.md': 'x' }, directories: ['a\0b'] }),
    'has an error that is none': JSON.stringify({ error: 'ECONNRESET' }),
  };
  for (const [what, text] of Object.entries(BAD)) {
    test(`${what}: it is told so once, then it is EIO`, async (t) => {
      const { model, server, kept } = await setting(t, () => ({ say: text }));
      assert.match(await faultOf(model.answer(PANCAKES, EMPTY, NEVER)), /^EIO: the model's reply makes no sense: /);
      assert.match(server.requests[1]?.messages.at(-1)?.content ?? '', /^That is not right: /);
      assert.equal(server.requests.length, 2);
      assert.deepEqual(readdirSync(kept), []);
    });
  }

  test('is mended by the model', async (t) => {
    const { model } = await setting(t, (_, index) => ({ say: index === 0 ? 'no' : BAKED }));
    assert.equal((await model.answer(PANCAKES, EMPTY, NEVER)).effects[0]?.path, 'recipes/pancakes.md');
  });
});

describe('a server that fails', () => {
  const retry = { 'retry-after-ms': '1' };
  const FAULTS: readonly (readonly [string, Turn, string, number])[] = [
    [
      'knows no such token',
      { status: 401 },
      "EACCES: the model's server answered 401: the token is missing or not accepted",
      1,
    ],
    [
      'is asked too often',
      { status: 429, headers: retry },
      "EAGAIN: the model's server answered 429: too many requests",
      4,
    ],
    ['has a fault', { status: 500, headers: retry }, "EIO: the model's server answered 500", 4],
    ['breaks off', 'break off', "EIO: the model's server broke off", 1],
    ['speaks another language', { raw: 'data: <html>\n\n' }, "EIO: the model's server sent what is no reply", 1],
    ['refuses', { refuse: 'no' }, 'EPERM: the model refuses to answer', 1],
    ['filters', { say: '{', finish: 'content_filter' }, "EPERM: the server's filter held the reply back", 1],
    ['runs out of tokens', { say: '{', finish: 'length' }, 'EFBIG: the reply is longer than the model may make one', 1],
  ];
  for (const [what, turn, fault, requests] of FAULTS) {
    test(what, async (t) => {
      const { model, server } = await setting(t, () => turn);
      const told = await faultOf(model.answer(PANCAKES, EMPTY, NEVER));
      assert.ok(told.startsWith(fault), told);
      assert.equal(server.requests.length, requests);
      assert.doesNotMatch(told, /sesame/);
    });
  }

  test('hangs: the time without a byte counts, not the time of all', async (t) => {
    const { model } = await setting(t, () => 'hang', { patience: 60 });
    assert.match(await faultOf(model.answer(PANCAKES, EMPTY, NEVER)), /^ETIMEDOUT: /);
    const slow = await setting(t, () => ({ say: BAKED, chunk: 10, pauseMs: 30 }), { patience: 300 });
    assert.equal((await slow.model.answer(PANCAKES, EMPTY, NEVER)).refusal, undefined);
  });

  test('cannot be reached', async (t) => {
    const { model } = await setting(t, () => 'hang', { url: 'http://127.0.0.1:9/v1' });
    assert.equal(await faultOf(model.answer(PANCAKES, EMPTY, NEVER)), "EIO: the model's server cannot be reached");
  });

  test('takes no schema: it is asked without one from then on', async (t) => {
    const { model, server } = await setting(t, ({ response_format }) =>
      response_format === undefined ? { say: BAKED } : { status: 400, error: 'response_format is not supported' },
    );
    await model.answer(PANCAKES, EMPTY, NEVER);
    await model.answer({ kind: 'list', path: '' }, EMPTY, NEVER);
    assert.deepEqual(
      server.requests.map((request) => request.response_format?.type),
      ['json_schema', undefined, undefined],
    );
  });

  test('has had all the requests that the session may make', async (t) => {
    const { model } = await setting(t, () => ({ say: reply({}) }), { limits: { requests: 1, tokens: 1e6 } });
    await model.answer({ kind: 'mkdir', path: 'a' }, EMPTY, NEVER);
    assert.match(await faultOf(model.answer({ kind: 'mkdir', path: 'b' }, EMPTY, NEVER)), /^EDQUOT: .*1 requests/);
  });

  test('is left alone when nobody waits any more', async (t) => {
    const { model } = await setting(t, (_, index) => (index === 0 ? 'hang' : { say: BAKED }));
    const abort = new AbortController();
    const first = model.answer(PANCAKES, EMPTY, abort.signal);
    const second = model.answer(PANCAKES, EMPTY, NEVER);
    setTimeout(() => abort.abort(new Error('interrupted')), 50);
    await assert.rejects(first, /interrupted/);
    assert.equal((await second).effects.length, 1);
  });
});

/** What goes wrong with a server: each fault has an errno and a cause, and none makes a file shorter. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Change, Entry } from '../../../src/sources/source.ts';
import { EACCES, EAGAIN, EIO, ETIMEDOUT } from '../../../src/sys/errno.ts';
import { type Asked, type Fault, type ProtocolServer, startProtocolServer } from '../servers/chroma-protocol.ts';
import {
  contentsOf,
  EVERYBODY,
  entriesOf,
  makeCollection,
  OPEN_SIGNAL,
  PUBLICLY,
  pageRows,
  sourceOf,
} from './collections.ts';

const FAULTS: readonly {
  readonly title: string;
  readonly fault: Fault;
  readonly errno: number;
  readonly cause: RegExp;
}[] = [
  { title: '401', fault: { kind: 'status', status: 401 }, errno: EACCES, cause: /refuses the credentials: 401$/ },
  { title: '403', fault: { kind: 'status', status: 403 }, errno: EACCES, cause: /refuses the credentials: 403$/ },
  {
    title: '429',
    fault: { kind: 'status', status: 429, body: 'slow down' },
    errno: EAGAIN,
    cause: /is overloaded: 429 slow down$/,
  },
  { title: '500', fault: { kind: 'status', status: 500, body: 'oops' }, errno: EIO, cause: /failed: 500 oops$/ },
  {
    title: '500 with a reason',
    fault: { kind: 'status', status: 500, body: '{"error":"InternalError"}', type: 'application/json' },
    errno: EIO,
    cause: /answers 500 \{"error":"InternalError"\}$/,
  },
  { title: '503', fault: { kind: 'status', status: 503 }, errno: EAGAIN, cause: /is overloaded: 503$/ },
  { title: 'no answer', fault: { kind: 'hang' }, errno: ETIMEDOUT, cause: /has not answered within 2 s$/ },
  { title: 'half an answer', fault: { kind: 'truncated' }, errno: EIO, cause: /broke the connection/ },
  { title: 'half of the JSON', fault: { kind: 'malformed' }, errno: EIO, cause: /answers with what is no JSON$/ },
  {
    title: 'an answer of another shape',
    fault: { kind: 'nonsense' },
    errno: EIO,
    cause: /an answer is not what Chroma says$/,
  },
];

let server: ProtocolServer;

describe('a Chroma server', () => {
  before(async () => {
    server = await startProtocolServer();
  });
  beforeEach(() => {
    server.fault = () => undefined;
  });
  after(() => server.stop());

  for (const { title, fault, errno, cause } of FAULTS) {
    test(`that answers with ${title}`, async () => {
      const { name } = await makeCollection(server.url, pageRows('p', ['text'], PUBLICLY));
      const source = sourceOf(server.url, name, {
        token: 'geheim',
        ...(fault.kind === 'hang' ? { timeoutMs: 2_000 } : {}),
      });
      const entries = [...(await entriesOf(source)).values()];
      server.fault = (asked) => (asked.path.endsWith('/get') ? fault : undefined);
      await assert.rejects(entriesOf(source), { errno, cause });
      const [read] = await source.readMany(entries, EVERYBODY, OPEN_SIGNAL);
      assert.ok(read !== undefined && 'errno' in read && read.errno === errno);
      assert.match(read.cause, cause);
      assert.doesNotMatch(read.cause, /geheim|text/);
      server.fault = () => undefined;
      assert.deepEqual(await contentsOf(source), { 'p.mdx': 'text' }, 'and all is well once it answers again');
    });
  }

  test('that is overloaded for a while is asked again', async () => {
    const { name } = await makeCollection(server.url, pageRows('p', ['text'], PUBLICLY));
    const source = sourceOf(server.url, name);
    let left = 3;
    server.fault = () => (left-- > 0 ? { kind: 'status', status: 429 } : undefined);
    assert.deepEqual(await contentsOf(source), { 'p.mdx': 'text' });
  });

  test('that is slow holds up who asked, and lets him go at once', async () => {
    const { name } = await makeCollection(server.url, pageRows('p', ['text'], PUBLICLY));
    const source = sourceOf(server.url, name);
    server.fault = () => ({ kind: 'slow', ms: 3_000 });
    const control = new AbortController();
    const begun = performance.now();
    setTimeout(() => control.abort(new Error('interrupted')), 50);
    await assert.rejects(source.tree(EVERYBODY, undefined, control.signal), { message: 'interrupted' });
    assert.ok(performance.now() - begun < 2_500);
  });

  test('that cannot evaluate a search leaves everything a candidate', async () => {
    const { name } = await makeCollection(server.url, pageRows('p', ['text'], PUBLICLY));
    const source = sourceOf(server.url, name);
    const literal = (text: string) => ({ kind: 'literal', text, fold: false }) as const;
    const refuse: Fault = { kind: 'status', status: 500, body: '{"error":"InternalError"}', type: 'application/json' };
    server.fault = ({ body }) => (body.where_document === undefined ? undefined : refuse);
    assert.equal(
      await source.candidates({ formula: literal('nowhere'), scope: undefined }, EVERYBODY, OPEN_SIGNAL),
      undefined,
    );
    // Of an `and` the part counts that it can evaluate.
    server.fault = ({ body }) => (JSON.stringify(body.where_document ?? '').includes('bad') ? refuse : undefined);
    const both = { kind: 'and', parts: [literal('bad pattern'), literal('nowhere')] } as const;
    assert.deepEqual(await source.candidates({ formula: both, scope: undefined }, EVERYBODY, OPEN_SIGNAL), new Set());
  });

  test('whose rows go away while they are read is read again', async () => {
    const rows = Array.from({ length: 12 }, (_, at) => pageRows(`p${at}`, [`${at}`], PUBLICLY)).flat();
    const collection = await makeCollection(server.url, rows);
    const source = sourceOf(server.url, collection.name, { limits: { rows: 5 } });
    let drops = ['p0#0', 'p3#0'];
    const dropOne = async (): Promise<void> => collection.drop(drops.splice(0, 1));
    const listed: Promise<void>[] = [];
    server.fault = ({ path, body }) => {
      if (path.endsWith('/get') && body.offset === 4 && drops.length > 0) listed.push(dropOne());
      return path.endsWith('/get') && body.offset !== 0 ? { kind: 'slow', ms: 30 } : undefined;
    };
    const paths = [...(await entriesOf(source)).keys()];
    await Promise.all(listed);
    drops = [];
    server.fault = () => undefined;
    const now = [...(await entriesOf(source)).keys()];
    assert.deepEqual(
      now.filter((path) => !paths.includes(path)),
      [],
      'nothing that is there was left out',
    );
  });

  test('that dies while a page is written shows the old page, the new one, or none that is whole', async () => {
    const before = Array.from({ length: 5 }, (_, at) => `old ${at}\n`);
    const after = Array.from({ length: 40 }, (_, at) => `new ${at} ${'y'.repeat(300)}\n`);
    for (const [from, to] of [
      [before, after],
      [after, before],
    ] as const) {
      for (let deaths = 1; deaths <= 8; deaths += 1) await dieAfter(deaths, from, to.join(''));
    }
  });
});

/** Lets the server take so many writes of a commit and no more, and looks at what there is. */
async function dieAfter(writes: number, before: readonly string[], content: string): Promise<void> {
  const { name } = await makeCollection(server.url, pageRows('p', before, PUBLICLY));
  const source = sourceOf(server.url, name, { limits: { rows: 4 } });
  const entry = (await entriesOf(source)).get('p.mdx') as Entry;
  const change: Change = { kind: 'write', path: 'p.mdx', content: Buffer.from(content), base: entry.rev };
  let left = writes;
  const isWrite = ({ path }: Asked): boolean => /\/(?:upsert|delete)$/.test(path);
  server.fault = (asked) => (isWrite(asked) && left-- <= 0 ? { kind: 'status', status: 500, body: 'dead' } : undefined);
  const [outcome] = await source.commit([change], EVERYBODY, OPEN_SIGNAL);
  server.fault = () => undefined;
  const { 'p.mdx': shown = '' } = await contentsOf(source);
  const isBroken = shown.startsWith(`${EIO}: 'p.mdx' has `) || shown.startsWith(`${EIO}: 'p.mdx' lacks `);
  assert.ok(
    isBroken || shown === before.join('') || shown === content,
    `after ${writes} writes: ${shown.slice(0, 80)}`,
  );
  assert.equal(outcome?.kind, shown === content ? 'done' : 'failed');
}

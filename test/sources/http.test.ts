import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { HttpServer } from '../../src/sources/http.ts';
import { SourceError } from '../../src/sources/source.ts';
import { EACCES, EAGAIN, EFBIG, EIO, ETIMEDOUT } from '../../src/sys/errno.ts';

type Reply = (response: ServerResponse, request: IncomingMessage) => void;

const OPEN = new AbortController().signal;
const GET = { method: 'GET', path: '/thing' } as const;

describe('an HTTP server of a source', () => {
  test('answers with what it says, also where it refuses for a reason', async (t) => {
    const { server, seen } = await serve(t, [
      (response, request) => response.end(JSON.stringify({ url: request.url, key: request.headers['x-key'] })),
      (response) => response.writeHead(404).end('{"error":"no"}'),
      (response) => response.end(),
      (response) => response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":"why"}'),
    ]);
    assert.deepEqual(await server.request(GET, OPEN), { status: 200, body: { url: '/below/thing', key: 'k' } });
    assert.deepEqual(await server.request({ method: 'POST', path: '/b', body: '{}' }, OPEN), {
      status: 404,
      body: { error: 'no' },
    });
    assert.deepEqual(await server.request(GET, OPEN), { status: 200, body: undefined });
    assert.deepEqual(await server.request(GET, OPEN), { status: 500, body: { error: 'why' } });
    assert.deepEqual(seen, ['GET /below/thing', 'POST /below/b', 'GET /below/thing', 'GET /below/thing']);
  });

  test('is asked again when it is overloaded, after as long as it says', async (t) => {
    const { server, seen } = await serve(t, [
      (response) => response.writeHead(429, { 'retry-after': '0.2' }).end(),
      (response) => response.writeHead(503).end(),
      (response) => response.end('1'),
    ]);
    const before = performance.now();
    assert.deepEqual(await server.request(GET, OPEN), { status: 200, body: 1 });
    assert.ok(performance.now() - before >= 300, 'waits 0.2 s, and then half of 0.2 s at least');
    assert.equal(seen.length, 3);
  });

  test('that stays overloaded is EAGAIN, after five requests', async (t) => {
    const { server, seen } = await serve(t, [(response) => response.writeHead(429).end('slow down')]);
    await rejects(server.request(GET, OPEN), EAGAIN, /is overloaded: 429 slow down$/);
    assert.equal(seen.length, 5);
  });

  test('that fails is EIO with its own words, without the secret', async (t) => {
    const { server, seen } = await serve(t, [
      (response) => response.writeHead(500).end('{"error":"key s3cret\n is broken"}'),
    ]);
    await rejects(server.request(GET, OPEN), EIO, /failed: 500 \{"error":"key … is broken"\}$/);
    assert.equal(seen.length, 1);
  });

  test('that refuses the credentials is EACCES', async (t) => {
    const { server } = await serve(t, [(response) => response.writeHead(403).end()]);
    await rejects(server.request(GET, OPEN), EACCES, /refuses the credentials: 403$/);
  });

  test('that leads elsewhere is not followed', async (t) => {
    const { server, seen } = await serve(t, [(response) => response.writeHead(307, { location: '/other' }).end()]);
    await rejects(server.request(GET, OPEN), EIO, /leads elsewhere/);
    assert.equal(seen.length, 1);
  });

  test('that answers with no JSON, too much or half of it is EIO', async (t) => {
    const { server } = await serve(t, [
      (response) => response.end('<html>'),
      (response) => response.end(JSON.stringify('x'.repeat(2000))),
    ]);
    await rejects(server.request(GET, OPEN), EIO, /answers with what is no JSON$/);
    await rejects(server.request(GET, OPEN), EFBIG, /answers with more than 1000 bytes$/);
    const torn: Reply = (response) => {
      response.writeHead(200, { 'content-length': 100 }).write('"half');
      setTimeout(() => response.destroy(), 10);
    };
    const { server: tearing, seen } = await serve(t, [torn]);
    await rejects(tearing.request(GET, OPEN), EIO, /broke the connection \(UND_ERR_SOCKET\)$/);
    assert.equal(seen.length, 2);
    await rejects(tearing.request({ ...GET, repeatable: false }, OPEN), EIO, /broke the connection/);
    assert.equal(seen.length, 3, 'what may not arrive twice is sent once');
  });

  test('that hangs is ETIMEDOUT, before its answer and within it', async (t) => {
    const { server } = await serve(t, [() => {}, (response) => response.write('"half')], 300);
    await rejects(server.request(GET, OPEN), ETIMEDOUT, /has not answered within 0.3 s$/);
    await rejects(server.request(GET, OPEN), ETIMEDOUT, /has not answered within 0.3 s$/);
  });

  test('is left at once when the caller gives up, also between two tries', async (t) => {
    const { server } = await serve(t, [() => {}, (response) => response.writeHead(429, { 'retry-after': '5' }).end()]);
    for (let round = 0; round < 2; round += 1) {
      const control = new AbortController();
      setTimeout(() => control.abort(new Error('enough')), 50);
      await assert.rejects(server.request(GET, control.signal), { message: 'enough' });
    }
    await assert.rejects(server.request(GET, AbortSignal.abort(new Error('before'))), { message: 'before' });
  });

  test('that is not there is EIO, and so is one that was closed', async (t) => {
    const { server, stop } = await serve(t, [() => {}]);
    const pending = server.request(GET, OPEN);
    setTimeout(() => server.close(), 50);
    await rejects(pending, EIO, /^the source is closed$/);
    await stop();
    const gone = new HttpServer({ url: server.url });
    await rejects(gone.request(GET, OPEN), EIO, /^http:\/\/127\.0\.0\.1:\d+ refuses connections$/);
  });
});

/** A server that gives these replies one after the other, the last one for ever, and what it was asked. */
async function serve(
  t: TestContext,
  replies: readonly Reply[],
  timeoutMs = 60_000,
): Promise<{
  server: HttpServer & { url: string };
  seen: string[];
  stop(): Promise<void>;
}> {
  const seen: string[] = [];
  const listener = createServer((request, response) => {
    const reply = replies[Math.min(seen.length, replies.length - 1)];
    seen.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => reply?.(response, request));
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/below`;
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      listener.close(() => resolve());
      listener.closeAllConnections();
    });
  t.after(stop);
  const options = { url: `${url}/`, headers: { 'x-key': 'k' }, secret: 's3cret', timeoutMs, maxBytes: 1000 };
  return { server: Object.assign(new HttpServer(options), { url }), seen, stop };
}

async function rejects(promise: Promise<unknown>, errno: number, cause: RegExp): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof SourceError, String(error));
    assert.equal(error.errno, errno);
    assert.match(error.cause, cause);
    return true;
  });
}

/** What lies at an address that a server has named: bounded, without credentials, and never at home unless the person says so. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { fetchAddress, isPrivateAddress } from '../../../src/sources/elsewhere/fetch-address.ts';
import { EACCES, EAGAIN, EFBIG, EIO, ELOOP, ENOENT, ETIMEDOUT } from '../../../src/sys/errno.ts';

const SIGNAL = new AbortController().signal;

interface Server {
  readonly origin: string;
  readonly asked: IncomingMessage[];
}

async function serve(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  const asked: IncomingMessage[] = [];
  const listener = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    listener.closeAllConnections();
    listener.close();
  });
  return { origin: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`, asked };
}

test('addresses of this machine and of private networks are told from others, however they are written', () => {
  const own = '127.0.0.1 127.9.9.9 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1';
  const more = '224.0.0.1 255.255.255.255 :: ::1 fe80::1 fd00::1 ff02::1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 64:ff9b::a00:1';
  for (const address of `${own} ${more} ::7f00:1 2002:7f00:1:: nothing`.split(' '))
    assert.ok(isPrivateAddress(address), address);
  for (const address of ['8.8.8.8', '172.15.0.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111'])
    assert.ok(!isPrivateAddress(address), address);
});

test('an address of this machine is refused and nobody asked, unless its origin is named', async (t) => {
  const { origin, asked } = await serve(t, (_, response) => response.end('inside'));
  const port = new URL(origin).port;
  const ways = [`http://127.1:${port}`, `http://2130706433:${port}`, `http://[::ffff:127.0.0.1]:${port}`];
  for (const url of [origin, ...ways, `http://localhost:${port}`])
    for (const origins of [[], ['http://127.0.0.1:1'], [`https://127.0.0.1:${port}`]])
      await assert.rejects(fetchAddress(`${url}/x`, { origins, signal: SIGNAL }), { errno: EACCES }, url);
  assert.equal(asked.length, 0);
  const content = await fetchAddress(`${origin}/x?key=1`, { origins: [origin], signal: SIGNAL });
  assert.equal(Buffer.from(content).toString(), 'inside');
  assert.equal(asked[0]?.url, '/x?key=1');
  const { authorization, cookie, referer } = asked[0]?.headers ?? {};
  assert.deepEqual([authorization, cookie, referer], [undefined, undefined, undefined]);
});

test('what is no http address is refused, and so is one with a user in it', async () => {
  for (const url of ['file:///etc/passwd', 'ftp://example.com/x', 'data:,x', '/etc/passwd', 'http://'])
    await assert.rejects(fetchAddress(url, { origins: [], signal: SIGNAL }), { errno: EACCES }, url);
  await assert.rejects(fetchAddress('http://me:secret@example.com/', { origins: [], signal: SIGNAL }), {
    errno: EACCES,
    cause: 'http://example.com has a user in its address',
  });
});

test('a redirect is judged like the address, and there are only so many', async (t) => {
  const inner = await serve(t, (_, response) => response.end('inside'));
  const outer = await serve(t, ({ url }, response) => {
    const to: Readonly<Record<string, string>> = {
      '/in': `${inner.origin}/`,
      '/file': 'file:///etc/passwd',
      '/here': 'b',
    };
    const location = to[url ?? ''] ?? (url === '/b' ? undefined : '/round');
    if (location === undefined) response.end('b');
    else response.writeHead(302, { location }).end();
  });
  const options = { origins: [outer.origin], signal: SIGNAL };
  assert.equal(Buffer.from(await fetchAddress(`${outer.origin}/here`, options)).toString(), 'b');
  for (const path of ['/in', '/file'])
    await assert.rejects(fetchAddress(`${outer.origin}${path}`, options), { errno: EACCES }, path);
  assert.equal(inner.asked.length, 0);
  const before = outer.asked.length;
  await assert.rejects(fetchAddress(`${outer.origin}/round`, options), { errno: ELOOP });
  assert.equal(outer.asked.length - before, 6);
});

test('what is too large, packed, late or not there is an error by its kind', async (t) => {
  const { origin } = await serve(t, ({ url }, response) => {
    if (url === '/hang') return;
    if (url === '/told') response.writeHead(200, { 'content-length': 101 }).end('x'.repeat(101));
    else if (url === '/untold') response.writeHead(200).end('x'.repeat(101));
    else if (url === '/packed') response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
    else if (url === '/cut') response.writeHead(200, { 'content-length': 50 }).write('x', () => response.destroy());
    else if (url === '/fits') response.writeHead(200).end('x'.repeat(100));
    else response.writeHead(Number(url?.slice(1))).end('no');
  });
  const options = { origins: [origin], signal: SIGNAL, maxBytes: 100 };
  const expected = {
    told: EFBIG,
    untold: EFBIG,
    packed: EIO,
    cut: EIO,
    404: ENOENT,
    410: ENOENT,
    403: EACCES,
    429: EAGAIN,
  };
  for (const [path, errno] of Object.entries(expected))
    await assert.rejects(fetchAddress(`${origin}/${path}`, options), { errno }, path);
  assert.equal((await fetchAddress(`${origin}/fits`, options)).length, 100);
  await assert.rejects(fetchAddress(`${origin}/hang`, { ...options, timeoutMs: 50 }), { errno: ETIMEDOUT });
});

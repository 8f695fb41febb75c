/** The review page lets nobody in but the window that its address was given to: nothing is read, nothing is done. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import type { PlanReply } from '../../src/page/protocol.ts';
import { self } from '../support/accounts.ts';
import { session } from '../support/session.ts';
import { type Page, type Sent, withPage } from './page.ts';

/** Sends bytes as they are; what comes back until the server hangs up. */
function raw(page: Page, bytes: string): Promise<string> {
  const { hostname, port } = new URL(page.origin);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (piece) => {
      text += piece.toString();
      if (/\r\n\r\n.*\}$/s.test(text)) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

test('nobody without the pass, from another origin or under another name reads or does anything', async (t) => {
  const s = await session(t, { account: self });
  await s.sh('echo secret > new.txt');
  await withPage(s, async (page) => {
    const statusOf = async (path: string, sent?: Sent): Promise<number> => (await page.send(path, sent)).status;
    assert.equal(await statusOf('/api/review'), 401);
    assert.equal((await page.login('guess')).status, 403);
    assert.equal((await page.login()).status, 200);
    assert.equal((await page.login()).status, 403, 'the token works once');
    const { cookie, key, origin } = page;
    const host = origin.replace('http://', '');
    const id = await page.idOf('/new.txt');
    const reads = [
      '/api/review',
      `/api/file?id=${id}`,
      '/api/timeline',
      '/api/sessions',
      `/api/content?id=${id}&side=new&key=${key}`,
      `/api/stream?key=${key}`,
    ];
    const wrong: Record<string, Sent['headers']> = {
      'no cookie': { 'x-yolofs-key': key },
      'no key, as a server at another port would have it': { cookie },
      'a guessed cookie': { cookie: `${cookie.split('=')[0]}=guess`, 'x-yolofs-key': key },
      'another host (rebinding)': { ...page.pass(), host: host.replace('127.0.0.1', 'evil.example') },
      localhost: { ...page.pass(), host: host.replace('127.0.0.1', 'localhost') },
      'another port': { ...page.pass(), host: '127.0.0.1:1' },
      'another origin': { ...page.pass(), origin: 'http://evil.example' },
      'origin null': { ...page.pass(), origin: 'null' },
      'another site': { ...page.pass(), 'sec-fetch-site': 'same-site' },
    };
    for (const [what, headers = {}] of Object.entries(wrong)) {
      for (const path of reads) {
        if (what.startsWith('no key') && path.includes('key=')) continue;
        const got = await page.send(path, { headers });
        assert.ok([401, 403, 421].includes(got.status), `${what}: ${path}: ${got.status}`);
        assert.ok(!got.text.includes('new.txt') && !got.text.includes('secret'), what);
      }
    }
    await page.decide('take', [{ id }]);
    const { hash } = await page.post<PlanReply>('/api/plan', {});
    const posting = page.posting({ hash });
    const { origin: _, ...noOrigin } = posting.headers ?? {};
    const json = { origin, 'content-type': 'application/json' };
    for (const headers of [noOrigin, ...Object.values(wrong).map((one) => ({ ...json, ...one }))]) {
      const status = await statusOf('/api/commit', { ...posting, headers });
      assert.ok([401, 403, 421].includes(status), `${JSON.stringify(headers)}: ${status}`);
    }
    assert.deepEqual(await s.changeLines(), ['added new.txt']);
  });
});

test('a request that makes no sense is refused, and nothing is read or done', async (t) => {
  const s = await session(t, { account: self });
  await s.sh('echo secret > new.txt');
  writeFileSync(join(s.root, 'outside.txt'), 'secret');
  await withPage(s, async (page) => {
    await page.login();
    const { origin } = page;
    const headers = { origin, 'content-type': 'application/json', ...page.pass() };
    const post = async (body: string, path = '/api/decide'): Promise<number> =>
      (await page.send(path, { method: 'POST', headers, body })).status;
    const version = 1_000_000;
    const bodies = [
      ...[
        '',
        '{',
        '[]',
        'null',
        '"x"',
        '{"version":-1,"targets":[],"decision":"take"}',
        '{"version":1,"targets":{},"decision":"take"}',
      ],
      JSON.stringify({ version, targets: [{ id: 1 }], decision: 'take' }),
      JSON.stringify({ version, targets: [{ group: '__proto__' }], decision: 'take' }),
      JSON.stringify({ version, targets: [null], decision: 'take' }),
      JSON.stringify({ version, targets: [{ group: 'project' }], decision: 'commit' }),
    ];
    for (const body of bodies) assert.equal(await post(body), 400, body);
    assert.equal(await post('{"hash":1}', '/api/commit'), 400);
    assert.equal(await post('{"hash":"0"}', '/api/commit'), 409);
    assert.equal(
      (
        await page.send('/api/decide', {
          method: 'POST',
          headers: { ...headers, 'content-type': 'text/plain' },
          body: '{}',
        })
      ).status,
      415,
    );
    const large = `POST /api/decide HTTP/1.1\r\nHost: ${origin.slice(7)}\r\nOrigin: ${origin}\r\nCookie: ${page.cookie}\r\nX-Yolofs-Key: ${page.key}\r\nContent-Type: application/json\r\nContent-Length: 999999999\r\n\r\n`;
    assert.match(await raw(page, large), /^HTTP\/1\.1 413 /);
    assert.match(
      await raw(page, `GET / HTTP/1.1\r\nHost: ${origin.slice(7)}\r\nHost: ${origin.slice(7)}\r\n\r\n`),
      /^HTTP\/1\.1 4\d\d /,
    );
    assert.match(
      await raw(page, `GET ${origin}/api/review HTTP/1.1\r\nHost: ${origin.slice(7)}\r\n\r\n`),
      /^HTTP\/1\.1 4\d\d /,
    );
    const odd = ['../../../etc/passwd', '%2e%2e%2foutside.txt', '<script>', '\u0000', '__proto__', 'constructor', ''];
    for (const id of odd) {
      for (const path of ['file', 'audit', 'content'].map(
        (name) => `/api/${name}?side=new&id=${encodeURIComponent(id)}`,
      )) {
        const got = await page.send(path, { headers: page.pass() });
        assert.ok(
          got.status >= 400 && got.status < 500 && !got.text.includes('secret'),
          `${path}: ${got.status} ${got.text}`,
        );
      }
    }
    for (const path of [
      '/../outside.txt',
      '/..%2foutside.txt',
      '//etc/passwd',
      '/constructor',
      '/api/constructor',
      '/app.js/../../../outside.txt',
    ]) {
      const got = await page.send(path, { headers: page.pass() });
      assert.ok([400, 404].includes(got.status) && !got.text.includes('secret'), `${path}: ${got.status}`);
    }
    for (const method of ['PUT', 'DELETE', 'HEAD', 'OPTIONS'])
      assert.equal((await page.send('/api/review', { method, headers })).status, 405);
    assert.deepEqual(await s.changeLines(), ['added new.txt']);
  });
});

test('every answer forbids what a browser could do with it, and a name full of markup is data', async (t) => {
  const s = await session(t, { account: self });
  const name = '<img src=x onerror=alert(1)>\u001b[31m\n";--';
  await s.sh(
    'echo "<script>alert(1)</script>" > "$NAME"; printf "\\211PNG\\r\\n\\032\\n-" > a.png; echo "<svg onload=alert(1)>" > b.svg; echo "<b>" > c.png',
    { env: { NAME: name } },
  );
  await withPage(s, async (page) => {
    await page.login();
    const { entries } = await page.review();
    const odd = entries.find(({ path }) => path.includes('<img'));
    assert.match(odd?.path ?? '', /<img src=x onerror=alert\(1\)>\\x1b\[31m\\x0a";--$/);
    for (const path of ['/', '/api/review', `/api/file?id=${odd?.id}`, '/api/nothing']) {
      const { headers } = await page.send(path, { headers: page.pass() });
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/);
      assert.ok(!policy.includes('unsafe-eval') && !/script-src[^;]*unsafe/.test(policy));
      assert.deepEqual(
        [
          headers['x-content-type-options'],
          headers['cache-control'],
          headers['referrer-policy'],
          headers['access-control-allow-origin'],
        ],
        ['nosniff', 'no-store', 'no-referrer', undefined],
      );
    }
    const typeOf = async (end: string): Promise<(string | undefined)[]> => {
      const { headers } = await page.send(`/api/content?id=${await page.idOf(end)}&side=new`, { headers: page.pass() });
      return [headers['content-type'], String(headers['content-security-policy']).includes('sandbox') ? 'sandbox' : ''];
    };
    assert.deepEqual(await typeOf('/a.png'), ['image/png', 'sandbox']);
    assert.deepEqual(await typeOf('/b.svg'), ['text/plain; charset=utf-8', 'sandbox']);
    assert.deepEqual(await typeOf('/c.png'), ['text/plain; charset=utf-8', 'sandbox']);
  });
});

test('from inside the view the server can be reached, and nothing there tells what lets one in', async (t) => {
  const s = await session(t, { account: self });
  await s.sh('echo secret > new.txt');
  await withPage(s, async (page) => {
    const leading = join(s.layout.entry, 'review-1.html');
    writeFileSync(leading, `url=${page.origin}/#${page.token}`, { mode: 0o600 });
    const said = await s.program('page/inside-main.js', [new URL(page.origin).port, s.layout.entry]);
    rmSync(leading);
    const { statuses, readable } = JSON.parse(said) as { statuses: number[]; readable: string[] };
    assert.deepEqual(statuses, [401, 403, 401, 401]);
    assert.ok(readable.length > 0);
    assert.ok(!readable.some((text) => text.includes(page.token)));
    assert.equal((await page.login()).status, 200);
    assert.deepEqual(await s.changeLines(), ['added new.txt']);
  });
});

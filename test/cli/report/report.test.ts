/** A bug report says what is needed to mend a defect, and nothing of whose files they are or what is in them. */
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { logFrames } from '../../../src/cli/report/log-frames.ts';
import { maskHome, maskNames } from '../../../src/cli/report/mask.ts';
import { assertRefused } from '../../support/refusal.ts';
import { session } from '../../support/session.ts';

interface Report {
  readonly host: { readonly variablesSet: readonly string[] };
  readonly checks: readonly { readonly name: string; readonly ok: boolean }[];
  readonly session: {
    readonly records: Readonly<Record<string, number>>;
    readonly daemon: { readonly stats: { readonly stats: { readonly requests: readonly object[] } } };
    readonly log: readonly string[];
  };
}

test('doctor --report tells the state of host, session and daemon, without contents, values and names', async (t) => {
  const s = await session(t);
  await s.sh('mkdir merger-plans; echo 4711-CONTENT > merger-plans/acme.txt; rm hello.txt');
  const file = join(s.root, 'report.json');
  const env = { TMPDIR: s.root, YOLOFS_TRACE: '4711-VALUE' };
  const { code, stderr, stdout } = await s.cli(['doctor', '--report', file], { env });
  assert.equal(code, 0, stdout + stderr);
  assert.match(stderr, /^wrote \S+: read it before you send it$/m);
  const text = readFileSync(file, 'utf8');
  for (const secret of ['4711', 'merger', 'acme', 'hello', basename(s.root), basename(s.layout.store), s.home])
    assert.ok(!text.includes(secret), `${secret} in ${text}`);
  const report = JSON.parse(text) as Report;
  assert.ok(report.checks.some(({ name, ok }) => name === 'kernel' && ok));
  assert.ok(report.host.variablesSet.includes('YOLOFS_TRACE'));
  assert.deepEqual([report.session.records.D, (report.session.records.S ?? 0) > 0], [1, true]);
  assert.ok(report.session.daemon.stats.stats.requests.length > 0);
  assert.equal(statSync(file).mode & 0o777, 0o600);

  writeFileSync(file, 'mine');
  assertRefused(await s.cli(['doctor', '--report', file]), /report\.json is there already: nothing was written/);
  assert.equal(readFileSync(file, 'utf8'), 'mine');
});

test('maskNames() hashes what is not the same everywhere, one name always alike; maskHome() shows names', () => {
  const mask = maskNames('/home/ann', 'salt');
  const masked = mask('/home/ann/secret/a and /opt/secret, http://u:p@host/x');
  const [, name] =
    /^~\/(<[0-9a-f]{8}>)\/<[0-9a-f]{8}> and \/opt\/(<[0-9a-f]{8}>), http:\/\/<[0-9a-f]{8}>/.exec(masked) ?? [];
  assert.ok(name !== undefined && masked.includes(`/opt/${name}`), masked);
  assert.notEqual(maskNames('/home/ann', 'other')('/secret'), mask('/secret'));
  const home = maskHome('/home/ann');
  assert.equal(home('/home/ann/a: /home/annika, //ann:pw@host'), '~/a: /home/annika, //…@host');
  assert.equal(home(`.yolofs/${'0a'.repeat(16)}/journal`), '.yolofs/…/journal');
});

test('logFrames() keeps times, errors and our own places of a log, and no word of it', () => {
  const log = `2026-11-23T10:00:00.000Z cannot open /home/ann/secret.txt: ENOENT
  TypeError: secret is not a function
      at Overlay.lookup (file:///home/ann/lib/yolofs/dist/src/daemon/main.js:10:5)
`;
  assert.deepEqual(logFrames(log, 10), [
    '2026-11-23T10:00:00.000Z ENOENT (65 characters)',
    'TypeError (37 characters)',
    'at Overlay.lookup (src/daemon/main.js:10:5) (82 characters)',
  ]);
});

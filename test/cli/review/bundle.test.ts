/** A bundle shows elsewhere what is staged, and has no secrets; what somebody has made that is none is refused in one line. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { unpackBundle } from '../../../src/review/export/bundle.ts';
import { UserError } from '../../../src/sys/user-error.ts';
import { self } from '../../support/accounts.ts';
import { exec } from '../../support/exec.ts';
import { MAIN, session } from '../../support/session.ts';

test('export --bundle writes what review shows elsewhere, without what rules deny and without secrets', async (t) => {
  const s = await session(t, { account: self });
  const key = '-----BEGIN OPENSSH PRIVATE KEY-----';
  await s.sh(
    `echo 'edited \x1b[2J' >> hello.txt; echo API_KEY=hush1 > .env; echo password=hush2 > prod.tfvars; echo '${key} hush3' > notes.txt`,
  );
  await s.sh(
    'printf "{}" > package.json; echo token=hush4 > secret.p12; printf "{\\"scripts\\":{\\"postinstall\\":\\"x\\"}}" > package.json',
  );
  await s.sh(
    'mkdir conf; echo "{"password": "hush5"}" > conf/credentials.json; echo "//r/:_authToken=hush6" > conf/.npmrc; ' +
      'echo \'const key = "sk-ant-hush7-0123456789abcdef";\' > client.js',
  );
  const file = join(s.root, 'work.bundle');
  const { code, stderr } = await s.cli(['export', '--bundle', file]);
  assert.equal(code, 0, stderr);
  assert.match(
    stderr,
    /work\.bundle has 2 files; 7 files left out: rules keep them from being read, or they hold a secret\n$/,
  );
  assert.equal(/hush|\.env|tfvars/.test(gunzipSync(readFileSync(file)).toString()), false);
  assert.equal((await s.cli(['export', '--bundle', file])).code, 1, 'nothing is written over');
  // Elsewhere: no session, no project.
  const elsewhere = join(s.root, 'elsewhere');
  mkdirSync(elsewhere);
  const shown = await exec([process.execPath, MAIN, 'review', file], { cwd: elsewhere, env: { HOME: elsewhere } });
  assert.equal(shown.code, 0, shown.stderr);
  assert.match(shown.stdout, /^project: 2 files, as staged at \S+\n7 files left out/);
  assert.match(shown.stdout, /Look at this first \(1\)\n {2}package\.json {2}package managers run scripts of it/);
  assert.match(shown.stdout, /\n\+edited \^\[\[2J\n/);
});

test('what is no bundle, or a hostile one, is refused', () => {
  const file = { path: 'a', change: 'added', lines: ['+a'] };
  const good = { yolofsBundle: 1, project: 'p', made: 'now', omitted: 0, notices: [], files: [file] };
  const packed = (value: unknown): Buffer => gzipSync(JSON.stringify(value));
  assert.deepEqual(unpackBundle(packed(good)).files, [file]);
  const bad: readonly unknown[] = [
    ...[null, [], 'x', {}, { ...good, yolofsBundle: 2 }, { ...good, project: 'a\nb' }, { ...good, omitted: 'x' }],
    ...['../a', '/etc/passwd', 'a/../../b', '', 'a//b', './a', 'a\x1b[2J'].map((path) => ({
      ...good,
      files: [{ ...file, path }],
    })),
    ...[{ change: 'run' }, { lines: 'x' }, { lines: [1] }, { lines: ['a\nb'] }].map((one) => ({
      ...good,
      files: [{ ...file, ...one }],
    })),
    { ...good, notices: [{ path: '..', why: 'x' }] },
    { ...good, files: { length: 1 } },
  ];
  for (const one of bad) assert.throws(() => unpackBundle(packed(one)), UserError, JSON.stringify(one));
  const whole = packed(good);
  const bomb = gzipSync(Buffer.alloc(129 << 20, 0x20));
  for (const bytes of [Buffer.alloc(0), Buffer.from('{}'), whole.subarray(0, -9), gzipSync('{"yolofsBundle":'), bomb])
    assert.throws(() => unpackBundle(bytes), UserError);
});

test('review of a file that is not there, or is no bundle, is one line', async (t) => {
  const s = await session(t, { account: self });
  writeFileSync(join(s.root, 'x.bundle'), 'no');
  for (const name of ['x.bundle', 'none.bundle', 'project']) {
    const { code, stdout, stderr } = await s.cli(['review', join(s.root, name)]);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^yolofs: review: [^\n]+\n(?:hint: [^\n]+\n)?$/);
  }
});

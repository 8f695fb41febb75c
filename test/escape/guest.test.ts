/** `yolofs` inside the view: what changes the real files, the rules or the session is decided where an agent is not. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accounts } from '../support/accounts.ts';
import { SLOWNESS } from '../support/exec.ts';
import { MAIN } from '../support/session.ts';
import { type Attempts, cage, hostFile, SECRET, through } from './attempts.ts';

const REFUSED = [
  'commit --yes',
  'commit --yes --reviewed 1',
  'abort --yes',
  'undo',
  'rule set hello.txt allow',
  'rule unset hello.txt',
  'rule list',
  'watch',
  'stop',
  'gc',
  'du',
  'init .',
  'shell',
  'run -- true',
  'status --session /',
  'status --session=/',
  'diff -- --session=/',
  'log --sess=/',
  'diff --output=/var/tmp/yolofs-escaped',
  'diff --output /var/tmp/yolofs-escaped',
  'commit-request please',
  'travel --session=/ 0',
];

/** Requests to the socket as a program may make them. */
const BY_HAND: readonly string[] = [
  '{"op":"commit","dryRun":false}',
  '{"op":"stop"}',
  '{"op":"hello"}',
  '{"words":["commit","--yes"],"cwd":"/"}',
  '{"words":["--session","/","commit"],"cwd":"/"}',
  '{"words":["status","--session","/tmp"],"cwd":"/"}',
  '{"words":["rule","set","/","allow"],"cwd":"/"}',
  '{"words":["watch"],"cwd":"/"}',
  '{"words":"commit","cwd":"/"}',
  '{"words":["constructor"],"cwd":"/"}',
  '{"words":["status","a\\u0000b"],"cwd":"/"}',
  '{"words":["status"],"cwd":"/\\u0000"}',
  `{"words":["diff","--","${'x'.repeat(70_000)}"],"cwd":"/"}`,
  `{"words":["snapshot","--","${'n'.repeat(5000)}"],"cwd":"/"}`,
  '{"op":"decide","id":1,"commit":true,"reviewed":1}',
  '{"decide":1,"commit":true}',
  '{"commitRequest":""}',
  '{"commitRequest":"please","words":["commit","--yes"],"cwd":"/"}',
  `{"commitRequest":"${'m'.repeat(3000)}"}`,
  'commit',
];

/** Sends a line and shows what comes; succeeds when the end is `exit 0`. */
const ASK = `const s = require('net').connect('/dev/yolofs'); let text = '';
s.on('data', (d) => { text += d; }).on('close', () => process.exit(/"exit":0|"ok"/.test(text) ? 0 : 1)); s.write(process.argv[1] + '\\n');`;

for (const account of accounts()) {
  test(`yolofs inside commits nothing and changes no rule, as ${account.title}`, {
    timeout: 120_000 * SLOWNESS,
  }, async (t) => {
    const made = await cage(t, { account, config: '[rules]\n"hello.txt" = "deny"\n' });
    if (made === undefined) return;
    const { s } = made;
    const rules = readFileSync(join(s.project, '.yolofs.toml'), 'utf8');
    const commands: Attempts = Object.fromEntries(
      REFUSED.map((line) => [line, `'${process.execPath}' '${MAIN}' ${line}`]),
    );
    const byHand = Object.fromEntries(BY_HAND.map((line) => [line, `'${process.execPath}' -e "$ASK" '${line}'`]));
    const asking = { ...made, env: { ...made.env, ASK } };
    assert.deepEqual(await through(asking, 'view', { attempts: { ...commands, ...byHand } }), []);
    assert.equal(hostFile(made), `${SECRET}\n`);
    assert.equal(readFileSync(join(s.project, '.yolofs.toml'), 'utf8'), rules);
    for (const path of ['/var/tmp/yolofs-escaped', join(s.layout.entry, 'requests.json')]) {
      assert.ok(!existsSync(path), path);
    }
    const allowed = { status: `'${process.execPath}' -e "$ASK" '{"words":["status"],"cwd":"/"}'` };
    assert.equal((await through(asking, 'view', { attempts: allowed })).length, 1, 'the probe works');
    const [rule] = JSON.parse(await s.succeed(['rule', 'list', '--json'])) as { state: string }[];
    assert.ok(rule !== undefined);
    assert.match(await s.succeed(['status']), /secret/);
  });
}

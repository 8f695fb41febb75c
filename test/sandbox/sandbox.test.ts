/** The parts of the sandbox that need no namespaces. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { cageOf } from '../../src/sandbox/cage.ts';
import { enterArgv, viewEnvironment } from '../../src/sandbox/enter.ts';
import { escapeMountPoint } from '../../src/sandbox/holder/holder-launch.ts';
import { Reports } from '../../src/sandbox/holder/reports.ts';
import { identityMap } from '../../src/sandbox/id-maps.ts';
import { probeHost, probeKernel } from '../../src/sandbox/probe.ts';
import { ALL_PROTECTED } from '../../src/sandbox/protections.ts';

test('identityMap() maps every range to itself', () => {
  assert.equal(identityMap('         0          0 4294967295\n'), '0 0 4294967295\n');
  assert.equal(identityMap('0 1000 1\n1 100000 65536\n'), '0 0 1\n1 1 65536\n');
});

test('escapeMountPoint() writes paths as the kernel does', () => {
  assert.equal(escapeMountPoint('/a b/c\td\\e#f'), '/a\\040b/c\\011d\\134e#f');
});

const CAGE = cageOf(true, {
  without: ALL_PROTECTED,
  ownNetwork: false,
  abstractSockets: false,
  ioUring: false,
  incomplete: false,
  limits: [],
  hiddenVariables: ['HIDDEN'],
  passedVariables: ['MY_TOKEN'],
});
const VIEW = { cage: { ...CAGE, perl: undefined }, project: '/tmp/p' };

test('enterArgv() keeps every word as it is', () => {
  const argv = enterArgv({ holder: 12, anchor: 34, cage: CAGE }, '/a b', ['/bin/echo', '$x', '']);
  assert.deepEqual(argv.slice(-5), ['--', '/a b', '/bin/echo', '$x', '']);
  assert.ok(argv.includes('holder=12') && argv.includes('anchor=34') && argv.includes('nnp=1'));
});

test('enterArgv() without Perl enters with what util-linux can do', () => {
  const argv = enterArgv({ holder: 12, anchor: 34, cage: { ...CAGE, perl: undefined } }, '/a b', ['echo', '$x', '']);
  assert.deepEqual(argv.slice(-5), ['sh', '/a b', 'echo', '$x', '']);
  assert.ok(argv.includes('--no-new-privs'));
  assert.ok(argv.includes('--user=/proc/34/ns/user'));
  assert.equal(argv[argv.indexOf('--target') + 1], '12');
});

test('viewEnvironment() hides the session and what the cage hides, and says where the command is', () => {
  const secrets = { X_SECRET: 's', MY_TOKEN: 't', API_KEY: 'k' };
  const caller = { A: 'b', HIDDEN: 's', ...secrets, YOLOFS_SESSION: '/p' };
  assert.deepEqual(viewEnvironment(caller, VIEW, ['API_*']), {
    env: { A: 'b', MY_TOKEN: 't', API_KEY: 'k', FAKEROOTDONTTRYCHOWN: '1', YOLOFS_VIEW: '1' },
    withheld: ['HIDDEN', 'X_SECRET'],
  });
  assert.deepEqual(viewEnvironment(caller, VIEW, ['HID*', 'X_SECRET']).withheld, ['API_KEY']);
});

test('viewEnvironment() hides directories of the host for temporary files, but not those of the project', () => {
  const withheld = (caller: Record<string, string>, needs: readonly string[] = []): readonly string[] =>
    viewEnvironment(caller, VIEW, needs).withheld;
  for (const path of ['/tmp/user/7', '/tmp//a', '/var/tmp', '/var/tmp/a', '/run/user/7'])
    assert.deepEqual(withheld({ TMPDIR: path, TEMP: path, OTHER: path }), ['TMPDIR', 'TEMP'], path);
  for (const path of ['', '/tmp', '/tmp/', '/tmp/p', '/tmp/p/a', '/scratch/a', '/tmpfs/a'])
    assert.deepEqual(withheld({ TMPDIR: path }), [], path);
  assert.deepEqual(withheld({ TMPDIR: '/tmp/a' }, ['TMPDIR']), []);
});

test('probeKernel() compares versions as numbers', () => {
  const isOk = (version: string): boolean => probeKernel(version).ok;
  assert.deepEqual(['5.4.0', '5.10.0-21', '5.11.0', '5.9', '6.1', '10.0'].map(isOk), [
    false,
    false,
    true,
    false,
    true,
    true,
  ]);
});

test('probeHost() says of everything that is missing how to get it', () => {
  const probes = probeHost();
  assert.ok(probes.length >= 6);
  for (const { name, ok, found, hint } of probes) {
    assert.ok(found.length > 0, name);
    assert.equal(hint === undefined, ok, name);
  }
});

/** What `script` reports until it ends. */
function reportsOf(script: string): Reports {
  return new Reports(spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'pipe', 'pipe'] }), 2000);
}

test('Reports tells what the holder reports, in whatever order it is asked', async () => {
  const reports = reportsOf('echo anchor 5; echo noise; echo "fuse 7"; echo ready 9; sleep 0.1');
  assert.equal(await reports.next('ready'), 9);
  assert.equal(await reports.next('anchor'), 5);
  assert.equal(await reports.next('fuse'), 7);
  await reports.gone;
});

test('Reports gives the first line of an error, with a hint where there is one', async () => {
  await assert.rejects(reportsOf('echo anchor 5; printf "error /sys: no\\nmore\\n"; sleep 5').next('fuse'), {
    message: 'cannot make the view: /sys: no',
    hint: undefined,
  });
  await assert.rejects(reportsOf('echo "error /dev/fuse: Permission denied"').next('fuse'), { hint: /chmod/ });
  await assert.rejects(reportsOf('echo "unshare failed: no" >&2').next('fuse'), {
    message: 'cannot make the view: user namespace: unshare failed: no',
    hint: /namespaces/,
  });
  await assert.rejects(reportsOf('echo anchor 5; exit 3').next('fuse'), { message: /holds the view ended/ });
});

test('Reports gives up on a holder that says nothing', async () => {
  const silent = spawn('sleep', ['30'], { stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
  const reports = new Reports(silent, 100);
  await assert.rejects(reports.next('fuse'), { message: /no answer within/ });
  await reports.gone;
});

/** `fromMountText()` against what the kernel itself writes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fromMountText } from '../../src/sys/files/mount-text.ts';

test('fromMountText() gives a path back whatever blanks, tabs, newlines and backslashes are in it', () => {
  assert.equal(fromMountText('/mnt/a\\040b\\011c\\012d\\134e\\043f'), '/mnt/a b\tc\nd\\e#f');
  assert.equal(fromMountText('/plain\\9'), '/plain\\9');
});

test('fromMountText() reads the mount points that this kernel writes', (t) => {
  const dir = mkdtempSync('/var/tmp/yolofs-mount-text-');
  t.after(() => rmSync(dir, { recursive: true }));
  const point = join(dir, ' a\tb\nc\\040d#\u00e9 ');
  mkdirSync(point);
  const script = 'mount -t tmpfs none "$1" && cat /proc/self/mountinfo';
  const { status, stdout, stderr } = spawnSync('unshare', ['-Urm', 'sh', '-c', script, 'sh', point]);
  assert.equal(status, 0, stderr.toString());
  const points = stdout
    .toString('latin1')
    .split('\n')
    .map((line) => fromMountText(line.split(' ')[4] ?? ''));
  assert.ok(points.includes(Buffer.from(point).toString('latin1')), points.at(-2));
});

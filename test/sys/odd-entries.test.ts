import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { oddEntries, removeOddEntries } from '../../src/sys/files/odd-entries.ts';

test('removeOddEntries() removes links and special files at any depth, and follows none', (t) => {
  const root = mkdtempSync('/var/tmp/yolofs-test-');
  t.after(() => rmSync(root, { recursive: true }));
  const [dir, outside] = [join(root, 'dir'), join(root, 'outside')];
  mkdirSync(join(dir, 'a/b'), { recursive: true });
  mkdirSync(outside);
  symlinkSync('/etc/passwd', join(outside, 'kept'));
  writeFileSync(join(dir, 'a/file'), 'x');
  symlinkSync(outside, join(dir, 'a/out'));
  symlinkSync('/nowhere', join(dir, 'a/b/dangling'));
  execFileSync('mkfifo', [join(dir, 'pipe')]);
  const odd = ['/a/b/dangling', '/a/out', '/pipe'];
  assert.deepEqual(oddEntries(dir).sort(), odd);
  assert.deepEqual(
    removeOddEntries([dir, join(root, 'missing')]).sort(),
    odd.map((path) => `${dir}${path}`),
  );
  assert.ok(lstatSync(join(outside, 'kept')).isSymbolicLink());
  assert.ok(existsSync(join(dir, 'a/file')));
  assert.deepEqual(oddEntries(dir), []);
});

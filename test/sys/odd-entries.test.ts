import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { oddEntries, removeOddEntries } from '../../src/sys/files/odd-entries.ts';

test('removeOddEntries() removes links and special files at any depth, follows none, and leaves what is known', (t) => {
  const root = mkdtempSync('/var/tmp/yolofs-test-');
  t.after(() => rmSync(root, { recursive: true }));
  const [dir, outside] = [join(root, 'dir'), join(root, 'outside')];
  mkdirSync(join(dir, 'a/b'), { recursive: true });
  mkdirSync(outside);
  symlinkSync('/etc/passwd', join(outside, 'kept'));
  symlinkSync(outside, join(dir, 'known'));
  const known = new Set(oddEntries(dir));
  assert.deepEqual([...known], ['/known']);
  writeFileSync(join(dir, 'a/file'), 'x');
  symlinkSync(outside, join(dir, 'a/out'));
  symlinkSync('/nowhere', join(dir, 'a/b/dangling'));
  execFileSync('mkfifo', [join(dir, 'pipe')]);
  assert.deepEqual(removeOddEntries(dir, known).sort(), ['/a/b/dangling', '/a/out', '/pipe']);
  assert.ok(lstatSync(join(outside, 'kept')).isSymbolicLink());
  assert.ok(existsSync(join(dir, 'a/file')));
  assert.deepEqual(oddEntries(dir), ['/known']);
  assert.deepEqual(removeOddEntries(join(root, 'missing'), new Set()), []);
});

/** Root's copy of the holder is used only when nobody else can have changed it. */
import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyState, HOLDER_FILE } from '../../src/sandbox/installed-copy.ts';
import { readText } from '../../src/sys/files/text-files.ts';
import { isRoot } from '../support/accounts.ts';
import { leaveOut } from '../support/need.ts';

test('copyState() believes a copy that is the same and that only root can change', (t) => {
  if (!isRoot) return leaveOut(t, 'only root can make one');
  // Below a directory that only root can write.
  const dir = mkdtempSync('/root/yolofs-test-');
  t.after(() => rmSync(dir, { recursive: true }));
  const copy = join(dir, 'libexec', 'holder');
  assert.deepEqual(copyState(copy), { isFit: false, why: 'absent' });
  mkdirSync(join(dir, 'libexec'));
  copyFileSync(HOLDER_FILE, copy);
  chmodSync(copy, 0o755);
  assert.deepEqual(copyState(copy), { isFit: true, why: '' });

  chmodSync(join(dir, 'libexec'), 0o775);
  assert.match(copyState(copy).why, /^others than root may write .*\/libexec$/);
  chmodSync(join(dir, 'libexec'), 0o755);
  chmodSync(copy, 0o757);
  assert.match(copyState(copy).why, /^others than root may write .*\/holder$/);
  chmodSync(copy, 0o755);
  chownSync(dir, 12345, 0);
  assert.match(copyState(copy).why, /belongs to user 12345, not to root$/);
  chownSync(dir, 0, 0);
  symlinkSync('libexec', join(dir, 'link'));
  assert.match(copyState(join(dir, 'link', 'holder')).why, /\/link is a symbolic link$/);
  appendFileSync(copy, '#');
  assert.match(copyState(copy).why, /is another version's$/);
});

test('copyState() does not believe what lies where everybody may write', (t) => {
  const dir = mkdtempSync('/tmp/yolofs-test-');
  t.after(() => rmSync(dir, { recursive: true }));
  const copy = join(dir, 'holder');
  copyFileSync(HOLDER_FILE, copy);
  assert.equal(copyState(copy).isFit, false);
});

test('the file of the holder names its interpreter, and trusts neither the environment nor words with numbers of system calls', () => {
  const text = readText(HOLDER_FILE) ?? '';
  assert.match(text, /^#!\/usr\/bin\/perl -T\n/);
  assert.doesNotMatch(text, /^\s*(use|require) /m);
  assert.match(text, /^@INC = \(\);\n%ENV = \(\);$/m);
});

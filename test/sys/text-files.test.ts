import assert from 'node:assert/strict';
import fs from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { EEXIST, SystemError } from '../../src/sys/errno.ts';
import { makeDirectory, removeEmptyDirectory } from '../../src/sys/files/text-files.ts';
import { overtake } from './overtake.ts';

function root(t: TestContext): string {
  const dir = fs.mkdtempSync('/var/tmp/yolofs-test-');
  t.after(() => fs.rmSync(dir, { recursive: true }));
  return dir;
}

test('makeDirectory() takes the directory that somebody else makes at the same moment', (t) => {
  const dir = join(root(t), 'dir');
  overtake(t, 'mkdirSync', (path) => fs.mkdirSync(path, { mode: 0o700 }));
  makeDirectory(dir, 0o700);
  assert.ok(fs.lstatSync(dir).isDirectory());
  makeDirectory(dir, 0o700);
});

test('makeDirectory() fails where a file or a symlink is, whenever it came', (t) => {
  const [at, target] = [join(root(t), 'at'), root(t)];
  const isRefused = (error: unknown): boolean => error instanceof SystemError && error.errno === EEXIST;
  overtake(t, 'mkdirSync', (path) => fs.symlinkSync(target, path));
  assert.throws(() => makeDirectory(at, 0o700), isRefused);
  assert.throws(() => makeDirectory(at, 0o700), isRefused);
  fs.unlinkSync(at);
  fs.writeFileSync(at, 'text');
  assert.throws(() => makeDirectory(at, 0o700), isRefused);
  assert.equal(fs.readFileSync(at, 'utf8'), 'text');
});

test('removeEmptyDirectory() leaves what somebody has put something into', (t) => {
  const dir = join(root(t), 'dir');
  fs.mkdirSync(join(dir, 'below'), { recursive: true });
  removeEmptyDirectory(dir);
  assert.deepEqual(fs.readdirSync(dir), ['below']);
  removeEmptyDirectory(join(dir, 'below'));
  removeEmptyDirectory(dir);
  removeEmptyDirectory(dir);
  assert.equal(fs.existsSync(dir), false);
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ENOENT, ENOSYS, EPERM } from '../../src/sys/errno.ts';
import * as libc from '../../src/sys/libc.ts';

const VALUE = Buffer.from('x');

test('listxattrAt() names what a file has, not what its symlink leads to, on every kernel', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'yolofs-test-'));
  const fd = libc.openAt(libc.AT_FDCWD, dir, libc.O_PATH | libc.O_DIRECTORY);
  t.after(() => {
    libc.close(fd);
    rmSync(dir, { recursive: true });
  });
  writeFileSync(join(dir, 'file'), '');
  symlinkSync('file', join(dir, 'link'));
  for (const name of ['user.a', 'user.b']) assert.equal(libc.setxattrAt(fd, 'file', name, VALUE), 0);
  assertNames(fd);
  const { listxattrat } = libc.boundCalls;
  t.after(() => {
    libc.boundCalls.listxattrat = listxattrat;
  });
  // An older kernel; a container's filter that does not know the call.
  for (const errno of [ENOSYS, EPERM]) {
    libc.boundCalls.listxattrat = () => -errno;
    assertNames(fd);
  }
});

function assertNames(dirfd: number): void {
  const into = Buffer.alloc(1024);
  const namesOf = (name: string): string[] | number => {
    const length = libc.listxattrAt(dirfd, name, into);
    return length < 0 ? length : into.toString('latin1', 0, length).split('\0').filter(isUsers).sort();
  };
  assert.deepEqual(namesOf('file'), ['user.a', 'user.b']);
  assert.deepEqual(namesOf('link'), []);
  assert.equal(namesOf('gone'), -ENOENT);
  // The directory itself.
  assert.deepEqual(namesOf(''), []);
}

function isUsers(name: string): boolean {
  return name.startsWith('user.');
}

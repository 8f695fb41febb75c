/** What is known of the host before anything else: the home directory, what is too old. */
import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { homeDirectory } from '../../src/sys/host/home.ts';
import { isOldKernel, isOldLibrary, refuseOldKernel } from '../../src/sys/host/needs.ts';

test('homeDirectory() is what HOME says, else what /etc/passwd says, and never /', () => {
  assert.equal(homeDirectory({ HOME: '/home/ann' }), '/home/ann');
  assert.equal(homeDirectory({ HOME: '/home/ann//' }), '/home/ann');
  const own = userInfo().homedir;
  for (const HOME of ['', '/', '//', 'relative', undefined]) assert.equal(homeDirectory({ HOME }), own, HOME);
});

test('isOldLibrary() and isOldKernel() compare versions as numbers', () => {
  assert.deepEqual(['2.31', '2.33', '2.34', '2.4', '3.0', undefined].map(isOldLibrary), [
    true,
    true,
    false,
    true,
    false,
    false,
  ]);
  assert.deepEqual(['5.4.0', '5.10.0-21', '5.11.0', '6.1'].map(isOldKernel), [true, true, false, false]);
  assert.throws(() => refuseOldKernel('5.10.0-21'), {
    message: 'Linux 5.11 or newer is needed, and this is 5.10.0-21',
  });
});

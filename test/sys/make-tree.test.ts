import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import test from 'node:test';
import { makeTree } from '../../src/sys/files/files.ts';

const FILES = new URL('../../src/sys/files/files.js', import.meta.url).href;

test('makeTree() makes what is missing above a directory, and leaves what is there', (t) => {
  const root = fs.mkdtempSync('/var/tmp/yolofs-test-');
  t.after(() => fs.rmSync(root, { recursive: true }));
  makeTree(`${root}/a/b/c`, 0o700);
  fs.chmodSync(`${root}/a`, 0o750);
  makeTree(`${root}/a/b/c/d`, 0o700);
  makeTree(`${root}/a`, 0o700);
  assert.deepEqual(
    ['a', 'a/b', 'a/b/c/d'].map((dir) => fs.statSync(`${root}/${dir}`).mode & 0o777),
    [0o750, 0o700, 0o700],
  );
  fs.writeFileSync(`${root}/file`, '');
  fs.symlinkSync('nowhere', `${root}/link`);
  assert.throws(() => makeTree(`${root}/file`, 0o700), { code: 'EEXIST' });
  assert.throws(() => makeTree(`${root}/file/below`, 0o700), { code: 'ENOTDIR' });
  assert.throws(() => makeTree(`${root}/link/below`, 0o700), { code: 'EEXIST' });
});

test('makeTree() ends where a directory takes none and says that it is not there', () => {
  const script = `import(${JSON.stringify(FILES)}).then(({ makeTree }) => makeTree('/proc/.local/state', 0o700)).catch(({ code }) => console.log(code))`;
  const { stdout, signal } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', timeout: 20_000 });
  assert.deepEqual([stdout, signal], ['ENOENT\n', null]);
});

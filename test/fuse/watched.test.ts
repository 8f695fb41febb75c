/** A FUSE file system is changed by its server, too, of which inotify(7) does not tell. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { self } from '../support/accounts.ts';
import { withMount } from './mounted.ts';

const WATCH = new URL('../../src/staging/watch/base-watch.js', import.meta.url).href;
const SCRIPT = `import(${JSON.stringify(WATCH)}).then(({ BaseWatch }) => {
  const watch = new BaseWatch([]);
  console.log(process.argv.slice(1).map((dir) => watch.add(dir)).join(' '), watch.isShort);
  watch.close();
})`;

test('a directory of a mounted FUSE file system is not one of which every change is heard, one on a disk is', () =>
  withMount(self, {}, async (mount) => {
    const { stdout, stderr } = await mount.run([process.execPath, '-e', SCRIPT, mount.view, mount.plain, '/proc']);
    assert.deepEqual([stdout, stderr], ['false true true false\n', '']);
  }));

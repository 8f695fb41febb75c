/** Programs that wait for changes: what the host changes, and what a travel does, reaches them. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { session } from '../../support/session.ts';
import { listen, start } from './running.ts';

test('D5: travel, abort and undo are told to who watches a file, or its directory, and later edits in the view as well', async (t) => {
  const s = await session(t);
  const [dir, file] = [join(s.project, 'subdir'), join(s.project, 'subdir/deep.txt')];
  await s.sh('echo 1 >> subdir/deep.txt; echo new > subdir/new');
  const heard = await listen(t, s, [dir]);
  await s.succeed(['travel', '0']);
  await heard.until(new RegExp(`^${dir} CREATE deep.txt$`, 'm'), new RegExp(`^${dir} DELETE new$`, 'm'));
  const held = await listen(t, s, [file]);
  await s.succeed(['travel', '1']);
  await held.until(/^\S+ (?:ATTRIB|DELETE_SELF) $/m);
  await heard.until(new RegExp(`^${dir} CREATE new$`, 'm'), new RegExp(`^${dir} CREATE deep.txt$`, 'm'));
  await s.commit();
  await s.sh('echo 2 >> subdir/deep.txt');
  await heard.until(new RegExp(`^${dir} MODIFY deep.txt$`, 'm'));
  await s.abort();
  await heard.until(new RegExp(`^${dir} CREATE deep.txt$`, 'm'));
  await s.sh('echo 3 > subdir/later');
  await heard.until(new RegExp(`^${dir} CREATE later$`, 'm'));
  assert.equal(fs.readFileSync(file, 'utf8'), 'nested\n1\n');
});

test('D5: node --watch starts a program anew after each edit, on the host and in the view', async (t) => {
  const s = await session(t, {
    seed: (project) => fs.writeFileSync(join(project, 'main.js'), 'console.log("run 0")\n'),
  });
  const running = start(t, s, [process.execPath, '--watch', 'main.js']);
  await running.until(/run 0/);
  fs.writeFileSync(join(s.project, 'main.js'), 'console.log("run 1")\n');
  await running.until(/run 1/);
  await s.sh(`echo 'console.log("run 2, longer")' > main.js`);
  await running.until(/run 2, longer/);
});

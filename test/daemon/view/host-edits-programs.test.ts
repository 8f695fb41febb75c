/** Programs that wait for changes, and databases that are open: what the host changes, and what a travel does, reaches them. */
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
  // It watches what its program has loaded.
  await running.until(/run 0/, /Completed running/);
  fs.writeFileSync(join(s.project, 'main.js'), 'console.log("run 1")\n');
  await running.until(/run 1/, /Completed running/);
  await s.sh(`echo 'console.log("run 2, longer")' > main.js`);
  await running.until(/run 2, longer/);
});

/**
 * Reads only when it is told to, as the host's locks are not seen in the view; then until there is something else. Until the kernel's size has
 * followed, some milliseconds, the new first page may stand over the old size (staging/watch/README.md): SQLite calls that malformed.
 */
const READER = `
import os, sqlite3, sys, time
c = sqlite3.connect(sys.argv[1], isolation_level=None)
turn, seen = 0, None
while True:
    try: rows = c.execute('select count(*), coalesce(sum(length(text)), 0) from t').fetchone()
    except sqlite3.DatabaseError as e:
        if 'malformed' not in str(e): raise
        rows = seen
    if rows == seen:
        time.sleep(0.01)
        continue
    print('turn', turn, *rows, flush=True)
    turn, seen = turn + 1, rows
    while not os.path.exists('turn-%d' % turn): time.sleep(0.01)
`;

test('D5: who has a database of the host open in the view sees the rows that the host adds', async (t) => {
  const s = await session(t);
  const database = join(s.root, 'data.db');
  const sql = (text: string) =>
    s.native([
      'python3',
      '-c',
      `import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2])`,
      database,
      text,
    ]);
  assert.equal((await sql('create table t (text text)')).code, 0);
  const reader = start(t, s, ['python3', '-c', READER, database]);
  await reader.until(/^turn 0 0 0$/m);
  const turns = [
    [`insert into t values (printf('%0100d', 1))`, '1 100'],
    [`insert into t values (printf('%050000d', 1))`, '2 50100'],
    ['delete from t where length(text) = 100; vacuum', '1 50000'],
    ['delete from t; vacuum', '0 0'],
  ] as const;
  for (const [i, [statements, expected]] of turns.entries()) {
    const done = await sql(statements);
    assert.equal(done.code, 0, done.stderr);
    fs.writeFileSync(join(s.project, `turn-${i + 1}`), '');
    await reader.until(new RegExp(`^turn ${i + 1} ${expected}$`, 'm'));
  }
  assert.deepEqual(await s.changes(), []);
});

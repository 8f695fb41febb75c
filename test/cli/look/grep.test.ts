/** `yolofs grep` searches what the view shows, from outside and from inside, and is held by the rules as any program. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MAIN, session } from '../../support/session.ts';

const INSIDE = `${process.execPath} ${MAIN} grep`;

test('what is staged is found, from outside, from inside, and through stdin', async (t) => {
  const s = await session(t, { seed: (project) => writeFileSync(join(project, 'old.txt'), 'a needle\nhay\n') });
  await s.sh('echo "new needle" > new.txt; rm -f old.txt; echo hay > old.txt');
  assert.equal(await s.succeed(['grep', '-n', 'needle', 'new.txt', 'old.txt']), 'new.txt:1:new needle\n');
  assert.equal(await s.sh(`${INSIDE} -n needle new.txt old.txt`), 'new.txt:1:new needle\n');
  assert.equal(await s.sh(`echo 'b needle' | ${INSIDE} -o 'n.*'`), 'needle\n');
  assert.equal(await s.succeed(['grep', '-rl', '--include=*.txt', 'needle']), 'new.txt\n');
  const nothing = await s.cli(['grep', '--', '-x', 'new.txt']);
  assert.deepEqual([nothing.code, nothing.stdout], [1, '']);
  const missing = await s.cli(['grep', '--stat', 'needle', 'missing', 'new.txt']);
  assert.equal(missing.code, 2);
  assert.equal(missing.stdout, 'new.txt:new needle\n');
  assert.match(missing.stderr, /^grep: missing: No such file or directory\ngrep: 1 files, 1 read, 1 matched\n/);
});

test('what the rules keep from being read is not searched', async (t) => {
  const s = await session(t, {
    config: '[rules]\n"secret" = "deny"\n',
    seed: (project) => {
      mkdirSync(join(project, 'secret'));
      writeFileSync(join(project, 'secret', 'key'), 'needle\n');
      writeFileSync(join(project, 'open.txt'), 'needle\n');
    },
  });
  const found = await s.cli(['grep', '-r', 'needle', '.']);
  assert.equal(found.stdout, './open.txt:needle\n');
  assert.match(found.stderr, /^grep: \.\/secret.*: Permission denied$/m);
  assert.equal(found.code, 2);
});

/** A rule holds for a file under all its names, and no move takes anything out of it. */
import assert from 'node:assert/strict';
import { linkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accounts, self } from '../../support/accounts.ts';
import { session } from '../../support/session.ts';
import { outcomeLines, type Probe, rulesText, seedFiles } from '../gated.ts';

/** `read a: ok` as the probe it is about. */
function probeOf(line: string): Probe {
  return line.replace(/: \w+$/, '').split(' ') as unknown as Probe;
}

for (const account of accounts()) {
  test(`names that a file has, gets or loses make no difference, for ${account.title}`, async (t) => {
    const s = await session(t, {
      account,
      seed: (project) => {
        seedFiles(project, [
          'd/a',
          'd/sub/b',
          'one',
          'h/x',
          'open/y',
          'ro/r',
          'aw/w',
          'tree/inner/secret',
          'tree/other',
          'token',
        ]);
        seedFiles(project, ['app/key.pem', 'app/conf/prod/pw', 'other/']);
        linkSync(join(project, 'd/a'), join(project, 'twin-of-a'));
        linkSync(join(project, 'd/sub/b'), join(project, 'twin-of-b'));
        linkSync(join(project, 'one'), join(project, 'twin-of-one'));
        linkSync(join(project, 'h/x'), join(project, 'twin-of-x'));
        linkSync(join(project, 'open/y'), join(project, 'twin-of-y'));
        symlinkSync('d', join(project, 'to-d'));
        symlinkSync('d/a', join(project, 'to-a'));
      },
      config: rulesText({
        ...{ d: 'deny', one: 'deny', h: 'hidden', ro: 'read-only', aw: 'ask-write' },
        ...{ 'tree/inner/secret': 'deny', '**/token': 'deny', '**/*.pem': 'deny', 'app/**/prod/pw': 'deny' },
      }),
    });
    const lines = [
      ...['read d/a: EACCES', 'read twin-of-a: EACCES', 'read twin-of-b: EACCES', 'read twin-of-one: EACCES'],
      ...['read twin-of-y: ok', 'read to-d/a: EACCES', 'read to-a: EACCES', 'read twin-of-x: ENOENT', 'stat d/a: ok'],
      // A further name, or another one.
      ...['link d/a new1: EACCES', 'link twin-of-one new2: EACCES', 'link ro/r new3: EACCES', 'link aw/w new4: EACCES'],
      ...['link open/y new5: ok', 'link h/x new6: ENOENT', 'rename d/a new7: EACCES', 'rename open/y d/y: EACCES'],
      ...[
        'rename one new8: EACCES',
        'rename twin-of-one new9: EACCES',
        'rename token new10: EACCES',
        'link token new11: EACCES',
      ],
      // Directories with stricter rules below them, by path and by glob.
      ...['rename tree/inner moved: EACCES', 'rename tree moved: EACCES', 'rename app/conf moved: EACCES'],
      ...['rename app/conf/prod app/conf/test: EACCES', 'rename app/conf app/settings: ok', 'rename d moved: EACCES'],
      ...['read app/settings/prod/pw: EACCES', 'read app/key.pem: EACCES', 'rename app/key.pem app/key.txt: EACCES'],
      // Names that are not there yet.
      ...['create app/new.pem: EACCES', 'create x.pem: EACCES', 'rename other x.pem: EACCES', 'mkdir token2: ok'],
      ...['create h: ENOENT', 'mkdir h: ENOENT', 'create h/z: ENOENT', 'rename other h: ENOENT', 'symlink h: ENOENT'],
      ...['rename other other2: ok', 'read tree/other: ok', 'unlink token: EACCES', 'rmdir token2: ok'],
    ];
    assert.deepEqual(await outcomeLines(s, lines.map(probeOf)), lines);
  });
}

test('a glob that comes later holds for all names that a file has got before', async (t) => {
  const s = await session(t, { account: self, seed: (project) => seedFiles(project, ['a.pem', 'b.pem']) });
  await s.sh(
    'ln a.pem a.txt; ln b.pem c.txt; mv b.pem d.txt; mv d.txt b.pem; echo new >n.pem; ln n.pem n.txt; cat *.txt >/dev/null',
  );
  await s.succeed(['rule', 'set', '**/*.pem', 'deny']);
  const names = ['a.pem', 'b.pem', 'n.pem', 'a.txt', 'c.txt', 'n.txt'].map((name) => `read ${name}: EACCES`);
  assert.deepEqual(await outcomeLines(s, names.map(probeOf)), names);
  await s.succeed(['rule', 'unset', '**/*.pem']);
  assert.equal(await s.sh('cat n.pem a.txt'), 'new\nin a.pem\n');
});

test('what was moved before a rule came is judged by where it came from, too', async (t) => {
  const s = await session(t, {
    account: self,
    seed: (project) => seedFiles(project, ['dir/secret', 'dir/more', 'x/']),
  });
  await s.sh('mv dir x/moved; cat x/moved/secret');
  await s.succeed(['rule', 'set', 'dir', 'deny']);
  const lines = ['read x/moved/secret: EACCES', 'list x/moved: EACCES', 'create dir: EACCES'];
  assert.deepEqual(await outcomeLines(s, lines.map(probeOf)), lines);
  await s.succeed(['rule', 'unset', 'dir']);
  assert.equal(await s.sh('cat x/moved/secret'), 'in dir/secret\n');
});

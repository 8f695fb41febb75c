/** What happens on the host below a session shows in the view, where nothing is staged over it. */
import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accounts } from '../support/accounts.ts';
import { giveTo, session } from '../support/session.ts';

/** Longer than the kernel may keep what nobody watches. */
const SETTLED = 'sleep 1.2';

for (const account of accounts()) {
  test(`changes on the host show in the view, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    const at = (name: string): string => join(s.project, name);
    const look =
      'for f in hello.txt multi.txt test.sh subdir/deep.txt new dir/in; do cat $f 2>/dev/null || echo no $f; done';
    assert.equal(await s.sh(look), 'base content\nline1\nline2\n#!/bin/sh\necho ran\nnested\nno new\nno dir/in\n');

    writeFileSync(at('hello.txt'), 'BASE CONTENT\n');
    appendFileSync(at('multi.txt'), 'line3\n');
    writeFileSync(at('replacement'), 'replaced\n');
    renameSync(at('replacement'), at('test.sh'));
    rmSync(at('subdir/deep.txt'));
    writeFileSync(at('new'), 'new\n');
    mkdirSync(at('dir'));
    writeFileSync(at('dir/in'), 'in\n');
    await giveTo(account, s.project);
    assert.equal(
      await s.sh(`${SETTLED}; ${look}; ls; ls subdir`),
      'BASE CONTENT\nline1\nline2\nline3\nreplaced\nno subdir/deep.txt\nnew\nin\ndir\nhello.txt\nmulti.txt\nnew\nsubdir\ntest.sh\n',
    );

    renameSync(at('dir'), at('subdir/dir'));
    rmSync(at('new'));
    chmodSync(at('hello.txt'), 0o600);
    utimesSync(at('multi.txt'), 1000, 2000);
    assert.equal(
      await s.sh(`${SETTLED}; ls . subdir; cat subdir/dir/in; stat -c '%a' hello.txt; stat -c '%Y' multi.txt`),
      '.:\nhello.txt\nmulti.txt\nsubdir\ntest.sh\n\nsubdir:\ndir\nin\n600\n2000\n',
    );
  });
}

test('changes on the host do not show through what is staged over them', async (t) => {
  const s = await session(t);
  await s.sh('echo mine > hello.txt; rm multi.txt; mv subdir moved; echo made > made');
  writeFileSync(join(s.project, 'hello.txt'), 'the host writes too\n');
  writeFileSync(join(s.project, 'multi.txt'), 'again\n');
  writeFileSync(join(s.project, 'made'), "the host's\n");
  writeFileSync(join(s.project, 'subdir/deep.txt'), 'below a renamed directory\n');
  assert.equal(
    await s.sh(`${SETTLED}; cat hello.txt made moved/deep.txt; ls`),
    'mine\nmade\nbelow a renamed directory\nhello.txt\nmade\nmoved\ntest.sh\n',
  );
});

test('a file that is open in the view while the host changes it goes on working', async (t) => {
  const s = await session(t);
  const script = `exec 3<hello.txt 4>>multi.txt; read -r line <&3; echo "$line"; touch ready
    while [ ! -e go ]; do sleep 0.05; done; echo appended >&4; exec 4>&-; cat multi.txt | tail -1; cat hello.txt`;
  const running = s.sh(script);
  const poll = async (): Promise<void> => {
    for (let i = 0; i < 100; i++) {
      if ((await s.changeLines()).includes('added ready')) return;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error('the script in the view does not get ready');
  };
  await poll();
  writeFileSync(join(s.project, 'hello.txt'), 'changed while open\n');
  writeFileSync(join(s.project, 'go'), '');
  assert.equal(await running, 'base content\nappended\nchanged while open\n');
});

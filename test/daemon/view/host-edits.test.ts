/** What the host changes reaches what is open and watched in the view: below the project, and outside of it, where each open is asked. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accounts } from '../../support/accounts.ts';
import { giveTo, type Session, session } from '../../support/session.ts';
import { listen, start } from './running.ts';

/** A directory of the session that is not in its project, with the same files. */
async function outside(s: Session): Promise<string> {
  const dir = join(s.root, 'outside');
  fs.mkdirSync(dir);
  fs.writeFileSync(join(dir, 'log'), 'one\n');
  await giveTo(s.account, dir);
  return dir;
}

for (const account of accounts()) {
  for (const where of ['in the project', 'outside of it']) {
    test(`D5: ${account.title}, ${where}: a file that is open and watched follows what the host writes to it`, async (t) => {
      const s = await session(t, { account, seed: (project) => fs.writeFileSync(join(project, 'log'), 'one\n') });
      const log = join(where === 'in the project' ? s.project : await outside(s), 'log');
      const heard = await listen(t, s, [log]);
      const line = (text: string): RegExp => new RegExp(`^${log} ${text}$`, 'm');
      fs.appendFileSync(log, 'two\n');
      await heard.until(line('8 1 "one\\\\ntwo\\\\n"'), line('MODIFY '));
      await s.sh(
        `test "$(stat -c %s ${log})" = 8; test "$(stat -c %Y ${log})" = ${Math.floor(fs.statSync(log).mtimeMs / 1000)}`,
      );
      fs.writeFileSync(log, '3\n');
      await heard.until(line('2 1 "3\\\\n"'), line('CLOSE_WRITE '));
      fs.writeFileSync(log, '4\n');
      await heard.until(line('2 1 "4\\\\n"'));
      fs.chmodSync(log, 0o600);
      await heard.until(line('ATTRIB '));
      assert.deepEqual(await s.changes(), []);
      // What is written in the view afterwards is heard of by the same watch.
      await s.sh(`echo view >> ${log}`);
      await heard.until(line('7 1 "4\\\\nview\\\\n"'));
      assert.equal(fs.readFileSync(log, 'utf8'), '4\n');
    });
  }
}

test('D5: tail -f of a log shows what the host appends, by name also after it was replaced', async (t) => {
  const s = await session(t, { seed: (project) => fs.writeFileSync(join(project, 'log'), 'one\n') });
  const log = join(s.project, 'log');
  const [by, named] = [
    start(t, s, ['tail', '-s', '0.1', '-f', 'log']),
    start(t, s, ['tail', '-s', '0.1', '-F', 'log']),
  ];
  await Promise.all([by.until(/one/), named.until(/one/)]);
  for (const word of ['two', 'three', 'four']) {
    fs.appendFileSync(log, `${word}\n`);
    await Promise.all([by.until(new RegExp(`^${word}$`, 'm')), named.until(new RegExp(`^${word}$`, 'm'))]);
  }
  fs.writeFileSync(join(s.project, 'log.new'), 'five\n');
  fs.renameSync(join(s.project, 'log.new'), log);
  await named.until(/^five$/m);
  fs.appendFileSync(log, 'six\n');
  await named.until(/^six$/m);
});

test('D5: a directory that is watched tells of what the host makes, writes, moves and removes in it', async (t) => {
  const s = await session(t);
  const dir = join(s.project, 'subdir');
  await s.sh('ls subdir');
  const heard = await listen(t, s, [dir]);
  const line = (text: string): RegExp => new RegExp(`^${dir} ${text}$`, 'm');
  fs.writeFileSync(join(dir, 'new'), 'new');
  await heard.until(line('CREATE new'));
  fs.appendFileSync(join(dir, 'new'), 'more');
  await heard.until(line('MODIFY new'));
  fs.appendFileSync(join(dir, 'deep.txt'), 'more');
  await heard.until(line('MODIFY deep.txt'));
  fs.mkdirSync(join(dir, 'sub'));
  await heard.until(line('CREATE sub'));
  fs.symlinkSync('new', join(dir, 'link'));
  await heard.until(line('CREATE link'));
  fs.renameSync(join(dir, 'new'), join(dir, 'newer'));
  await heard.until(line('DELETE new'), line('CREATE newer'));
  fs.rmSync(join(dir, 'newer'));
  await heard.until(line('DELETE newer'));
  assert.deepEqual(await s.changes(), []);
  assert.equal(await s.sh('ls subdir; cat subdir/deep.txt'), 'deep.txt\nlink\nsub\nnested\nmore');
});

test('D5: the watch of a file that the host replaces or removes tells of it, and a new one hears of the next change', async (t) => {
  const s = await session(t);
  for (const replace of [true, false]) {
    const path = join(s.project, replace ? 'hello.txt' : 'multi.txt');
    const heard = await listen(t, s, [path]);
    const beside = join(s.project, 'beside');
    if (replace) {
      fs.writeFileSync(beside, 'other\n');
      fs.renameSync(beside, path);
    } else fs.rmSync(path);
    await heard.until(/ATTRIB|DELETE_SELF/, replace ? /"base content\\n"/ : /"line1\\nline2\\n"/);
    if (!replace) continue;
    const anew = await listen(t, s, [path]);
    fs.appendFileSync(path, 'more\n');
    await anew.until(/MODIFY/);
  }
});

test('D5: a file of which only the mode was changed in the view, and that is open there, shows all that the host writes to it', async (t) => {
  const s = await session(t, { seed: (project) => fs.writeFileSync(join(project, 'log'), 'twelve bytes') });
  const log = join(s.project, 'log');
  const sizes = start(t, s, ['sh', '-c', 'exec 3< log; chmod 600 log; while sleep 0.1; do wc -c < log; done']);
  await sizes.until(/^12$/m);
  for (const text of ['short', 'longer than twelve bytes', '']) {
    fs.writeFileSync(log, text);
    await sizes.until(new RegExp(`^${text.length}$`, 'm'));
    assert.equal(await s.sh('cat log; stat -c " %a %s" log'), `${text} 600 ${text.length}\n`);
  }
  assert.deepEqual(await s.changeLines(), ['metadata log']);
});

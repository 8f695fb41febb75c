/** An abort can be taken back, in any order with commits; and one number means one state everywhere. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { converse } from '../../support/conversation.ts';
import { has } from '../../support/need.ts';
import { MAIN, type Session, session } from '../../support/session.ts';

const state = (s: Session): Promise<string> => s.sh('cat hello.txt a b 2> /dev/null || true');
const real = (s: Session): string => readFileSync(join(s.project, 'hello.txt'), 'utf8');

async function undo(s: Session): Promise<string> {
  const { code, stderr } = await s.cli(['undo']);
  assert.equal(code, 0, stderr);
  return stderr;
}

test('N8: undo takes an abort back, also of what had no snapshot, after a restart, a travel and gc; a second one the commit before', async (t) => {
  const s = await session(t);
  await s.sh('echo committed > hello.txt');
  await s.commit();
  await s.sh('echo 1 > a');
  await s.succeed(['run', '--no-snapshot', '--quiet', '--', 'sh', '-c', 'echo 2 > b; rm hello.txt']);
  assert.match((await s.cli(['abort', '--yes'])).stderr, /^discarded 3 staged changes\n$/);
  assert.equal(await state(s), 'committed\n');
  await s.stop();
  await s.succeed(['gc', '--yes']);
  assert.match(
    await undo(s),
    /^took the abort back: 3 changes are staged again; 'yolofs travel \d+' goes to what was there before\n$/,
  );
  assert.equal(await state(s), '1\n2\n');
  assert.equal(real(s), 'committed\n');
  assert.match(await undo(s), /^took commit 1 back: 1 change is staged again\n$/);
  assert.equal(real(s), 'base content\n');
  assert.equal(await state(s), '1\n2\n');
  const none = await s.cli(['undo']);
  assert.match(none.stderr, /^yolofs: undo: there is no commit to take back\n/);
});

test('N8: undo takes back what came last: an abort after a commit, a commit after an abort, an abort of paths', async (t) => {
  const s = await session(t);
  await s.sh('echo 1 > a; echo 2 > b');
  await s.succeed(['abort', '--yes', 'a']);
  assert.equal(await state(s), 'base content\n2\n');
  assert.match(await s.succeed(['log']), /^@ .* abort of \S+\/a$/m);
  assert.doesNotMatch(await s.succeed(['log']), /travel to|after abort/);
  await s.commit();
  assert.match(await undo(s), /^took commit 1 back/);
  assert.match(await undo(s), /^took the abort back: 2 changes/);
  assert.equal(await state(s), 'base content\n1\n2\n');
  assert.match((await s.cli(['undo'])).stderr, /there is no commit to take back/);
});

test("N8: the abort's question has a count and says that undo brings it back", async (t) => {
  if (!has(t, ['script'])) return;
  const s = await session(t);
  await s.sh('echo 1 > a; echo 2 > b');
  const env = { HOME: s.home, YOLOFS_TEST_ROOT: s.root };
  const talk = (command: string): ReturnType<typeof converse> =>
    converse(`'${process.execPath}' '${MAIN}' ${command}`, [[/\[y\/N\] /, 'n\n']], {
      cwd: s.project,
      account: s.account,
      env,
    });
  assert.match(
    (await talk('abort')).shown,
    /^Discard everything that is staged \(2 changes\)\? 'yolofs undo' brings it back\. \[y\/N\] n$/m,
  );
  assert.match((await talk('abort b')).shown, /^Discard what is staged there \(1 change\)\?/m);
});

test('D7, D8: a number shows in travel what it shows in diff, across commits, aborts and undo; 0 is what was before all', async (t) => {
  const s = await session(t);
  await s.sh('echo 1 > hello.txt');
  await s.commit();
  await s.sh('echo 2 > hello.txt');
  await s.succeed(['abort', '--yes']);
  await s.sh('echo 3 > hello.txt; echo a > a');
  await s.succeed(['commit', '--yes', 'a']);
  await s.sh('echo 4 > b');
  await s.succeed(['run', '--no-snapshot', '--quiet', '--', 'sh', '-c', 'echo 5 > hello.txt']);
  await s.commit();
  await s.succeed(['undo']);
  await s.sh('rm a');
  const last = (JSON.parse(await s.succeed(['status', '--json'])) as { generation: number }).generation;
  const shown = new Map<number, string>();
  for (let number = 0; number <= last; number++) {
    await s.succeed(['travel', String(number)]);
    const text = await state(s);
    shown.set(number, text);
    // The state that was gone to is the present one: nothing lies between.
    assert.equal(await s.succeed(['diff', `${number}..`]), '', `${number}..`);
  }
  assert.equal(shown.get(0), 'base content\n');
  for (const number of shown.keys()) {
    await s.succeed(['travel', String(number)]);
    assert.equal(await state(s), shown.get(number), `travel ${number}, again`);
    const diff = await s.succeed(['diff', `0..${number}`]);
    assert.equal(diff === '', shown.get(number) === shown.get(0), `0..${number}:\n${diff}`);
  }
  const log = await s.succeed(['log']);
  assert.match(log, / 0 {2}the files as they were$/m);
  assert.match(log, /^◆ +\d+ {2}\S+ \S+ {2}abort {2}1 change$/m);
});

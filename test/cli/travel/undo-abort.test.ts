/** An abort can be taken back, in any order with commits. */
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

/** N14: what a person is told at the moments when they decide. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordinary } from '../support/accounts.ts';
import { converse } from '../support/conversation.ts';
import { has } from '../support/need.ts';
import { MAIN, type Session, session } from '../support/session.ts';

const PROMPT = /\(yolofs\) .*[#$] /;

function talkIn(
  s: Session,
): (command: string, ...lines: Parameters<typeof converse>[1]) => ReturnType<typeof converse> {
  const env = { HOME: s.home, SHELL: '/bin/bash', HISTFILE: '/dev/null', YOLOFS_TEST_ROOT: s.root };
  return (command, ...lines) =>
    converse(`'${process.execPath}' '${MAIN}' ${command}`, lines, { cwd: s.project, account: ordinary(), env });
}

test('N14: shell returns the code of its shell, and shows before it asks what rules refused', async (t) => {
  if (!has(t, ['script', 'bash'])) return;
  const s = await session(t, { account: ordinary(), config: '[rules]\n"denied" = "deny"\n' });
  await s.native(['sh', '-c', 'echo secret > denied']);
  const { code, shown } = await talkIn(s)(
    'shell',
    [PROMPT, 'cat denied; echo x > new\n'],
    [/Permission denied[\s\S]*\$ /, 'exit 5\n'],
    [/By rules[\s\S]*denied[\s\S]*\[k\] /, 'k\n'],
  );
  assert.equal(code, 5, shown);
});

test('N14: travel and stop say what still runs in the view', async (t) => {
  const s = await session(t);
  await s.cli(['run', '--', 'sh', '-c', 'echo x > new; sleep 600 > /dev/null 2>&1 &']);
  assert.match(
    (await s.cli(['travel', '0'])).stderr,
    /^still running in the view: sleep \(\d+\): what they have open stays as it was$/m,
  );
  assert.match((await s.cli(['stop'])).stderr, /^ended what ran in the view: sleep \(\d+\)$/m);
  await s.sh('true');
  assert.equal((await s.cli(['travel', '0'])).stderr, '');
  assert.equal((await s.cli(['stop'])).stderr, '');
});

test('N14: snapshot takes no name that means something else, and says when a name meant another one before', async (t) => {
  const s = await session(t);
  for (const name of ['all', 'now', '..', '1..', '..2', '7']) {
    for (const words of [
      ['snapshot', name],
      ['run', '--name', name, '--', 'true'],
    ]) {
      const { code, stderr } = await s.cli(words);
      assert.equal(code, 1, name);
      assert.match(stderr, /means a generation|is a range, and no name of a snapshot/);
    }
  }
  assert.deepEqual(await s.cli(['snapshot', 'twice']), { code: 0, stdout: 'snapshot 1\n', stderr: '' });
  await s.sh('echo x > new');
  const again = await s.cli(['snapshot', 'twice']);
  assert.match(again.stderr, /^'twice' was snapshot 1 until now: 'yolofs travel 1' still goes there$/m);
});

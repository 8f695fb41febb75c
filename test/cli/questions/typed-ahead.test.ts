/** What was typed before a question was shown does not answer it: on real terminals, where whole lines and parts of lines wait. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { world } from '../../ask/world.ts';
import { self } from '../../support/accounts.ts';
import { CONTROL_C, converse, type Line } from '../../support/conversation.ts';
import { has } from '../../support/need.ts';
import { MAIN, type Session, session } from '../../support/session.ts';

const YOLOFS = `'${process.execPath}' '${MAIN}'`;
const CHOICE = /\[c\]ommit all, \[k\]eep, \[a\]bort, \? \[k\] /;
/** Reads one line, so that what was typed with it waits at the terminal. */
const READ_ONE = 'echo ready; read line';

function talk(s: Session, command: string, lines: readonly Line[]): ReturnType<typeof converse> {
  const env = { HOME: s.home, SHELL: '/bin/bash', HISTFILE: '/dev/null', YOLOFS_TEST_ROOT: s.root };
  return converse(command, lines, { cwd: s.project, account: self, env });
}

for (const [what, ahead] of [
  ['a whole line', 'c\n'],
  ['a line that is not ended', 'c'],
]) {
  test(`N2: ${what} typed while a wrapped program runs does not commit`, async (t) => {
    if (!has(t, ['script'])) return;
    const s = await session(t);
    const { shown } = await talk(s, `${YOLOFS} wrap sh -c 'echo ahead > ahead.txt; ${READ_ONE}'`, [
      [/ready\n/, `go\n${ahead}`],
      [CHOICE, '\n'],
    ]);
    assert.match(shown, /^kept: /m);
    assert.equal(existsSync(join(s.project, 'ahead.txt')), false);
    assert.deepEqual(await s.changeLines(), ['added ahead.txt']);
  });
}

test('N2: what was typed in a shell as it ended neither commits nor aborts', async (t) => {
  if (!has(t, ['script', 'bash'])) return;
  const s = await session(t);
  const lines: Line[] = [
    [/\(yolofs\) .*[#$] /, `echo ahead > ahead.txt; ${READ_ONE}; exit\n`],
    [/ready\n/, 'go\na\nc\n'],
    [CHOICE, 'k\n'],
  ];
  assert.match((await talk(s, `${YOLOFS} shell`, lines)).shown, /^kept: /m);
  assert.deepEqual(await s.changeLines(), ['added ahead.txt']);
});

test('N2: commit, abort, gc and install take no answer that was typed before they asked', async (t) => {
  if (!has(t, ['script'])) return;
  const s = await session(t);
  writeFileSync(join(s.project, 'given.txt'), 'real\n');
  await s.sh('echo one > made; echo staged > given.txt');
  await s.sh('rm made');
  const asks: readonly (readonly [command: string, question: RegExp, outcome: RegExp])[] = [
    ['commit', /real files\? \[y\/N\] /, /not confirmed: nothing was written$/m],
    ['abort', /brings it back\. \[y\/N\] /, /not confirmed: nothing was discarded$/m],
    ['gc --keep-last 1', /for good\? \[y\/N\] /, /not confirmed: nothing was removed$/m],
    ['install gemini', /Write this file\? \[y\/N\] /, /not confirmed: nothing was changed$/m],
  ];
  for (const [command, question, outcome] of asks) {
    const { code, shown } = await talk(s, `sh -c "${READ_ONE}; ${YOLOFS} ${command}"`, [
      [/ready\n/, 'go\ny\ny\n'],
      [question, '\n'],
    ]);
    assert.equal(code, 1, shown);
    assert.match(shown, outcome);
  }
  assert.equal(readFileSync(join(s.project, 'given.txt'), 'utf8'), 'real\n');
  assert.deepEqual(await s.changeLines(), ['modified given.txt']);
  assert.equal(existsSync(join(s.home, '.gemini')), false);
});

test('N2: part of a line typed at watch before a question came is no answer', async (t) => {
  if (!has(t, ['script'])) return;
  const { s, asked } = await world(t, self);
  const runs: Promise<{ readonly stderr: string }>[] = [];
  await talk(s, `${YOLOFS} watch`, [
    [/Ctrl-C ends\n/, 'o'],
    [
      // It is echoed, so the terminal has it.
      /o/,
      () => {
        runs.push(s.cli(['run', '--quiet', '--', 'cat', join(asked, 'one')]));
        return '';
      },
    ],
    [/ne\[v\]er\? /, '\n'],
    [/ne\[v\]er\? /, 'n\n'],
    [/n\n/, CONTROL_C],
  ]);
  const [refused] = await Promise.all(runs);
  assert.match(refused?.stderr ?? '', /one: Permission denied/);
});

/** The full screen of a review on a real terminal, which is as before afterwards. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { self } from '../../support/accounts.ts';
import { converse } from '../../support/conversation.ts';
import { CLEAN_ENV } from '../../support/exec.ts';
import { processesNaming } from '../../support/leaks.ts';
import { has } from '../../support/need.ts';
import { MAIN, session } from '../../support/session.ts';

const TEXT = Array.from({ length: 40 }, (_, i) => `${i}\n`).join('');

/** The program that has the screen. */
function killReview(root: string): string {
  const found = processesNaming(root).filter(({ command }) => /^\S*node \S+ review -t$/.test(command));
  assert.equal(found.length, 1);
  for (const { pid } of found) process.kill(pid, 'SIGTERM');
  return '';
}

test('review -t on a terminal: what is taken is outside afterwards, and the terminal is as it was, also after a signal', async (t) => {
  if (!has(t, ['script'])) return;
  const seed = (project: string): void => {
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(project, name), TEXT, { mode: 0o644 });
  };
  const s = await session(t, { seed, account: self });
  await s.sh("sed -i 's/^5$/five/' a.txt; sed -i 's/^5$/x/' b.txt");
  const review = `'${process.execPath}' '${MAIN}' review -t`;
  const env = { HOME: s.home, YOLOFS_TEST_ROOT: s.root };
  const { shown } = await converse(
    `stty cols 100 rows 20; ${review}; stty -a; ${review}; echo ended $?; stty -a`,
    [
      [/2 open/, 't'],
      [/1 open, 1 taken/, 'r'],
      [/1 taken, 1 rejected/, 'c'],
      [/Thrown away [\s\S]*replace file a\.txt[\s\S]*y {2}do this/, 'y'],
      [/committed 1 change, threw away what you rejected \(1\)/, 'q'],
      [/1049l[\s\S]* icanon [\s\S]* echo /, ''],
      [/nothing is staged/, () => killReview(s.root)],
      [/1049l[\s\S]*ended 143\n[\s\S]* icanon [\s\S]* echo /, ''],
    ],
    { cwd: s.project, account: self, env },
  );
  assert.ok(shown.includes('\x1b[?1049h'), shown);
  assert.equal(readFileSync(join(s.project, 'a.txt'), 'utf8'), TEXT.replace('\n5\n', '\nfive\n'));
  assert.equal(readFileSync(join(s.project, 'b.txt'), 'utf8'), TEXT);
  assert.deepEqual(await s.changeLines(), []);
});

test('review -t commits nothing when a file was changed after the plan, or outside, and keeps what else was decided', async (t) => {
  if (!has(t, ['script'])) return;
  const seed = (project: string): void => {
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(project, name), TEXT, { mode: 0o644 });
  };
  const s = await session(t, { seed, account: self });
  await s.sh("sed -i 's/^5$/five/' a.txt; sed -i 's/^5$/x/' b.txt");
  const env = { HOME: s.home, YOLOFS_TEST_ROOT: s.root };
  const changeInView = (): string => {
    const words = [MAIN, 'run', '--quiet', '--', 'sed', '-i', 's/five/other/', 'a.txt'];
    execFileSync(process.execPath, words, { cwd: s.project, env: { ...CLEAN_ENV, ...env } });
    return 'y';
  };
  const changeOutside = (): string => {
    appendFileSync(join(s.project, 'a.txt'), 'outside\n');
    return 'c';
  };
  await converse(
    `'${process.execPath}' '${MAIN}' review -t`,
    [
      [/2 open/, 't'],
      [/1 open, 1 taken/, 'r'],
      [/1 taken, 1 rejected/, 'c'],
      [/y {2}do this/, changeInView],
      [/1 open, 1 rejected[\s\S]*nothing that is staged has this key/, 'gjt'],
      [/1 taken, 1 rejected/, changeOutside],
      [/1 conflict, nothing was written/, 'q'],
      [/not done yet/, 'q'],
    ],
    { cwd: s.project, account: self, env },
  );
  assert.equal(readFileSync(join(s.project, 'a.txt'), 'utf8'), `${TEXT}outside\n`);
  assert.equal(readFileSync(join(s.project, 'b.txt'), 'utf8'), TEXT);
  assert.match(await s.sh('cat a.txt b.txt'), /^other$[\s\S]*^x$/m);
});

test('the end of wrap opens the full screen for r, and asks again about what is left', async (t) => {
  if (!has(t, ['script'])) return;
  const seed = (project: string): void => {
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(project, name), TEXT, { mode: 0o644 });
  };
  const s = await session(t, { seed, account: self });
  const { shown } = await converse(
    `'${process.execPath}' '${MAIN}' wrap sed -i s/^5$/five/ a.txt b.txt`,
    [
      [/\[r\]eview, [^\n]* \[k\] /, 'r\n'],
      [/2 open/, 't'],
      [/1 open, 1 taken/, 'c'],
      [/y {2}do this/, 'y'],
      [/committed 1 change/, 'q'],
      [/1049l[\s\S]*Modified \(1\)\n {2}b\.txt\n[\s\S]*\[k\] /, 'r\n'],
      [/1 open/, 'q'],
      [/1049l[\s\S]*kept: /, ''],
    ],
    { cwd: s.project, account: self, env: { HOME: s.home, YOLOFS_TEST_ROOT: s.root } },
  );
  assert.ok(shown.includes('committed 1 change'), shown);
  assert.equal(readFileSync(join(s.project, 'a.txt'), 'utf8'), TEXT.replace('\n5\n', '\nfive\n'));
  assert.deepEqual(await s.changeLines(), ['modified b.txt']);
});

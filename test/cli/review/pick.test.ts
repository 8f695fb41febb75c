/** `review -p` on a real terminal: what is taken is outside afterwards, what is rejected is gone or left, and nothing else changed. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { self } from '../../support/accounts.ts';
import { converse, type Line } from '../../support/conversation.ts';
import { CLEAN_ENV } from '../../support/exec.ts';
import { has } from '../../support/need.ts';
import { MAIN, type Session, session } from '../../support/session.ts';

const YOLOFS = `'${process.execPath}' '${MAIN}'`;

const lines = (changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 40 }, (_, i) => `${changed[i] ?? i}\n`).join('');

function seed(project: string): void {
  for (const name of ['a.txt', 'b.txt', 'gone.txt']) writeFileSync(join(project, name), lines(), { mode: 0o644 });
}

function talk(s: Session, words: string, said: readonly Line[], env = {}): ReturnType<typeof converse> {
  return converse(`${YOLOFS} ${words}`, said, { cwd: s.project, account: self, env: { ...environment(s), ...env } });
}

function environment(s: Session): Record<string, string> {
  return { HOME: s.home, YOLOFS_TEST_ROOT: s.root, PAGER: 'cat' };
}

const base = (s: Session, name: string): string => readFileSync(join(s.project, name), 'utf8');

/** Three hunks in a.txt, the last of two blocks; one in b.txt; a deletion; a new file. */
const EDIT = [
  "sed -i -e 's/^2$/two/' -e 's/^20$/twenty/' -e 's/^35$/x/' -e 's/^38$/y/' a.txt",
  "sed -i 's/^9$/nine/' b.txt; rm gone.txt; echo new > new.txt",
].join('; ');

test('review -p commits what was taken, throws away what was rejected, and keeps the rest staged', async (t) => {
  if (!has(t, ['script'])) return;
  const s = await session(t, { seed, account: self });
  await s.sh(EDIT);
  const { code, shown } = await talk(s, 'review -p', [
    [/\+two\n[\s\S]*\(1\/6\) Take this hunk \[y,n,q,a,d,g,\/,j,\?\]\? /, 'y\n'],
    [/\+twenty\n[\s\S]*\(2\/6\) Take this hunk \[[^\]]*\]\? /, 'n\n'],
    [/\+x\n[\s\S]*\(3\/6\) Take this hunk \[[^\]]*,s,\?\]\? /, 's\n'],
    [/split into 2\n[\s\S]*\+x\n[\s\S]*\(3\/7\) Take this hunk \[[^\]]*\]\? /, 'n\n'],
    [/\+y\n[\s\S]*\(4\/7\) Take this hunk \[[^\]]*\]\? /, 'y\n'],
    [/modified b\.txt\n[\s\S]*\(5\/7\) Take this hunk \[[^\]]*\]\? /, 'j\n'],
    [/deleted gone\.txt\n[\s\S]*\(6\/7\) Take this deletion \[[^\]]*\]\? /, 'n\n'],
    [/added new\.txt\n[\s\S]*\+new\n\(7\/7\) Take this addition \[[^\]]*\]\? /, 'y\n'],
    [/\(5\/7\) Take this hunk \[[^\]]*\]\? /, 'q\n'],
    [/3 taken, 3 rejected, 1 left undecided\n\[c\]ommit [^\n]* \[q\] /, 'a\n'],
  ]);
  assert.equal(code, 0, shown);
  assert.match(shown, /committed 2 changes\n/);
  const taken = lines({ 2: 'two', 38: 'y' });
  assert.deepEqual(
    ['a.txt', 'b.txt', 'gone.txt', 'new.txt'].map((name) => base(s, name)),
    [taken, lines(), lines(), 'new\n'],
  );
  assert.equal(await s.sh('cat a.txt gone.txt'), taken + lines());
  assert.deepEqual(await s.changeLines(), ['modified b.txt']);
});

test('review -p begins with what runs later, also of what is decided as one', async (t) => {
  if (!has(t, ['script'])) return;
  const s = await session(t, { seed, account: self });
  await s.sh(
    `mkdir -p ~/.cache/a; echo '{"scripts":{"postinstall":"x"}}' > ~/.cache/a/package.json; echo x > ~/.cache/a/b`,
  );
  const first =
    /Look at this first \(1\)\n {2}\S*\/package\.json {2}package managers run scripts of it: scripts\.postinstall\n/;
  const { shown } = await talk(s, 'review -p', [[new RegExp(`${first.source}[\\s\\S]*\\(1/1\\) [^\\n]*\\? `), 'q\n']]);
  assert.doesNotMatch(shown, /committed/);
});

test('review -p refuses by its key what was changed after it was shown, and writes nothing', async (t) => {
  if (!has(t, ['script'])) return;
  const s = await session(t, { seed, account: self });
  await s.sh(EDIT);
  const { code, shown } = await talk(s, 'review -p', [
    [/\(1\/6\) [^\n]*\]\? /, 'y\n'],
    [/\(2\/6\) [^\n]*\]\? /, 'q\n'],
    [
      /1 taken, 0 rejected, 5 left undecided\n[^\n]* \[q\] /,
      () => {
        const words = [MAIN, 'run', '--quiet', '--', 'sed', '-i', 's/^two$/other/', 'a.txt'];
        execFileSync(process.execPath, words, { cwd: s.project, env: { ...CLEAN_ENV, ...environment(s) } });
        return 'c\n';
      },
    ],
  ]);
  assert.equal(code, 3, shown);
  assert.match(shown, /^yolofs: review: [0-9a-f]{40}: nothing that is staged has this key: nothing was changed$/m);
  assert.equal(base(s, 'a.txt'), lines());
  assert.match(await s.sh('cat a.txt'), /^other$/m);
});

test('the end of wrap on a dumb terminal offers review -p and diff, explains itself, and asks again about what is left', async (t) => {
  if (!has(t, ['script'])) return;
  const s = await session(t, { seed, account: self });
  const choice = /\[r\]eview, \[d\]iff, \[c\]ommit all, \[k\]eep, \[a\]bort, \? \[k\] /;
  const { shown } = await talk(
    s,
    `wrap sh -c "${EDIT.replaceAll('$', '\\$')}"`,
    [
      [choice, 'what\n'],
      [/k - keep it staged[\s\S]*\[k\] /, 'd\n'],
      [/^\+twenty$[\s\S]*\[k\] /m, 'r\n'],
      [/\(1\/6\) [^\n]*\]\? /, 'd\n'],
      [/\(4\/6\) [^\n]*\]\? /, 'a\n'],
      [/\(5\/6\) [^\n]*\]\? /, 'q\n'],
      [/1 taken, 3 rejected, 2 left undecided\n[^\n]* \[q\] /, 'c\n'],
      [
        /committed 1 change\n[\s\S]*Deleted \(1\)\n {2}gone\.txt\n[\s\S]*Modified \(1\)\n {2}a\.txt\n[\s\S]*\[k\] /,
        'a\n',
      ],
    ],
    { TERM: 'dumb' },
  );
  assert.match(shown, /discarded 3 staged changes/);
  assert.equal(base(s, 'b.txt'), lines({ 9: 'nine' }));
  assert.equal(base(s, 'a.txt'), lines());
  assert.equal(existsSync(join(s.project, 'new.txt')), false);
  assert.deepEqual(await s.changeLines(), []);
});

test('review without a terminal, and for what is not there, changes nothing and says why', async (t) => {
  const s = await session(t, { seed, account: self });
  await s.sh('echo new > new.txt');
  const picked = await s.cli(['review', '-p']);
  assert.deepEqual([picked.code, picked.stdout], [1, '']);
  assert.match(picked.stderr, /^yolofs: review: nothing was changed: there is no terminal to ask at\n/);
  assert.deepEqual(await s.changeLines(), ['added new.txt']);
});

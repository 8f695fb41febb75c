/** `yolofs grep` is GNU grep: the same output, errors and exit code as the real one, whatever is asked of it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { SEED } from '../../random/seed.ts';
import { compareRandom, gnuResults, ownResult } from './compare.ts';

const dir = mkdtempSync(join(tmpdir(), 'yolofs-grep-'));
const start = process.cwd();
before(() => process.chdir(dir));
after(() => {
  process.chdir(start);
  rmSync(dir, { recursive: true });
});

/** Each of them has been wrong once, or is a corner that random ones seldom come to. */
const CASES: readonly (readonly string[])[] = [
  ['-oxw', 'ab', 'text'],
  ['-oxw', '-e', '', '-e', 'ab', 'text'],
  ['-oxwF', '-e', '', '-e', 'ab', 'text'],
  ['-E', '^*ab', 'text'],
  ['-oE', '^*ab', 'text'],
  ['-E', '{\\w*', 'text'],
  ['-E', '{1}a', 'text'],
  ['-Ex', '$[[:upper:]]{,2})*?', 'text'],
  ['-Ew', 'x)|b[a-c]', 'text'],
  ['-o', '[[:digit:]_]ſ\\{0,1\\}\\B\\{0\\}', 'text'],
  ['-a', '\\<a', 'binary'],
  ['-aw', 'a', 'binary'],
  ['-cw', '', 'wide'],
  ['-nowE', '(b*|zq)', 'wide'],
  ['-c', '', 'binary', 'text', 'open'],
  ['-L', 'b', 'binary', 'text', 'none'],
  ['-e', 'a', '-e', 'b\\', 'text'],
  ['-e', '[', '-e', '\\(', 'text'],
  ['-f', 'patterns', 'text'],
  ['-f', '/dev/null', 'text'],
  ['-vf', '/dev/null', 'text'],
  ['-ow', '-F', '-e', 'foo', '-e', '-bar', 'text'],
  ['-E', '-o', '(a|ab)(c|bcd)?', 'text'],
  ['-o', '\\(a*\\)b\\1', 'text'],
  ['-io', 'k', 'text'],
  ['-i', 'ı', 'text'],
  ['[:space:]', 'text'],
  ['-Ex', '?\\[[:alpha:]]$', 'text'],
  ['a\\{1', 'text'],
  ['-k', 'a'],
  ['--co', 'a'],
  ['--fil'],
  ['--count=3', 'a'],
  ['-A', 'x', 'a', 'text'],
  ['-m', 'x', 'a', 'text'],
  ['-E', '-F', 'a', 'text'],
  ['-d', 'x', 'a', 'text'],
  ['a', '.'],
  ['-c', 'a', '.'],
  ['-s', 'a', '.', 'none', 'text'],
  ['text', '-n', 'a', '--', 'text', '-e'],
  ['-12', 'a', 'text'],
  ['-1', '-c', '-2', 'ab', 'text'],
  ['--label=x', '-H', 'a'],
  ['-n', 'needle', 'late'],
  ['-c', 'needle', 'late'],
  ['-A1', '-n', 'needle', 'large'],
  ['-bo', 'needle', 'large'],
];

test('corners are as in GNU grep', async () => {
  const words = [
    'ab',
    'xab',
    'abcd aab',
    '1a}',
    '{1}a',
    '* [ b\\',
    'foo-bar foo',
    'Kelvin K k',
    'ı I i İ',
    'aabaa',
    '',
    '_ſ 2',
  ];
  writeFileSync('text', `${words.join('\n')}\n`);
  writeFileSync('open', 'a\nb');
  writeFileSync('binary', Buffer.of(0xff, 0x61, 10, 0x61, 0, 0, 0x62, 10));
  writeFileSync('patterns', 'a\n\\(\n[\n');
  writeFileSync('wide', 'a×b\na日b\n日€日\naéb\n€\na€b€c b zq\n');
  const line = `${'hay '.repeat(20)}\n`;
  writeFileSync('large', `${line.repeat(3000)}needle\n${line.repeat(3000)}a needle\n${line}`);
  // The first matches come before grep can know that the file is binary.
  writeFileSync('late', `needle\n${line.repeat(3000)}\0needle\nneedle\n`);
  const wanted = gnuResults(CASES, dir, dir);
  for (const [i, words] of CASES.entries()) {
    const { code, out, err } = await ownResult(words);
    const { code: wantedCode, out: wantedOut, err: wantedErr } = wanted[i] ?? assert.fail();
    const shown = [code, out.toString('latin1'), err.toString('latin1')];
    assert.deepEqual(shown, [wantedCode, wantedOut.toString('latin1'), wantedErr.toString('latin1')], words.join(' '));
  }
});

test('random patterns, options and files: the same as GNU grep, and nothing is missed by the plan', async () => {
  const { files, read, matched } = await compareRandom(500, SEED);
  assert.ok(matched > 100 && read >= matched && files > read, JSON.stringify({ files, read, matched }));
});

test('without back-references, no pattern takes longer than the text is', async () => {
  writeFileSync('aaa', `${'a'.repeat(200_000)}\n`);
  const begin = process.cpuUsage();
  for (const pattern of ['(a*)*b', '(a|a)*b', '(a|aa)+$b', '(.*)*x', 'a{1,30}b', '(a?){40}a{40}b']) {
    for (const more of [['-c'], ['-o'], ['-w']])
      assert.equal((await ownResult(['-E', ...more, pattern, 'aaa'])).code, 1);
  }
  // One that matches late, with starts everywhere.
  assert.equal((await ownResult(['-oE', '(a*)*b|a$', 'aaa'])).out.toString(), 'a\n');
  assert.ok(process.cpuUsage(begin).user < 20_000_000, `${process.cpuUsage(begin).user} us`);
});

test('what is not supported says so', async () => {
  for (const words of [
    ['-P', 'a'],
    ['--color=always', 'a'],
  ]) {
    const { code, err } = await ownResult([...words, 'text']);
    assert.equal(code, 2);
    assert.match(err.toString(), /^grep: .*not supported/);
  }
});

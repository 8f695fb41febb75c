/** The pictures of a session in the documents are what the program shows: it is played on a real terminal, and what that shows is drawn. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { self } from '../../support/accounts.ts';
import { converse } from '../../support/conversation.ts';
import { has } from '../../support/need.ts';
import { MAIN, session } from '../../support/session.ts';
import { REPOSITORY } from '../../support/source-files.ts';

const NAMES = 'auth cart db error format http index json log mail menu order page price query route search session tax';
const ROWS = 16;

/** 19 sources and a package.json; a tool that changes each. */
function seed(project: string): void {
  mkdirSync(join(project, 'lib'));
  for (const name of NAMES.split(' '))
    writeFileSync(join(project, 'lib', `${name}.js`), `export function ${name}(input) {\n  return input + 1;\n}\n`);
  writeFileSync(join(project, 'package.json'), '{\n  "scripts": { "test": "node --test" }\n}\n');
  const fix = "sed -i 's/return input/return Number(input)/' lib/*.js; sed -i 's/--test/--test --force/' package.json";
  writeFileSync(join(project, 'fix.sh'), `${fix}\n`);
}

/** What a terminal shows before each control sequence, line by line. Knows what the screen of a review uses. */
function* framesOf(output: string): Generator<readonly string[], void> {
  let lines: string[] = [];
  let [row, column] = [0, 0];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences are what this is about
  for (const [, text = '', numbers = '', letter] of output.matchAll(/([^\x1b]*)(?:\x1b\[([?\d;]*)([A-Za-z]))?/g)) {
    const before = (lines[row] ?? '').padEnd(column);
    lines[row] = before.slice(0, column) + text + before.slice(column + text.length);
    column += text.length;
    yield lines;
    if (letter === 'J') lines = [];
    if (letter === 'K') lines[row] = '';
    if (letter === 'H')
      [row = 1, column = 1] = numbers
        .split(';')
        .map(Number)
        .map((number) => (number || 1) - 1);
    if (letter === 'G') column = Number(numbers) - 1;
  }
}

/** The last that has these words. */
function pictureOf(output: string, words: RegExp): string {
  let found: readonly string[] = [];
  for (const lines of framesOf(output)) if (words.test(lines.join('\n'))) found = [...lines];
  return Array.from({ length: ROWS }, (_, index) => `    ${(found[index] ?? '').trimEnd()}`.trimEnd()).join('\n');
}

test('the pictures of review -t in the documents are what it shows: 20 files, two rejected, seven keys', async (t) => {
  if (!has(t, ['script'])) return;
  const s = await session(t, { seed, account: self, rules: 'default' });
  await s.succeed(['run', '--quiet', '--', 'sh', 'fix.sh']);
  const { shown } = await converse(
    `stty cols 80 rows ${ROWS}; '${process.execPath}' '${MAIN}' review -t`,
    [
      [/20 open/, 'r'],
      [/19 open, 1 rejected/, 'r'],
      [/18 open, 2 rejected/, 'kkt'],
      // Two more, only for the picture.
      [/18 taken, 2 rejected/, 'gj'],
      [/look at this: [\s\S]*by: sh fix\.sh/, 'c'],
      [/y {2}do this/, 'y'],
      [/committed 18 changes/, 'q'],
    ],
    { cwd: s.project, account: self, env: { HOME: s.home, YOLOFS_TEST_ROOT: s.root } },
  );
  assert.match(readFileSync(join(s.project, 'lib/tax.js'), 'utf8'), /Number/);
  const [list, plan] = [
    /^yolofs review {2}18 taken[^\n]*\n[^\n]*\n>[\s\S]*\nt take/,
    /\nThrown away[\s\S]*\ny {2}do this/,
  ];
  const document = readFileSync(join(REPOSITORY, 'src/cli/review/README.md'), 'utf8');
  for (const words of [list, plan]) {
    const picture = pictureOf(shown, words);
    assert.ok(document.includes(picture), `src/cli/review/README.md should have\n${picture}`);
  }
  const few = pictureOf(shown, list).split('\n').slice(0, 5).join('\n');
  assert.ok(readFileSync(join(REPOSITORY, 'README.md'), 'utf8').includes(few), `README.md should have\n${few}`);
});

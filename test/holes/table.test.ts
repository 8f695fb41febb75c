/** The tables here, in ../escape, ../SENTENCES.md, ../FINDINGS.md and in the threat model name tests that exist. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { REPOSITORY } from '../support/source-files.ts';

/** Asserts that each row of a table has a cell of files, and that the tests in the next one are in them. */
function check(readme: string, isRow: RegExp, least: number): void {
  const lines = readFileSync(join(REPOSITORY, 'test', readme), 'utf8').split('\n');
  const rows = lines.filter((line) => isRow.test(line));
  assert.ok(rows.length >= least, `${rows.length} rows`);
  for (const row of rows) {
    const cells = row.split('|').map((cell) => cell.trim());
    const at = cells.findIndex((cell) => /^[\w/-]+\.test\.ts/.test(cell));
    const files = (cells[at] ?? '').split(', ').map((file) => readFileSync(join(REPOSITORY, 'test', file), 'utf8'));
    for (const [, title = ''] of (cells[at + 1] ?? '').matchAll(/`([^`]+)`/g)) {
      assert.ok(
        files.some((text) => text.includes(title)),
        `${cells[1]}: no test called "${title}" in ${cells[at]}`,
      );
    }
  }
}

test('every hole of the table has the tests that it names', () => check('holes/README.md', /^\| \d/, 20));

test('every row of the table of rules has the tests that it names', () => check('escape/README.md', /^\| test_/, 12));

test('every sentence of an issue has the tests that it names', () => check('SENTENCES.md', /^\| \d[a-h] \|/, 50));

test('every finding has the tests that it names', () => check('FINDINGS.md', /^\| [SDN]\d+b?(?:, [SDN]\d+)? \|/, 37));

/** Names of files in backticks, in the last cell but one of a row; some are written from `src/rules` or its neighbours. */
function filesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([\w/.-]+(?:\.ts|\/))`/g)].map(([, name]) => name ?? '');
}

test('every row of the threat model names files that exist, and tests, or says that nothing is protected', () => {
  const lines = readFileSync(join(REPOSITORY, 'src/rules/THREAT-MODEL.md'), 'utf8').split('\n');
  const rows = lines.filter((line) => line.startsWith('| ') && !/^\| (---|surface|way|what) /.test(line));
  assert.ok(rows.length >= 85, `${rows.length} rows`);
  for (const row of rows) {
    const cells = row.split('|').map((cell) => cell.trim());
    const tests = cells.at(-2) ?? '';
    if (tests === '–') assert.match(row, /\*\*not protected/, row);
    else
      for (const name of tests.split(', ')) {
        const at = join(REPOSITORY, 'test', name);
        assert.ok(
          [`${at}.test.ts`, at].some((path) => existsSync(path)),
          `${cells[1]}: there is no test ${name}`,
        );
      }
    for (const name of filesIn(cells.at(-3) ?? '')) {
      const places = ['src', 'src/rules', 'src/sandbox'].map((dir) => join(REPOSITORY, dir, name));
      assert.ok(
        places.some((path) => existsSync(path)),
        `${cells[1]}: there is no ${name}`,
      );
    }
  }
});

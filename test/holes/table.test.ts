/** The table in README.md names tests that exist, and so do that of the rules in ../escape/README.md and those of history and of findings in ../README.md. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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

test('every sentence about history has the tests that it names', () => check('README.md', /^\| \d[a-h] \|/, 30));

test('every finding has the tests that it names', () => check('README.md', /^\| [SDN]\d+b?(?:, [SDN]\d+)? \|/, 37));

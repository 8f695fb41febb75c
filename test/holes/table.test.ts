/** The table in README.md names tests that exist. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { REPOSITORY } from '../support/source-files.ts';

test('every hole of the table has the tests that it names', () => {
  const rows = readFileSync(join(REPOSITORY, 'test/holes/README.md'), 'utf8')
    .split('\n')
    .filter((l) => /^\| \d/.test(l));
  assert.ok(rows.length >= 20);
  for (const row of rows) {
    const [, hole = '', , files = '', titles = ''] = row.split('|');
    const text = files.split(',').map((file) => readFileSync(join(REPOSITORY, 'test', file.trim()), 'utf8'));
    for (const [, title = ''] of titles.matchAll(/`([^`]+)`/g)) {
      assert.ok(
        text.some((each) => each.includes(title)),
        `hole ${hole.trim()}: no test called "${title}" in ${files}`,
      );
    }
  }
});

/** bench/RESULTS.md is what `npm run bench:table` makes of bench/results/. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { resultsTable } from '../../bench/results-table.ts';
import { REPOSITORY } from '../support/source-files.ts';

test('the table of what was measured is made from the results', () => {
  const table = readFileSync(join(REPOSITORY, 'bench/RESULTS.md'), 'utf8');
  assert.equal(table, resultsTable(join(REPOSITORY, 'bench/results')), 'run: npm run bench:table');
});

/** test/homes/TABLE.md keeps what a run did not try, and is not lost to one row that is not as expected. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CONTAINERS } from '../homes/containers.ts';
import { MACHINES } from '../homes/machines.ts';
import { containerKey, machineKeys, rowText, tableText } from '../homes/table.ts';
import { REPOSITORY } from '../support/source-files.ts';

const TABLE = readFileSync(join(REPOSITORY, 'test/homes/TABLE.md'), 'utf8');
const KEYS = [...CONTAINERS.map(containerKey), ...MACHINES.flatMap(machineKeys)];

test('the table of homes has each row that is declared once, in the order of the declarations', () => {
  assert.equal(new Set(KEYS).size, KEYS.length);
  assert.equal(tableText(TABLE, []), TABLE);
});

test('a row of a run takes the place of the earlier one, and one that is not as expected does not', () => {
  const [first = '', second = ''] = KEYS;
  const rows = [
    { key: first, result: 'holds | anew', isExpected: true },
    { key: second, result: 'broken', isExpected: false },
  ];
  const was = TABLE.split('\n').find((line) => line.startsWith(`${first} `)) ?? '';
  assert.equal(tableText(TABLE, rows), TABLE.replace(was, rowText({ key: first, result: 'holds | anew' })));
});

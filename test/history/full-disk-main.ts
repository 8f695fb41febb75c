/**
 * Appends to a journal until it fails, makes room as told, and appends once more; prints what happened as JSON.
 * argv: path of the journal, path of a file to remove in between ('' = none).
 */
import { rmSync, statSync } from 'node:fs';
import { Journal } from '../../src/history/log/journal.ts';
import { OK } from '../../src/sys/errno.ts';
import { newFile, record } from './samples.ts';

const [path = '', filler = ''] = process.argv.slice(2);
const journal = Journal.open(path, { create: true });
const failures: { errno: number; size: number; onDisk: number }[] = [];
let appended = 0;

/** Long records first, then shorter and shorter ones, to fail at other places of a block too. */
for (const length of [3000, 400, 40]) {
  for (let errno = OK; errno === OK; ) {
    errno = journal.append(record(newFile(`/${'x'.repeat(length)}`, appended)));
    if (errno === OK) appended += 1;
    else failures.push({ errno, size: journal.size, onDisk: statSync(path).size });
  }
}
const full = [...journal.scan()].length;
if (filler !== '') rmSync(filler);
const again = journal.append(record(newFile('/a', appended)));
const scanned = [...journal.scan()].length;
const reopened = [...Journal.open(path).scan()].length;
process.stdout.write(JSON.stringify({ appended, failures, full, again, scanned, reopened }));

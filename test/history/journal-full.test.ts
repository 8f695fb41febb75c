import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EFBIG, ENOSPC, OK } from '../../src/sys/errno.ts';
import { succeed } from '../support/exec.ts';
import { has } from '../support/need.ts';
import { scratch } from './samples.ts';

const MAIN = fileURLToPath(new URL('full-disk-main.js', import.meta.url));

interface Report {
  readonly appended: number;
  readonly failures: { readonly errno: number; readonly size: number; readonly onDisk: number }[];
  readonly full: number;
  readonly again: number;
  readonly scanned: number;
  readonly reopened: number;
}

test('append() on a full disk records nothing, and goes on when there is room', async (t) => {
  if (!has(t, ['unshare', 'mount'])) return;
  const script =
    'mount -t tmpfs -o size=256k none "$1" && head -c 100000 /dev/zero > "$1/filler" && exec "$2" "$3" "$1/journal" "$1/filler"';
  const words = ['sh', '-c', script, 'sh', scratch(t), process.execPath, MAIN];
  const report: Report = JSON.parse(await succeed(['unshare', '-Urm', ...words]));
  assert.ok(report.appended > 20);
  assert.equal(report.failures.length, 3);
  for (const { errno, size, onDisk } of report.failures) {
    assert.equal(errno, ENOSPC);
    assert.equal(onDisk, size, 'what was written of the record is gone');
  }
  assert.equal(report.full, report.appended);
  assert.equal(report.again, OK);
  assert.equal(report.scanned, report.appended + 1);
  assert.equal(report.reopened, report.appended + 1);
});

test('append() beyond the file size limit records nothing', async (t) => {
  if (!has(t, ['prlimit'])) return;
  const path = join(scratch(t), 'journal');
  const report: Report = JSON.parse(await succeed(['prlimit', '--fsize=100000', process.execPath, MAIN, path]));
  assert.ok(
    report.failures.every(({ errno, size, onDisk }) => (errno === EFBIG || errno === ENOSPC) && size === onDisk),
  );
  assert.equal(report.full, report.appended);
  assert.equal(report.reopened, report.scanned);
  assert.ok(statSync(path).size <= 100_000);
});

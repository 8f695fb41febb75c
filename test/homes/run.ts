/**
 * `npm run test:homes`: the steps of a session in containers and in emulated machines; writes `TABLE.md` beside its README. Words choose
 * `containers` or `machines`, or some of them by a piece of one of their rows; the other rows stay as they are, and so does one that is not as
 * expected. Takes root, podman, debootstrap, mmdebstrap, qemu, and, with the machines, hours. Not a part of `npm test`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRoot } from '../support/accounts.ts';
import { CLEAN_ENV } from '../support/exec.ts';
import { REPOSITORY } from '../support/source-files.ts';
import { CONTAINERS } from './containers.ts';
import { MACHINES } from './machines.ts';
import { HOMES } from './places.ts';
import { containerKey, machineKeys, type Row, rowText, tableText } from './table.ts';
import { tryContainer } from './try-container.ts';
import { tryMachine } from './try-machine.ts';

const TABLE = join(REPOSITORY, 'test/homes/TABLE.md');
const PROGRAMS = [
  'podman',
  'busybox',
  'newuidmap',
  'unshare',
  'debootstrap',
  'mmdebstrap',
  'cpio',
  'depmod',
  'qemu-system-x86_64',
  'qemu-system-aarch64',
];

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  const lacking = PROGRAMS.filter((name) => !isInstalled(name));
  if (!isRoot || lacking.length > 0) {
    process.stderr.write(`not tried: this takes ${isRoot ? lacking.join(', ') : 'root'}\n`);
    return 1;
  }
  mkdirSync(HOMES, { recursive: true });
  const isWanted = (name: string): boolean => words.length === 0 || words.some((word) => name.includes(word));
  let isExpected = true;
  const keep = (rows: readonly Row[]): void => {
    for (const row of rows) process.stdout.write(`${row.isExpected ? 'ok    ' : 'not ok'} ${rowText(row)}\n`);
    // What another run has written meanwhile stays.
    writeFileSync(TABLE, tableText(existsSync(TABLE) ? readFileSync(TABLE, 'utf8') : '', rows));
    isExpected &&= rows.every((row) => row.isExpected);
  };
  for (const container of CONTAINERS) {
    if (!isWanted('containers') && !isWanted(containerKey(container))) continue;
    keep(await unlessBroken([containerKey(container)], async () => [await tryContainer(container)]));
  }
  for (const machine of MACHINES) {
    const keys = machineKeys(machine);
    if (!isWanted('machines') && !keys.some(isWanted)) continue;
    keep(await unlessBroken(keys, () => tryMachine(machine)));
  }
  return isExpected ? 0 : 1;
}

/** A home that cannot be made keeps none of the others from being tried. */
async function unlessBroken(keys: readonly string[], tried: () => Promise<Row[]>): Promise<Row[]> {
  try {
    return await tried();
  } catch (error) {
    const result = `could not be tried: ${String(error).split('\n', 1)[0]}`;
    return keys.map((key) => ({ key, result, isExpected: false }));
  }
}

function isInstalled(program: string): boolean {
  return (CLEAN_ENV.PATH ?? '').split(':').some((directory) => existsSync(join(directory, program)));
}

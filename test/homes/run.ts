/**
 * `npm run test:homes`: the steps of a session in containers and in emulated machines; writes `TABLE.md` beside its README. Words choose
 * `containers` or `machines`, or machines by a piece of their title; the other rows then stay as they are. Takes root, podman, debootstrap,
 * mmdebstrap, qemu, and, with the machines, hours. Not a part of `npm test`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRoot } from '../support/accounts.ts';
import { CLEAN_ENV } from '../support/exec.ts';
import { REPOSITORY } from '../support/source-files.ts';
import { CONTAINERS } from './containers.ts';
import { MACHINES, type Machine } from './machines.ts';
import { HOMES } from './places.ts';
import { tryContainer } from './try-container.ts';
import { type Row, tryMachine } from './try-machine.ts';

const TABLE = join(REPOSITORY, 'test/homes/TABLE.md');
const PROGRAMS = [
  'podman',
  'busybox',
  'unshare',
  'debootstrap',
  'mmdebstrap',
  'cpio',
  'depmod',
  'qemu-system-x86_64',
  'qemu-system-aarch64',
];
const HEADS = ['| system | user | flags of podman | result |', '| machine | user | what | result |'];

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  const lacks = PROGRAMS.find((name) => !isInstalled(name));
  if (!isRoot || lacks !== undefined) {
    process.stderr.write(`not tried: this takes ${isRoot ? lacks : 'root'}\n`);
    return 1;
  }
  mkdirSync(HOMES, { recursive: true });
  const before = existsSync(TABLE) ? readFileSync(TABLE, 'utf8') : '';
  const isWanted = (name: string): boolean => words.length === 0 || words.some((word) => name.includes(word));
  const containers: Row[] = [];
  for (const container of isWanted('containers') ? CONTAINERS : [])
    containers.push(told(await tryContainer(container)));
  const machines: Row[] = [];
  for (const machine of MACHINES) {
    const isOne = isWanted('machines') || isWanted(machine.title);
    for (const row of isOne ? await tryMachine(machine) : kept(before, machine)) machines.push(isOne ? told(row) : row);
  }
  if ([...containers, ...machines].some(({ isExpected }) => !isExpected)) return 1;
  const parts = [isWanted('containers') ? containers : keptBelow(before, HEADS[0] ?? ''), machines];
  writeFileSync(
    TABLE,
    `# Made by \`npm run test:homes\`\n${parts.map((rows, i) => table(HEADS[i] ?? '', rows)).join('')}`,
  );
  return 0;
}

function isInstalled(program: string): boolean {
  return (CLEAN_ENV.PATH ?? '').split(':').some((directory) => existsSync(join(directory, program)));
}

function told(row: Row): Row {
  process.stdout.write(`${row.isExpected ? 'ok    ' : 'not ok'} ${row.text}\n`);
  return row;
}

function table(head: string, rows: readonly Row[]): string {
  return `\n${head}\n| --- | --- | --- | --- |\n${rows.map(({ text }) => `${text}\n`).join('')}`;
}

/** What an earlier run has said of a machine. */
function kept(before: string, { title }: Machine): Row[] {
  return keptBelow(before, HEADS[1] ?? '').filter(({ text }) => text.startsWith(`| ${title} |`));
}

function keptBelow(before: string, head: string): Row[] {
  const [, below = ''] = before.split(`${head}\n`);
  const rows = below.split('\n\n')[0]?.split('\n').slice(1) ?? [];
  return rows.filter((text) => text.startsWith('|')).map((text) => ({ text, isExpected: true }));
}

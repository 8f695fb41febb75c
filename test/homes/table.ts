/** `TABLE.md`: a row for each home that is declared, with what the last run that went as expected said of it. */

import { REPOSITORY } from '../support/source-files.ts';
import { CONTAINERS, type Container } from './containers.ts';
import { MACHINES, type Machine } from './machines.ts';

/** What a home has come to. */
export interface Row {
  /** All cells but the last. */
  readonly key: string;
  readonly result: string;
  readonly isExpected: boolean;
}

interface Table {
  readonly head: string;
  readonly keys: readonly string[];
}

const TABLES: readonly Table[] = [
  { head: '| system | user | flags of podman | result |', keys: CONTAINERS.map(containerKey) },
  { head: '| machine | user | what | result |', keys: MACHINES.flatMap(machineKeys) },
];

export function containerKey({ suite, user, flags, rootless, isFromClone }: Container): string {
  const started = [...(rootless === true ? ['rootless'] : []), ...(isFromClone === true ? ['from a clone'] : [])];
  const shown = flags.map((flag) => `\`${flag.replace(REPOSITORY, '.')}\``);
  return `| ${suite ?? 'this host'} | ${user} | ${[...started, ...shown].join(' ') || 'none'} |`;
}

/** A key for each thing that is tried in it. */
export function machineKeys({ title, expected }: Machine): string[] {
  return Object.keys(expected).map((what) => machineKey(title, what));
}

export function machineKey(title: string, what: string): string {
  return `| ${title} | ${what} |`;
}

/** A row as it is told. */
export function rowText({ key, result }: Pick<Row, 'key' | 'result'>): string {
  return `${key} ${result} |`;
}

/** The table with these rows in place of what it said of them before; of one that is not as expected the earlier one stays. */
export function tableText(before: string, rows: readonly Row[]): string {
  const fresh = new Map(rows.filter(({ isExpected }) => isExpected).map((row) => [row.key, rowText(row)]));
  const earlier = before.split('\n');
  const textOf = (key: string): string | undefined =>
    fresh.get(key) ?? earlier.find((line) => line.startsWith(`${key} `));
  const parts = TABLES.map(({ head, keys }) => {
    const lines = keys.map(textOf).filter((line) => line !== undefined);
    return [head, '| --- | --- | --- | --- |', ...lines].map((line) => `${line}\n`).join('');
  });
  return ['# Made by `npm run test:homes`\n', ...parts].join('\n');
}

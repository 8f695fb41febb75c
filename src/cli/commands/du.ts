/** `yolofs du`: what the session occupies on the disk. */
import type { Command } from 'commander';
import type { Layout } from '../../history/layout.ts';
import { diskUsage } from '../../sys/disk-usage.ts';
import { writePieces } from '../output.ts';
import { sessionOf } from '../session.ts';

interface Row {
  readonly name: string;
  readonly bytes: number;
  /** Files, where their number means something. */
  readonly files?: number;
}

export function define(command: Command): void {
  command.option('--json', 'list as JSON').action(du);
}

async function du(options: { json?: true }, command: Command): Promise<void> {
  const rows = measure(sessionOf(command));
  if (options.json)
    return writePieces([`${JSON.stringify(Object.fromEntries(rows.map(({ name, ...row }) => [name, row])))}\n`]);
  await writePieces(rows.map(renderRow));
}

function measure(session: Layout): Row[] {
  const content = diskUsage(session.files);
  const parts: Row[] = [
    { name: 'content', bytes: content.bytes, files: content.files },
    { name: 'journal', bytes: diskUsage(session.journal).bytes },
    { name: 'tree', bytes: diskUsage(session.tree).bytes },
    { name: 'tmp', ...diskUsage(session.tmp) },
  ];
  return [...parts, { name: 'total', bytes: diskUsage(session.dir).bytes }];
}

function renderRow({ name, bytes, files }: Row): string {
  const count = files === undefined ? '' : `  ${files} ${files === 1 ? 'file' : 'files'}`;
  return `${name.padEnd(8)} ${renderBytes(bytes).padStart(10)}${count}\n`;
}

function renderBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

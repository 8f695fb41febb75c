/** `yolofs du`: what the session occupies on the disk, and what each generation adds to it. */

import type { Command } from 'commander';
import { amount } from '../../agents/amount.ts';
import type { Added, StoreUsage } from '../../history/gc/usage.ts';
import type { Layout } from '../../history/layout.ts';
import { ENOENT, SystemError } from '../../sys/errno.ts';
import { diskUsage } from '../../sys/files/disk-usage.ts';
import { renderSize } from '../../sys/text/size.ts';
import { UserError } from '../../sys/user-error.ts';
import { withLiveDaemon } from '../connection.ts';
import { DU } from '../schemas/inside.ts';
import { jsonOption } from '../schemas/schema.ts';
import { sessionOf } from '../session.ts';
import { jsonList, writePieces } from '../text/output.ts';

interface Row {
  readonly name: string;
  readonly bytes: number;
  /** Files, where their number means something. */
  readonly files?: number;
  /** Sum of the files' lengths, where that is of interest. */
  readonly apparent?: number;
}

export function define(command: Command): void {
  jsonOption(command, 'list as JSON', DU).action(du);
}

async function du(options: { json?: true }, command: Command): Promise<void> {
  const session = sessionOf(command);
  const usage = await usageOf(session);
  const parts = measure(session);
  const extra = usage === undefined ? [] : [rowOf('present', usage.present), rowOf('unnamed', usage.unnamed)];
  const generations = usage?.generations ?? [];
  if (options.json) {
    const head = Object.fromEntries([...parts, ...extra].map(({ name, ...row }) => [name, row]));
    const items = generations.map(({ generation, ...added }) => ({ generation, ...figures(added) }));
    return writePieces(jsonList(head, 'generations', items));
  }
  const added = generations.map(({ generation, ...sum }) => rowOf(`generation ${generation}`, sum));
  const shown = [...added, ...extra.filter(({ files }) => files !== 0)];
  const heading = shown.length === 0 ? [] : ['\nof the content:\n'];
  await writePieces([...render(parts), ...heading, ...render(shown)]);
}

/** Undefined when the journal cannot be read: then that is not known, but all the rest is. */
async function usageOf(session: Layout): Promise<StoreUsage | undefined> {
  await withLiveDaemon(session, (daemon) => daemon.request({ op: 'flush' }));
  const { Journal } = await import('../../history/log/journal.ts');
  const { storeUsage } = await import('../../history/gc/usage.ts');
  const { ObjectStore } = await import('../../staging/object-store.ts');
  try {
    const journal = Journal.open(session.journal, { readOnly: true });
    const store = new ObjectStore(session.files);
    return await storeUsage(journal, store).finally(() => {
      store.close();
      journal.close();
    });
  } catch (error) {
    const isNew = error instanceof SystemError && error.errno === ENOENT;
    if (!isNew && !(error instanceof UserError) && !(error instanceof SystemError)) throw error;
    if (!isNew) process.stderr.write(`yolofs: du: ${error.message}\n`);
    return undefined;
  }
}

function measure(session: Layout): Row[] {
  const content = diskUsage(session.files);
  const parts: Row[] = [
    { name: 'content', bytes: content.bytes, files: content.files },
    { name: 'journal', bytes: diskUsage(session.journal).bytes },
    { name: 'tree', bytes: diskUsage(session.tree).bytes },
    { name: 'commits', ...diskUsage(session.commits) },
    { name: 'tmp', ...diskUsage(session.tmp) },
  ];
  const total = diskUsage(session.dir).bytes + diskUsage(session.entry).bytes;
  return [...parts, { name: 'total', bytes: total }];
}

function rowOf(name: string, added: Added): Row {
  return { name, ...figures(added) };
}

function figures({ bytes, files, length }: Added): Omit<Row, 'name'> {
  return { bytes, files, apparent: length };
}

function render(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows.map((row) => renderRow(row, width));
}

function renderRow({ name, bytes, files, apparent }: Row, width: number): string {
  const count = files === undefined ? '' : `  ${amount(files, 'file')}`;
  const length = apparent === undefined ? '' : `, ${renderSize(apparent)} long`;
  return `${name.padEnd(width)} ${renderSize(bytes).padStart(10)}${count}${length}\n`;
}

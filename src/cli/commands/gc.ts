/** `yolofs gc`: removes what nothing needs any more, and on request what is no longer wanted. */

import { type Command, InvalidArgumentError } from 'commander';
import { amount } from '../../agents/amount.ts';
import type { Freed } from '../../history/gc/collect.ts';
import type { Policy } from '../../history/gc/policy.ts';
import type { Layout } from '../../history/layout.ts';
import { parseSize, renderSize } from '../../sys/text/size.ts';
import { withLiveDaemon } from '../connection.ts';
import { requirePerson, requireYes } from '../questions/ask.ts';
import { GC } from '../schemas/inside.ts';
import { jsonOption } from '../schemas/schema.ts';
import { sessionOf } from '../session.ts';
import { writePieces } from '../text/output.ts';

interface Options {
  readonly dropAbandoned?: true;
  readonly keepLast?: number;
  readonly maxSize?: number;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

const RETRY_MS = 50;
/** What a collection that nobody agrees to comes to. */
const KEPT = 'nothing was removed';

export function define(command: Command): void {
  jsonOption(command, 'tell as JSON', GC)
    .option('--drop-abandoned', 'give up the generations that later travels have left behind')
    .option('--keep-last <n>', 'give up all generations but the last so many', parseCount)
    .option('--max-size <size>', 'give up the oldest generations until the rest fits, e.g. 500M', parseBytes)
    .option('--dry-run', 'only say what would go')
    .option('--yes', 'do not ask')
    .action(gc);
}

async function gc(options: Options, command: Command): Promise<void> {
  const { dropAbandoned = false, keepLast, maxSize, dryRun = false } = options;
  const session = sessionOf(command);
  const policy = { dropAbandoned, keepLast, maxSize };
  if (!dryRun && !options.yes) await agree(session, policy);
  const freed = await collect(session, policy, dryRun);
  if (options.json) return writePieces([`${JSON.stringify({ ...freed, dryRun })}\n`]);
  process.stderr.write(`${(await lines(freed, { dryRun, maxSize })).join('\n')}\n`);
}

/** Shows what would go. Throws a UserError when nobody agrees to it. */
async function agree(session: Layout, policy: Policy): Promise<void> {
  requirePerson(KEPT);
  const freed = await collect(session, policy, true);
  const { generations, commits, objects } = freed;
  if (generations.length + commits.length + objects === 0) return;
  process.stderr.write(`${(await lines(freed, { dryRun: true, maxSize: policy.maxSize })).join('\n')}\n`);
  await requireYes('Remove this for good?', KEPT);
}

/** By the daemon, or here when there is none; one that has just started or is about to end is waited for. */
async function collect(session: Layout, policy: Policy, dryRun: boolean): Promise<Freed> {
  for (;;) {
    const freed = await withLiveDaemon(session, (daemon) => daemon.request({ op: 'gc', dryRun, ...policy }));
    if (freed !== undefined) return freed;
    const { collectAlone } = await import('../../daemon/store/collect-alone.ts');
    const alone = await collectAlone(session, policy, dryRun);
    if (alone !== undefined) return alone;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function lines(freed: Freed, { dryRun, maxSize }: { dryRun: boolean; maxSize: number | undefined }) {
  const { describeRanges } = await import('../../history/log/generations.ts');
  const { generations, commits, objects, bytes, left } = freed;
  const first = `${dryRun ? 'would free' : 'freed'} ${renderSize(bytes)} in ${amount(objects, 'content')}`;
  return [
    `${first}; ${renderSize(left)} ${dryRun ? 'would be' : 'is'} left`,
    ...(generations.length === 0
      ? []
      : [`${dryRun ? 'would no longer be' : 'no longer'} kept: generations ${describeRanges(generations)}`]),
    ...(commits.length === 0
      ? []
      : [`${dryRun ? 'could no longer' : 'can no longer'} be taken back: commits ${commits.join(', ')}`]),
    ...(maxSize !== undefined && left > maxSize ? ['the present state needs more than that'] : []),
  ];
}

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It has to be a number of generations.');
  return Number(text);
}

function parseBytes(text: string): number {
  const size = parseSize(text);
  if (size === undefined) throw new InvalidArgumentError('It has to be a size such as 500M or 2GiB.');
  return size;
}

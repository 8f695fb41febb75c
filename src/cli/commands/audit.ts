/** `yolofs audit`: every record of the journal, the oldest first: who did what, when, for which command. */
import type { Command } from 'commander';
import { viewpointOf } from '../../agents/show-path.ts';
import { audit, indexJournal } from '../../history/audit/audit.ts';
import { Journal } from '../../history/journal.ts';
import { questionOf, unlessInDoubt } from '../look/range-words.ts';
import { readSession, timelineOf } from '../look/read-session.ts';
import { sessionOf } from '../session.ts';
import { auditJson, auditLine } from '../text/audit-text.ts';
import { jsonItems, writePieces } from '../text/output.ts';
import { paintFor } from '../text/terminal.ts';

export function define(command: Command): void {
  command
    .usage('[options] [RANGE] [-- PATH…]')
    .argument('[range]', 'N, A..B, A.., ..B or all, also by names (default: all)')
    .argument('[path...]', 'only what happened to these and below them')
    .option('--json', 'list as JSON')
    .action(list);
}

async function list(
  range: string | undefined,
  paths: readonly string[],
  options: { json?: true },
  command: Command,
): Promise<void> {
  const session = sessionOf(command);
  const words = [...(range === undefined ? [] : [range]), ...paths];
  await readSession(session, (reading) => {
    const journal = reading?.session.journal;
    if (journal === undefined) {
      questionOf(words, timelineOf(reading));
      return writePieces(options.json ? ['[]\n'] : []);
    }
    const index = indexJournal(journal, Journal.start);
    const question = questionOf(words, index.timeline);
    const range = question.isAll ? undefined : question.range;
    const entries = unlessInDoubt(audit(journal, index, { range, paths: question.paths }), question);
    return writePieces(options.json ? jsonItems(map(entries, auditJson)) : linesOf(entries, session.project));
  });
}

function* linesOf(entries: ReturnType<typeof audit>, project: string): Generator<string, void> {
  const [from, paint] = [viewpointOf(project), paintFor(process.stdout)];
  for (const entry of entries) yield `${auditLine(entry, from, paint)}\n`;
}

function* map<T, U>(items: Iterable<T>, change: (item: T) => U): Generator<U, void> {
  for (const item of items) yield change(item);
}

/** `yolofs status`: what is staged, against the base, or what lies between two generations. */
import type { Command } from 'commander';
import type { ChangeLine } from '../../daemon/protocol.ts';
import type { Layout } from '../../history/layout.ts';
import { label } from '../../sys/bytes.ts';
import { listingOf, rangeAsked } from '../look/listing.ts';
import { type IsSeen, refusalsOf, sightOf } from '../look/listing-sight.ts';
import { RANGE_HELP } from '../look/range-words.ts';
import { atOnce, noticesIn, readSession } from '../look/read-session.ts';
import { printableState, sourceStates } from '../look/source-states.ts';
import { movedOn, requestsOf } from '../requests/staged-requests.ts';
import { listStatus } from '../review/list-status.ts';
import { STATUS } from '../schemas/listings.ts';
import { jsonOption } from '../schemas/schema.ts';
import { sessionOf } from '../session.ts';
import { printableNotice } from '../text/notice-text.ts';
import { jsonList, writePieces } from '../text/output.ts';
import { noteJson } from '../text/rule-text.ts';

export function define(command: Command): void {
  jsonOption(command.argument('[range]', RANGE_HELP), 'list as JSON', STATUS)
    .option('--all', 'list each change: also caches, what git and agents keep for themselves, what git ignores')
    .action(status);
}

interface Options {
  readonly json?: true;
  readonly all?: true;
}

async function status(range: string | undefined, options: Options, command: Command): Promise<void> {
  const session = sessionOf(command);
  if (options.json) await writeJson(session, range);
  else await listStatus(session, { word: range, all: options.all === true });
}

function writeJson(session: Layout, word: string | undefined): Promise<void> {
  return readSession(session, async (read) => {
    const reading = read && atOnce(read);
    const { range, generation } = rangeAsked(reading, word);
    const isSeen = await sightOf(reading, range);
    const refused = range === undefined ? refusalsOf(reading).filter(isSeen).map(noteJson) : [];
    const requests = range === undefined ? requestsOf(reading, session) : [];
    const notices = range === undefined ? noticesIn(reading).filter(isSeen).map(printableNotice) : [];
    const sources = range === undefined ? await sourceStates(session) : [];
    const head = {
      generation,
      ...(notices.length === 0 ? {} : { notices }),
      ...(refused.length === 0 ? {} : { refused }),
      ...(requests.length === 0
        ? {}
        : { requests: requests.map((request) => ({ ...request, ...movedOn(request, reading) })) }),
      ...(sources.length === 0 ? {} : { sources: sources.map(printableState) }),
    };
    const { changes, drift } = listingOf(reading, range);
    if (drift.isEmpty) return writePieces(jsonList(head, 'changes', printable(changes, isSeen)));
    const all = [...changes];
    const conflicts = drift.untold.filter(isSeen).map(({ path, theirs }) => ({ path: label(path), conflict: theirs }));
    const more = conflicts.length === 0 ? {} : { conflicts };
    return writePieces(jsonList({ ...head, ...more }, 'changes', printable(all, isSeen)));
  });
}

/** The same changes with paths as text. */
function* printable(changes: Iterable<ChangeLine>, isSeen: IsSeen): Generator<object, void> {
  for (const change of changes) {
    if (!isSeen(change)) continue;
    const { path, from, ...line } = change;
    yield { path: label(path), ...line, ...(from === undefined ? {} : { from: label(from) }) };
  }
}

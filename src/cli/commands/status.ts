/** `yolofs status`: what is staged, against the base, or what lies between two generations. */
import type { Command } from 'commander';
import { viewpointOf } from '../../agents/show-path.ts';
import type { ChangeLine } from '../../daemon/protocol.ts';
import type { Layout } from '../../history/layout.ts';
import type { Range } from '../../history/timeline/ranges.ts';
import type { GateNote } from '../../rules/note.ts';
import { recentRefusals } from '../../rules/refusals.ts';
import { type BytePath, label } from '../../sys/bytes.ts';
import { SELF } from '../caller.ts';
import { isForGuest, unseenNames } from '../look/guest-sight.ts';
import { listingOf } from '../look/listing.ts';
import { RANGE_HELP, rangeOf } from '../look/range-words.ts';
import { noticesIn, type Reading, readSession, timelineOf } from '../look/read-session.ts';
import { printableState, sourceStates } from '../look/source-states.ts';
import { movedOn, requestGroup, requestsOf } from '../requests/staged-requests.ts';
import { reviewIn } from '../review/review-in.ts';
import { STATUS } from '../schemas/listings.ts';
import { jsonOption } from '../schemas/schema.ts';
import { sessionOf } from '../session.ts';
import { noticeLines, printableNotice } from '../text/notice-text.ts';
import { jsonList, withEnds, writePieces } from '../text/output.ts';
import { refusedLines } from '../text/refused-text.ts';
import { noteJson } from '../text/rule-text.ts';
import { staleSources } from '../text/source-text.ts';
import { statusLines } from '../text/status-text.ts';
import { paintFor } from '../text/terminal.ts';

/** Refusals that are listed. */
const MOST_REFUSED = 20;

/** A limit that nobody sees otherwise: watchers (tsc, vite, …) would seem to be asleep. */
const UNWATCHED =
  'yolofs: the host has too few watches (fs.inotify.max_user_watches): programs in the view are not told of all that changes outside\n';

/** What is weaker then; `doctor` says so, too, and what would mend it. */
const SHARES_PROC =
  'yolofs: the view has the /proc of this container, read-only: commands can list the processes outside, and ps, kill and killall go wrong\n';

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

interface Wanted {
  /** A range. */
  readonly word?: string | undefined;
  /** Nothing is folded. */
  readonly all?: boolean;
}

/** Lists everything staged, or what lies in a range, on stdout and returns how much it is. */
export function listStatus(session: Layout, { word, all = false }: Wanted = {}): Promise<number> {
  return readSession(session, async (reading) => {
    const { range, generation } = whatFor(reading, word);
    const isSeen = await sightOf(reading, range);
    const { review, untold } = reviewIn(reading, { range, all, isSeen });
    await writePieces(withEnds(noticeGroup(reading, session, { range, isSeen, all })));
    const lines = statusLines(
      { review, untold, all },
      viewpointOf(session.project, SELF.cwd),
      paintFor(process.stdout),
    );
    const nothing = range === undefined ? `nothing is staged (generation ${generation})` : `no changes in ${word}`;
    await writePieces(withEnds(review.count + untold.length === 0 ? [nothing] : lines));
    if (reading?.unwatched === true) process.stderr.write(UNWATCHED);
    if (reading?.sharesProc === true) process.stderr.write(SHARES_PROC);
    if (range === undefined)
      await writePieces(
        withEnds([
          ...refusedGroup(reading, session, isSeen),
          ...requestGroup(reading, session),
          ...(await sourceGroup(session)),
        ]),
      );
    return review.count;
  });
}

/** Sources of which it is not known whether they still have what is shown. */
async function sourceGroup(session: Layout): Promise<readonly string[]> {
  const lines = staleSources(await sourceStates(session), paintFor(process.stdout));
  return lines.length === 0 ? [] : ['', 'Sources', ...lines.map((line) => `  ${line}`)];
}

function writeJson(session: Layout, word: string | undefined): Promise<void> {
  return readSession(session, async (reading) => {
    const { range, generation } = whatFor(reading, word);
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

/** Whether whoever asks may see the names of something. */
type IsSeen = (what: Pick<ChangeLine, 'path' | 'from'>) => boolean;

interface Asked {
  readonly range: Range | undefined;
  readonly isSeen: IsSeen;
}

async function sightOf(reading: Reading | undefined, range: Range | undefined): Promise<IsSeen> {
  if (reading === undefined || !isForGuest()) return () => true;
  const unseen = await unseenNames(reading, namesIn(reading, range));
  return ({ path, from }) => !unseen.has(path) && (from === undefined || !unseen.has(from));
}

/** All that a listing may name. */
function* namesIn(reading: Reading, range: Range | undefined): Generator<BytePath, void> {
  const { changes, drift } = listingOf(reading, range);
  for (const { path, from } of changes) yield* from === undefined ? [path] : [path, from];
  for (const { path } of [...drift.untold, ...refusalsOf(reading)]) yield path;
}

/** The range that is asked for, and the generation at whose state it ends. */
function whatFor(
  reading: Reading | undefined,
  word: string | undefined,
): { readonly range: Range | undefined; readonly generation: number } {
  const range = word === undefined ? undefined : rangeOf(word, timelineOf(reading));
  return { range, generation: range?.to.generation ?? reading?.session.state.generation ?? 0 };
}

/** First of all, and with a line between it and the rest. */
function noticeGroup(
  reading: Reading | undefined,
  session: Layout,
  { range, isSeen, all }: Asked & { readonly all: boolean },
): readonly string[] {
  const notices = range === undefined ? noticesIn(reading).filter(isSeen) : [];
  const lines = noticeLines(notices, viewpointOf(session.project, SELF.cwd), paintFor(process.stdout), all);
  return lines.length === 0 ? [] : [...lines, ''];
}

function refusedGroup(reading: Reading | undefined, session: Layout, isSeen: IsSeen): readonly string[] {
  const paint = paintFor(process.stdout);
  const lines = refusedLines(
    refusalsOf(reading).filter(isSeen),
    viewpointOf(session.project, SELF.cwd),
    paint,
    MOST_REFUSED,
  );
  return lines.length === 0 ? [] : ['', paint.bold('By rules'), ...lines];
}

function refusalsOf(reading: Reading | undefined): readonly GateNote[] {
  return reading === undefined ? [] : recentRefusals(reading.session.journal);
}

/** The same changes with paths as text. */
function* printable(changes: Iterable<ChangeLine>, isSeen: IsSeen): Generator<object, void> {
  for (const change of changes) {
    if (!isSeen(change)) continue;
    const { path, from, ...line } = change;
    yield { path: label(path), ...line, ...(from === undefined ? {} : { from: label(from) }) };
  }
}

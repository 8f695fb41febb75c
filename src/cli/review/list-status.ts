/** The listing of what is staged, or of a range, for people: the changes, and what they should know beside them. */
import { viewpointOf } from '../../agents/show-path.ts';
import type { Layout } from '../../history/layout.ts';
import type { Range } from '../../history/timeline/ranges.ts';
import { SELF } from '../caller.ts';
import { rangeAsked } from '../look/listing.ts';
import { type IsSeen, refusalsOf, sightOf } from '../look/listing-sight.ts';
import { atOnce, noticesIn, type Reading, readSession } from '../look/read-session.ts';
import { sourceStates } from '../look/source-states.ts';
import { requestGroup } from '../requests/staged-requests.ts';
import { noticeLines } from '../text/notice-text.ts';
import { withEnds, writePieces } from '../text/output.ts';
import { refusedLines } from '../text/refused-text.ts';
import { staleSources } from '../text/source-text.ts';
import { statusLines } from '../text/status-text.ts';
import { paintFor } from '../text/terminal.ts';
import { reviewIn } from './review-in.ts';

/** Refusals that are listed. */
const MOST_REFUSED = 20;

/** A limit that nobody sees otherwise: watchers (tsc, vite, …) would seem to be asleep. */
const UNWATCHED =
  'yolofs: the host has too few watches (fs.inotify.max_user_watches): programs in the view are not told of all that changes outside\n';

/** What is weaker then; `doctor` says so, too, and what would mend it. */
const SHARES_PROC =
  'yolofs: the view has the /proc of this container, read-only: commands can list the processes outside, and ps, kill and killall go wrong\n';

interface Wanted {
  /** A range. */
  readonly word?: string | undefined;
  /** Nothing is folded. */
  readonly all?: boolean;
}

/** Lists everything staged, or what lies in a range, on stdout and returns how much it is. */
export function listStatus(session: Layout, { word, all = false }: Wanted = {}): Promise<number> {
  return readSession(session, async (read) => {
    const reading = read && atOnce(read);
    const { range, generation } = rangeAsked(reading, word);
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

interface Listed {
  readonly range: Range | undefined;
  readonly isSeen: IsSeen;
  readonly all: boolean;
}

/** First of all, and with a line between it and the rest. */
function noticeGroup(reading: Reading | undefined, session: Layout, { range, isSeen, all }: Listed): readonly string[] {
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

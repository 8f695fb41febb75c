/** What lies between two states: GET /api/compare, and /api/file of it. */
import type { PathChange } from '../../../history/diff/changes.ts';
import { Facts } from '../../../history/diff/facts.ts';
import { findShownRenames, withRenames } from '../../../history/diff/text/renames.ts';
import { isWithin, toBytePath } from '../../../sys/bytes.ts';
import { UserError } from '../../../sys/user-error.ts';
import type { CompareReply, FileReply, ShownEntry } from '../../protocol.ts';
import type { Opened } from '../host.ts';
import { type Answer, type Call, countOf } from '../http/routes.ts';
import { fileBody } from '../model/file-reply.ts';
import { idOf, shownPath } from '../model/show.ts';
import { inSlices } from '../slices.ts';
import type { PageState } from '../state.ts';
import { contentStamp } from '../text/latest.ts';
import { readText } from '../text/read-text.ts';
import { pageOf } from './looking.ts';

const FIRST_PAGE = 1000;
const MOST_ENTRIES = 5000;

export async function compare(state: PageState, { query }: Call): Promise<Answer> {
  const { changes } = await compared(state, query);
  const [from, count] = [countOf(query, 'from', 0), countOf(query, 'count', FIRST_PAGE, MOST_ENTRIES)];
  const project = toBytePath(state.host.layout.project);
  const entries = changes.slice(from, from + count).map((change) => comparedEntry(change, project));
  const reply: CompareReply = { entries, total: changes.length };
  return { json: reply };
}

/** GET /api/file of a comparison: nothing in it is decided. */
export async function comparedFile(state: PageState, { query }: Call): Promise<Answer> {
  const { changes, version, opened } = await compared(state, query);
  const change = changes.find(({ path }) => idOf(path) === query.get('id'));
  if (change === undefined) throw new UserError('nothing is different there', undefined, { code: 'outdated' });
  const facts = new Facts(opened.reading.base, opened.reading.store);
  const text = await state.text.of(contentStamp(change, facts), () => readText(change, facts));
  const body = fileBody({ change, facts, text, page: pageOf(query), partOf: undefined });
  const entry = comparedEntry(change, toBytePath(state.host.layout.project));
  const reply: FileReply = { version, entry, ...body, notices: [] };
  return { json: reply };
}

interface Compared {
  readonly version: number;
  readonly opened: Opened;
  readonly changes: readonly PathChange[];
}

/** The last comparison, for the pages of it. */
const LATEST = new WeakMap<Opened, { readonly words: string; readonly changes: readonly PathChange[] }>();

/** Between generation `a` and `b`, or the present state. Throws a UserError for one that cannot be shown. */
export async function compared(state: PageState, query: URLSearchParams): Promise<Compared> {
  const { opened, version } = await state.model();
  if (opened === undefined) throw new UserError('there are no snapshots yet');
  const [a, b] = [countOf(query, 'a', 0), query.has('b') ? countOf(query, 'b', 0) : undefined];
  const words = `${a}..${b ?? ''}`;
  const known = LATEST.get(opened);
  const changes = known?.words === words ? known.changes : await changesBetween(opened, { a, b });
  LATEST.set(opened, { words, changes });
  return { version, opened, changes };
}

/** As nothing of it is decided, what was moved without the view's knowing is one change, as in `diff`. */
async function changesBetween(opened: Opened, between: Parameters<Opened['changes']>[0]): Promise<PathChange[]> {
  const changes = [...opened.changes(between)];
  const facts = new Facts(opened.reading.base, opened.reading.store);
  return [...withRenames(changes, await inSlices(findShownRenames(changes, facts)))];
}

function comparedEntry({ path, change, type, from }: PathChange, project: PathChange['path']): ShownEntry {
  const group = isWithin(path, project) ? 'project' : 'outside';
  const shown = { id: idOf(path), group, ...shownPath(path), change, type, choice: 'leave' } as const;
  return from === undefined ? shown : { ...shown, from: shownPath(from) };
}

/** `yolofs audit`: every record of the journal, the oldest first: who did what, when, for which command. */
import type { Command } from 'commander';
import { viewpointOf } from '../../agents/show-path.ts';
import { Journal } from '../../history/log/journal.ts';
import type { Body } from '../../history/log/record.ts';
import { type AuditEntry, audit, indexJournal, mentionedIn } from '../../history/past/audit.ts';
import { changeNote } from '../../rules/note.ts';
import type { BytePath } from '../../sys/bytes.ts';
import { SELF } from '../caller.ts';
import { isForGuest, unseenNames, type Veil, veilFor } from '../look/guest-sight.ts';
import { questionOf, unlessInDoubt } from '../look/range-words.ts';
import { type Reading, readSession, timelineOf } from '../look/read-session.ts';
import { AUDIT } from '../schemas/listings.ts';
import { jsonOption } from '../schemas/schema.ts';
import { sessionOf } from '../session.ts';
import { auditJson, auditLine } from '../text/audit-text.ts';
import { jsonItems, writePieces } from '../text/output.ts';
import { paintFor } from '../text/terminal.ts';

const RECENT_NAMES = 10_000;

export function define(command: Command): void {
  jsonOption(command, 'list as JSON', AUDIT)
    .usage('[options] [RANGE] [-- PATH…]')
    .argument('[range]', 'N, A..B, A.., ..B or all, also by names (default: all)')
    .argument('[path...]', 'only what happened to these and below them')
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
  await readSession(session, async (reading) => {
    if (reading === undefined) {
      questionOf(words, timelineOf(reading));
      return writePieces(options.json ? ['[]\n'] : []);
    }
    const { journal } = reading.session;
    const index = indexJournal(journal, Journal.start);
    const question = questionOf(words, index.timeline);
    const range = question.isAll ? undefined : question.range;
    const entries = (): Iterable<AuditEntry> => audit(journal, index, { range, paths: question.paths });
    const told = isForGuest() ? seen(entries(), await sightOf(reading, entries)) : entries();
    const shown = unlessInDoubt(told, question);
    await writePieces(options.json ? jsonItems(map(shown, auditJson)) : linesOf(shown, session.project));
  });
}

/** Each name, of those that come again soon only the first time: a journal may have more than there is room for. */
function* namesIn(entries: Iterable<AuditEntry>): Generator<BytePath, void> {
  const recent = new Set<BytePath>();
  for (const { body } of entries) {
    for (const path of mentionedIn(body).filter((path) => !recent.has(path))) {
      if (recent.size >= RECENT_NAMES) recent.clear();
      recent.add(path);
      yield path;
    }
  }
}

interface Sight {
  readonly unseen: ReadonlySet<BytePath>;
  readonly veil: Veil;
}

async function sightOf(reading: Reading, entries: () => Iterable<AuditEntry>): Promise<Sight> {
  const unseen = await unseenNames(reading, namesIn(entries()));
  return { unseen, veil: await veilFor(reading, textsIn(entries())) };
}

function* textsIn(entries: Iterable<AuditEntry>): Generator<string, void> {
  for (const { body, command = '' } of entries) {
    yield command;
    if (body.tag === 'P' || body.tag === 'T') yield body.name;
    if (body.tag === 'P') yield body.command ?? '';
    if (body.tag === 'N') yield* body.fields;
  }
}

/** What whoever asks in the view may know: no names that are hidden there, nor that a rule hides something. */
function* seen(entries: Iterable<AuditEntry>, { unseen, veil }: Sight): Generator<AuditEntry, void> {
  for (const entry of entries) {
    const { body, command } = entry;
    const change = body.tag === 'C' ? changeNote(body.fields) : undefined;
    if (change?.before === 'hidden' || change?.after === 'hidden') continue;
    if (!mentionedIn(body).some((path) => unseen.has(path)))
      yield { ...entry, body: veiled(body, veil), command: command === undefined ? undefined : veil(command) };
  }
}

function veiled(body: Body, veil: Veil): Body {
  if (body.tag === 'N') return { ...body, fields: body.fields.map(veil) };
  if (body.tag === 'T') return { ...body, name: veil(body.name) };
  if (body.tag !== 'P') return body;
  return { ...body, name: veil(body.name), command: body.command === undefined ? undefined : veil(body.command) };
}

function* linesOf(entries: Iterable<AuditEntry>, project: string): Generator<string, void> {
  const [from, paint] = [viewpointOf(project, SELF.cwd), paintFor(process.stdout)];
  for (const entry of entries) yield `${auditLine(entry, from, paint)}\n`;
}

function* map<T, U>(items: Iterable<T>, change: (item: T) => U): Generator<U, void> {
  for (const item of items) yield change(item);
}

/**
 * `yolofs` inside the view. There the session's directory is hidden, so a few commands that only look, or add to the
 * history, are carried out outside on the guest's behalf: it sends its words and gets what the command wrote (guest-lines.ts).
 *
 * The guest is not trusted: which commands there are, and for which session, is decided here.
 */
import type { Readable } from 'node:stream';
import type { Layout } from '../../history/layout.ts';
import { toBytes } from '../../sys/bytes.ts';
import { PLAIN_ENVIRONMENT, startProcess } from '../../sys/process/process.ts';
import type { LineSocket } from '../../sys/socket.ts';
import { COMMAND_LINE } from '../entries.ts';
import { failureOf } from '../failure.ts';
import { parseJson } from '../parse-json.ts';
import type { CommitRequest } from '../requests/commit-request.ts';
import { FOR_GUEST, GUEST_DIRECTORY, GUEST_FILES } from './guest-environment.ts';
import {
  type GuestCommand,
  type GuestCommitRequest,
  type GuestLine,
  type GuestMark,
  type GuestRequest,
  LONGEST_REQUEST,
} from './guest-lines.ts';
import { type GuestBring, type GuestNarrow, type GuestSearch, parseSearch, serveSearch } from './guest-search.ts';
import { GUEST_COMMANDS } from './served-commands.ts';
import { Slots } from './slots.ts';

/** Connected at a time. */
export const MOST_GUESTS = 256;
/** Of the command that a snapshot is of, in UTF-16 code units: the journal keeps it. */
const LONGEST_COMMAND = 1000;
/** What runs outside on the guests' behalf counts against no limit of the view: a crowd in there must not become one out here. */
const slots = new Slots(4, 200);
/** Searches wait for servers: nothing else is to wait for them. */
const searches = new Slots(4, 200);

/** What guests are served from. */
export interface GuestHost {
  readonly layout: Layout;
  /** Throws a UserError where the session is not ready. */
  service(): GuestService;
  readonly search: GuestSearch;
}

/** What is done for guests here; both reject with a UserError, or a SystemError. */
export interface GuestService {
  requestCommit(message: string): Promise<CommitRequest>;
  /** Takes a snapshot if anything has changed; `command` is as bytes. */
  snapshotOf(command: string): Promise<void>;
}

/** Serves one guest: one request, then the end. */
export function serveGuest(socket: LineSocket, host: GuestHost): void {
  socket.unref();
  let ended: () => void = () => undefined;
  const onEnd = new Promise<void>((resolve) => {
    ended = resolve;
  });
  let asked = false;
  let gone = false;
  const onLine = (text: string): void => {
    if (asked) {
      socket.destroy();
      return;
    }
    asked = true;
    const visit = { socket, host, onEnd };
    // Parsed anew when its turn comes: what waits is to take no more memory than its text.
    const room = isSearch(parseGuestRequest(text)) ? searches : slots;
    const done = room.take(() => (gone ? Promise.resolve() : serve(parseGuestRequest(text), visit)));
    if (done === undefined) refuse(visit, 'too many requests at once');
    // The guest is told, and not the log: what it sends must not fill the disk out here.
    (done ?? Promise.resolve()).catch((error: unknown) => refuse(visit, wordsOf(error))).finally(() => socket.end());
  };
  const onGone = (): void => {
    gone = true;
    ended();
  };
  socket.listen(onLine, onGone, LONGEST_REQUEST);
}

interface Visit {
  readonly socket: LineSocket;
  readonly host: GuestHost;
  /** Settles when the guest has gone. */
  readonly onEnd: Promise<void>;
}

function isSearch(request: GuestRequest | undefined): request is GuestNarrow | GuestBring {
  return request !== undefined && ('narrow' in request || 'bring' in request);
}

function serve(request: GuestRequest | undefined, visit: Visit): Promise<void> {
  if (request === undefined) refuse(visit, 'this is not possible inside the view');
  else if ('commitRequest' in request) return requestCommit(request, visit);
  else if ('snapshotOf' in request) return mark(request, visit);
  else if (isSearch(request)) return serveSearch(request, visit.host.search, visit.socket);
  else return carryOut(request, visit);
  return Promise.resolve();
}

async function requestCommit({ commitRequest }: GuestCommitRequest, visit: Visit): Promise<void> {
  try {
    const out = toBytes(JSON.stringify(await visit.host.service().requestCommit(commitRequest)));
    for (const line of [{ out }, { exit: 0 }] satisfies GuestLine[]) visit.socket.send(JSON.stringify(line));
  } catch (error) {
    refuse(visit, wordsOf(error));
  }
}

async function mark({ snapshotOf }: GuestMark, { socket, host }: Visit): Promise<void> {
  await host.service().snapshotOf(toBytes(snapshotOf.slice(0, LONGEST_COMMAND)));
  socket.send(JSON.stringify({ exit: 0 } satisfies GuestLine));
}

/** As bytes. */
function wordsOf(error: unknown): string {
  const { message, hint } = failureOf(error);
  return toBytes(hint === undefined ? message : `${message} (${hint})`);
}

async function carryOut(request: GuestCommand, { socket, host: { layout }, onEnd }: Visit): Promise<void> {
  const say = (line: GuestLine): void => socket.send(JSON.stringify(line));
  const guest = {
    [FOR_GUEST]: '1',
    [GUEST_DIRECTORY]: request.cwd.startsWith('/') ? request.cwd : layout.project,
    [GUEST_FILES]: JSON.stringify(request.there ?? []),
  };
  // It stands nowhere near: a path that a guest names is text, and names nothing on the host.
  const child = startProcess({
    argv: [process.execPath, COMMAND_LINE, ...request.words],
    env: { ...PLAIN_ENVIRONMENT, ...whereStateIs(), YOLOFS_SESSION: layout.project, ...guest },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
  });
  void onEnd.then(() => child.kill('SIGKILL'));
  const exit = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
  });
  await Promise.all([
    forward(child.stdout, socket, (out) => say({ out })),
    forward(child.stderr, socket, (err) => say({ err })),
  ]);
  say({ exit: await exit });
}

/** The registry is looked for where this process has found it. */
function whereStateIs(): NodeJS.ProcessEnv {
  const { HOME = '/', XDG_STATE_HOME } = process.env;
  return XDG_STATE_HOME === undefined ? { HOME } : { HOME, XDG_STATE_HOME };
}

function refuse({ socket }: Pick<Visit, 'socket'>, why: string): void {
  const lines: GuestLine[] = [{ err: `yolofs: ${why}\n` }, { exit: 1 }];
  for (const line of lines) socket.send(JSON.stringify(line));
}

/** Passes on what a stream gives, as fast as the guest takes it. */
async function forward(stream: Readable | null, socket: LineSocket, say: (text: string) => void): Promise<void> {
  for await (const piece of stream ?? []) {
    say((piece as Buffer).toString('latin1'));
    await socket.drained();
  }
}

/** What a guest may have done; undefined for anything else. No option may lead to another session. */
export function parseGuestRequest(text: string): GuestRequest | undefined {
  if (text.length > LONGEST_REQUEST) return undefined;
  const value = parseJson(text) as
    | Partial<GuestCommand & GuestCommitRequest & GuestMark & GuestNarrow & GuestBring>
    | null
    | undefined;
  const { words, cwd, there = [], commitRequest, snapshotOf } = value ?? {};
  if (value?.narrow !== undefined || value?.bring !== undefined) return parseSearch(value);
  if (typeof commitRequest === 'string') return words === undefined ? { commitRequest } : undefined;
  if (typeof snapshotOf === 'string') return words === undefined ? { snapshotOf } : undefined;
  if (!isWord(cwd) || !areWords(words) || !areWords(there)) return undefined;
  const [command = ''] = words;
  if (!GUEST_COMMANDS.includes(command) || words.some((word) => word.startsWith('--session'))) return undefined;
  return { words, cwd, there };
}

/** What an argument of a program can be. */
function isWord(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

function areWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isWord);
}

/** Serves the session's socket: lines in, requests to the daemon, lines out. One request a connection at a time. */
import type { LineSocket } from '../../sys/socket.ts';
import { UserError } from '../../sys/user-error.ts';
import { failureOf } from '../failure.ts';
import { Turns } from '../life/turns.ts';
import { parseJson } from '../parse-json.ts';
import type { EventLine, Progress, Replies, ReplyLine, Request } from '../protocol.ts';

/** What the service answers; the rest is answered before. */
export type ServiceRequest = Exclude<Request, { op: 'debug' | 'mount' | 'unmount' }>;

/** One client, from its first request to its end. */
export interface Guest<Asked extends Request = Request> {
  answer(request: Asked, onProgress: (progress: Progress) => void): Promise<Replies[Request['op']]>;
  /** The connection is gone; what it had begun must be ended. */
  left(): void;
}

/** Serves one connection; what happens meanwhile is told by what `admit` is given. */
export function serveConnection(socket: LineSocket, admit: (tell: (line: EventLine) => void) => Guest): void {
  socket.unref();
  const guest = admit((line) => socket.send(JSON.stringify(line)));
  const turns = new Turns();
  const say = (line: ReplyLine): void => socket.send(JSON.stringify(line));
  const serve = async (text: string): Promise<void> => {
    try {
      say({ ok: await guest.answer(parseRequest(text), (progress) => say({ progress })) });
    } catch (error) {
      say({ error: failureOf(error) });
    }
  };
  socket.listen(
    (text) => void turns.take(() => serve(text)),
    () => void turns.take(async () => guest.left()),
  );
}

/** `paths`, `hunks`, and what has a question mark, may be missing. */
type Kind = 'string' | 'number' | 'boolean' | 'paths' | 'hunks' | 'names' | 'numbers' | 'number?' | 'string?' | 'path?';

/** What each request must have, besides `op`. */
const FIELDS: { readonly [Op in Request['op']]: Readonly<Record<string, Kind>> } = {
  hello: {},
  enter: { command: 'string' },
  started: { pid: 'number' },
  leave: {},
  snapshot: { name: 'string', ifChanged: 'boolean' },
  flush: {},
  travel: { to: 'string' },
  commit: { dryRun: 'boolean', paths: 'paths', hunks: 'hunks', discard: 'hunks' },
  reload: {},
  sources: { refresh: 'names' },
  adopt: {},
  undo: {},
  abort: { paths: 'paths', hunks: 'hunks' },
  gc: { dryRun: 'boolean', dropAbandoned: 'boolean' },
  watch: { front: 'string', run: 'number?' },
  answer: { id: 'number', allow: 'boolean', always: 'path?' },
  decline: { id: 'number' },
  decide: { id: 'number', commit: 'boolean', reviewed: 'number?', reason: 'string?' },
  sight: { paths: 'paths', inos: 'numbers', names: 'paths', words: 'names' },
  stats: {},
  debug: { what: 'string', path: 'path?', file: 'path?' },
  mount: { dir: 'string', write: 'boolean', temporary: 'boolean' },
  unmount: {},
  stop: {},
};

/** Clients are of this program, but perhaps of another version. Throws a UserError. */
export function parseRequest(text: string): Request {
  const value = parseJson(text) as Record<string, unknown> | null;
  const op = typeof value === 'object' ? value?.op : undefined;
  if (typeof op !== 'string' || !Object.hasOwn(FIELDS, op)) throw senseless(`unknown request: ${text.slice(0, 100)}`);
  for (const [name, type] of Object.entries(FIELDS[op as Request['op']])) {
    if (!isOfKind(value?.[name], type)) throw senseless(`request '${op}': '${name}' is no ${type}`);
  }
  return value as Request;
}

function senseless(message: string): UserError {
  return new UserError(message, undefined, { code: 'usage' });
}

function isOfKind(value: unknown, kind: Kind): boolean {
  if (value === undefined) return kind === 'paths' || kind === 'hunks' || kind.endsWith('?');
  if (kind === 'path?') return typeof value === 'string' && value.startsWith('/');
  if (kind === 'number?' || kind === 'string?') return typeof value === kind.slice(0, -1);
  if (kind === 'numbers') return Array.isArray(value) && value.every((one) => typeof one === 'number');
  if (kind === 'names') return Array.isArray(value) && value.every((name) => typeof name === 'string');
  if (kind === 'hunks') return Array.isArray(value) && value.every(isHunk);
  if (kind !== 'paths') return typeof value === kind;
  return Array.isArray(value) && value.every((path) => typeof path === 'string' && path.startsWith('/'));
}

function isHunk(value: unknown): boolean {
  const { key, lines } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof key === 'string' && (lines === undefined || (Array.isArray(lines) && lines.every(Number.isSafeInteger)))
  );
}

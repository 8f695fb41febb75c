/** Serves the session's socket: lines in, requests to the daemon, lines out. One request a connection at a time. */
import type { LineSocket } from '../sys/socket.ts';
import { UserError } from '../sys/user-error.ts';
import { failureOf } from './failure.ts';
import { parseJson } from './parse-json.ts';
import type { Progress, Replies, ReplyLine, Request } from './protocol.ts';
import { Turns } from './turns.ts';

/** One client, from its first request to its end. */
export interface Guest {
  answer(request: Request, onProgress: (progress: Progress) => void): Promise<Replies[Request['op']]>;
  /** The connection is gone; what it had begun must be ended. */
  left(): void;
}

/** Serves one connection. */
export function serveConnection(socket: LineSocket, guest: Guest): void {
  socket.unref();
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

/** `paths` may be missing. */
type Kind = 'string' | 'number' | 'boolean' | 'paths';

/** What each request must have, besides `op`. */
const FIELDS: { readonly [Op in Request['op']]: Readonly<Record<string, Kind>> } = {
  hello: {},
  enter: { command: 'string' },
  started: { pid: 'number' },
  leave: {},
  snapshot: { name: 'string', ifChanged: 'boolean' },
  flush: {},
  travel: { to: 'string' },
  commit: { dryRun: 'boolean', paths: 'paths' },
  reload: {},
  undo: {},
  abort: { paths: 'paths' },
  gc: { dryRun: 'boolean', dropAbandoned: 'boolean' },
  stats: {},
  stop: {},
};

/** Clients are of this program, but perhaps of another version. Throws a UserError. */
export function parseRequest(text: string): Request {
  const value = parseJson(text) as Record<string, unknown> | null;
  const op = typeof value === 'object' ? value?.op : undefined;
  if (typeof op !== 'string' || !Object.hasOwn(FIELDS, op))
    throw new UserError(`unknown request: ${text.slice(0, 100)}`);
  for (const [name, type] of Object.entries(FIELDS[op as Request['op']])) {
    if (!isOfKind(value?.[name], type)) throw new UserError(`request '${op}': '${name}' is no ${type}`);
  }
  return value as Request;
}

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind !== 'paths') return typeof value === kind;
  if (value === undefined) return true;
  return Array.isArray(value) && value.every((path) => typeof path === 'string' && path.startsWith('/'));
}

/** Puts the page's server together. */
import { Desk } from './desk.ts';
import type { PageHost } from './host.ts';
import type { Answer, Call, Handler } from './http/routes.ts';
import { PageServer } from './http/server.ts';
import { Acting } from './routes/acting.ts';
import { decide, note } from './routes/deciding.ts';
import { entries, file, review } from './routes/looking.ts';

export interface Served {
  /** Lets one window in; each call makes the last one's worthless. */
  newAddress(): string;
  /** Resolves when the page has asked for the end. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** `assets`: where the files of the page are. */
export async function servePage(host: PageHost, assets: string): Promise<Served> {
  const desk = new Desk(host);
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const server = new PageServer({ assets, routes: routesOf(desk, () => end()), report: (text) => host.report(text) });
  await server.listen();
  const close = async (): Promise<void> => {
    await desk.close();
    await server.close();
  };
  return { newAddress: () => server.newAddress(), ended, close };
}

function routesOf(desk: Desk, end: () => void): ReadonlyMap<string, Handler> {
  const acting = new Acting(desk);
  const inTurn: Record<string, (call: Call) => Promise<Answer>> = {
    'GET /api/review': () => review(desk),
    'GET /api/entries': (call) => entries(desk, call),
    'GET /api/file': (call) => file(desk, call),
    'POST /api/decide': (call) => decide(desk, call),
    'POST /api/note': (call) => note(desk, call),
    'POST /api/plan': (call) => acting.plan(call),
    'POST /api/commit': (call) => acting.commit(call),
    'POST /api/abort': (call) => acting.abort(call),
    'POST /api/undo': () => acting.undo(),
  };
  const routes = new Map<string, Handler>();
  for (const [name, handle] of Object.entries(inTurn)) routes.set(name, (call) => desk.inTurn(() => handle(call)));
  routes.set('GET /api/stream', async ({ request, response }) =>
    stream(desk, request.headers['last-event-id'], response),
  );
  routes.set('POST /api/close', async () => {
    setImmediate(end);
    return {};
  });
  return routes;
}

function stream(desk: Desk, last: string | string[] | undefined, response: Call['response']): Answer | undefined {
  response.setHeader('content-type', 'text/event-stream');
  if (desk.stream.add(response, typeof last === 'string' ? last : undefined)) return undefined;
  return { status: 503, json: { error: { code: 'busy', message: 'too many windows' } } };
}
